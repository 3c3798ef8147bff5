//===- CallOrder.cpp - Driver calls that may overlap ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CallOrder.h"

#include "Utils/Buffers.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace ds::gpu;

/// The most iterations of kernels that share one block: together they should take less time than a
/// launch.
static constexpr int64_t mostRounds = 64;

Access ds::gpu::accessOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!ds::isView(op))
      break;
    if (auto view = dyn_cast<memref::ViewOp>(op))
      if (auto shift = getConstantIntValue(view.getByteShift())) {
        MemRefType type = view.getType();
        int64_t bytes = type.getNumElements() * ds::elementBytes(type.getElementType());
        return {view.getSource(), *shift, *shift + bytes};
      }
    value = op->getOperand(0);
  }
  if (auto argument = dyn_cast<BlockArgument>(value))
    return {isa<func::FuncOp>(argument.getOwner()->getParentOp()) ? value : Value()};
  return {isa<memref::GetGlobalOp>(value.getDefiningOp()) ? value : Value()};
}

bool OrderedCall::addAccesses(const llvm::BitVector &written) {
  for (auto [i, operand] : llvm::enumerate(call.getOperands())) {
    if (!isa<MemRefType>(operand.getType()))
      continue;
    Access access = accessOf(operand);
    if (!access.root)
      return false;
    access.writes = written[i];
    accesses.push_back(access);
  }
  return true;
}

void ds::gpu::hoistAddresses(Block &block) {
  DenseSet<Operation *> hoisted;
  Operation *last = nullptr;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    bool isFree =
        isMemoryEffectFree(&op) && op.getNumRegions() == 0 && !op.hasTrait<OpTrait::IsTerminator>();
    if (!isFree || !llvm::all_of(op.getOperands(), [&](Value operand) {
          Operation *made = operand.getDefiningOp();
          return !made || made->getBlock() != &block || hoisted.contains(made);
        }))
      continue;
    if (last)
      op.moveAfter(last);
    else
      op.moveBefore(&block, block.begin());
    last = &op;
    hoisted.insert(last);
  }
}

namespace {

/// A call that accessed bytes of a buffer and on which later calls may depend.
struct Touched {
  int64_t begin, end;
  size_t call;
  bool writes;
};

} // namespace

void ds::gpu::findDependences(MutableArrayRef<OrderedCall> calls) {
  // Constants are only read, so each value counts as a separate buffer.
  DenseMap<Value, SmallVector<Touched>> buffers;
  for (auto [number, call] : llvm::enumerate(calls)) {
    llvm::SmallSetVector<size_t, 8> earlier;
    for (const Access &access : call.accesses)
      for (const Touched &other : buffers[access.root])
        if (other.begin < access.end && access.begin < other.end && (other.writes || access.writes))
          earlier.insert(other.call);
    call.earlier.assign(earlier.begin(), earlier.end());
    for (const Access &access : call.accesses) {
      SmallVector<Touched> &touched = buffers[access.root];
      if (access.writes)
        llvm::erase_if(touched, [&](const Touched &other) {
          return access.begin <= other.begin && other.end <= access.end;
        });
      touched.push_back({access.begin, access.end, number, access.writes});
    }
  }
}

namespace {

class Scheduler {
public:
  explicit Scheduler(ArrayRef<OrderedCall> calls) : calls(calls), done(calls.size(), false) {}

  std::vector<CallGroup> run() {
    while (first < calls.size()) {
      if (std::optional<size_t> other = findReady()) {
        done[*other] = true;
        groups.emplace_back().tracks.push_back({*other});
      } else {
        groups.push_back(gather());
      }
      while (first < calls.size() && done[first])
        ++first;
    }
    return std::move(groups);
  }

private:
  bool isReady(size_t number) const {
    return llvm::all_of(calls[number].earlier, [&](size_t other) { return done[other]; });
  }

  /// Returns the first ready call that cannot share a launch, or is no launch.
  std::optional<size_t> findReady() const {
    for (size_t number = first; number < calls.size(); ++number)
      if (!done[number] && !calls[number].isLaunch && isReady(number))
        return number;
    return std::nullopt;
  }

  CallGroup gather() {
    tracks.clear();
    trackOf.clear();
    arguments.clear();
    for (size_t number = first; number < calls.size(); ++number)
      if (!done[number] && calls[number].isLaunch)
        if (std::optional<SmallVector<size_t>> before = tracksBefore(number))
          add(number, *before);
    CallGroup group;
    for (SmallVector<size_t> &track : tracks)
      if (!track.empty())
        group.tracks.push_back(std::move(track));
    for (const SmallVector<size_t> &track : group.tracks)
      for (size_t number : track)
        done[number] = true;
    return group;
  }

  /// Returns the tracks that the call depends on; none if it depends on another unfinished call.
  std::optional<SmallVector<size_t>> tracksBefore(size_t number) const {
    llvm::SmallSetVector<size_t, 4> before;
    for (size_t other : calls[number].earlier) {
      if (done[other])
        continue;
      auto track = trackOf.find(other);
      if (track == trackOf.end())
        return std::nullopt;
      before.insert(track->second);
    }
    return before.takeVector();
  }

  void add(size_t number, ArrayRef<size_t> before) {
    const OrderedCall &call = calls[number];
    if (!before.empty()) {
      int64_t rounds = call.rounds;
      bool isOneBlock = call.blocks == 1;
      for (size_t track : before)
        for (size_t other : tracks[track]) {
          rounds += calls[other].rounds;
          isOneBlock &= calls[other].blocks == 1;
        }
      if (!isOneBlock || rounds > mostRounds)
        return;
    }
    size_t more = llvm::count_if(
        llvm::SmallDenseSet<Value>(call.call->operand_begin(), call.call->operand_end()),
        [&](Value value) { return !arguments.contains(value); });
    if (!tracks.empty() && arguments.size() + more > mostArguments)
      return;
    arguments.insert(call.call->operand_begin(), call.call->operand_end());
    SmallVector<size_t> track;
    for (size_t other : before)
      track.append(std::exchange(tracks[other], {}));
    track.push_back(number);
    llvm::sort(track); // in program order
    for (size_t other : track)
      trackOf[other] = tracks.size();
    tracks.push_back(std::move(track));
  }

  ArrayRef<OrderedCall> calls;
  std::vector<bool> done;
  size_t first = 0; // all calls before it are done
  std::vector<CallGroup> groups;
  // State of the group that is being gathered.
  SmallVector<SmallVector<size_t>> tracks;
  DenseMap<size_t, size_t> trackOf;
  DenseSet<Value> arguments;
};

} // namespace

std::vector<CallGroup> ds::gpu::orderCalls(ArrayRef<OrderedCall> calls) {
  return Scheduler(calls).run();
}
