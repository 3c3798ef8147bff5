//===- RowChain.cpp - Merge kernels that share their rows -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each operation keeps its scheme, and so the order of its additions; its threads loop over the
// results of the block's rows. Values pass from one operation to the next in global memory, where
// the threads of a block see them after a barrier.
//
//===----------------------------------------------------------------------===//
#include "RowChain.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ds::gpu;

static constexpr int64_t enoughBlocks = 264; // two on each multiprocessor of a large GPU
static constexpr int64_t mostRows = 32;      // of a block

namespace {

/// How threads loop over the results of some rows.
struct RowWork {
  int64_t width;   // results that a thread computes at once
  int64_t count;   // groups of `width` results in a block
  int64_t step;    // groups that threads, warps or the block compute concurrently
  int64_t threads; // threads per group
};

} // namespace

static RowWork workOf(const KernelLoops &loops, Scheme scheme, int64_t rows, int64_t perBlock) {
  const int64_t results = loops.points() / rows * perBlock;
  if (scheme == Scheme::warp)
    return {1, results, kRows, kWarp};
  if (scheme == Scheme::block)
    return {1, results, 1, kThreads};
  const int64_t width = scheme == Scheme::flat ? flatWidth(loops, loops.points() / rows) : 1;
  return {width, results / width, kThreads, 1};
}

int64_t ds::gpu::blocksAlone(const KernelLoops &loops, Scheme scheme) {
  RowWork work = workOf(loops, scheme, 1, 1);
  return blocksFor(work.count, work.step);
}

void KernelBuilder::buildRows(Scheme scheme, mlir::gpu::GPUFuncOp into, const IRMapping &known,
                              ArrayRef<Value> memory, int64_t rows, int64_t perBlock) {
  current = into;
  outer = known;
  shared.assign(memory.begin(), memory.end());
  b.setInsertionPointToEnd(&into.getBody().front());
  const RowWork work = workOf(loops, scheme, rows, perBlock);
  const bool isEven = rows % perBlock == 0;
  Value first = times(blockNumber(), work.count);
  Value stop = index(work.count);
  if (!isEven)
    stop = arith::MinUIOp::create(
        b, loc, stop,
        arith::SubIOp::create(b, loc, index(loops.points() / work.width), first).getResult());
  auto write = [&](Value place) {
    Value number = plus(first, place);
    if (scheme == Scheme::flat)
      flatPoints(number, work.width);
    else if (scheme == Scheme::serial)
      serialResult(number);
    else if (scheme == Scheme::warp)
      warpResult(number);
    else
      blockResult(number);
  };
  if (scheme == Scheme::block && work.count == 1)
    return write(index(0));
  Value from = scheme == Scheme::block  ? index(0)
               : scheme == Scheme::warp ? warpNumber()
                                        : thread();
  if (work.count == work.step && isEven)
    return write(from);
  if (work.count <= work.step && scheme != Scheme::block)
    return ifTrue(isLess(from, stop), [&] { write(from); });
  loop(from, stop, work.step, {}, [&](Value place, ValueRange) -> Values {
    write(place);
    if (scheme == Scheme::block) // the next result uses the same memory
      mlir::gpu::BarrierOp::create(b, loc);
    return {};
  });
}

/// Returns the rows per block: as many as keep most threads busy in the operation that needs the
/// fewest, doubled for the others while there are enough blocks.
static int64_t rowsOfBlock(ArrayRef<std::pair<KernelLoops, Scheme>> parts, int64_t rows) {
  int64_t fewest = mostRows, most = 1;
  for (const auto &[loops, scheme] : parts) {
    RowWork work = workOf(loops, scheme, rows, 1);
    int64_t wanted = std::clamp<int64_t>(work.step / std::max<int64_t>(work.count, 1), 1, mostRows);
    fewest = std::min(fewest, wanted);
    most = std::max(most, wanted);
  }
  while (fewest < most && rows / (2 * fewest) >= enoughBlocks)
    fewest *= 2;
  return std::min(fewest, rows);
}

FailureOr<Launch> ds::gpu::buildRowChain(func::FuncOp kernel, mlir::gpu::GPUModuleOp module) {
  const int64_t rows = kernel->getAttrOfType<IntegerAttr>(kRowChain).getInt();
  std::vector<std::pair<KernelLoops, Scheme>> parts;
  for (auto op : kernel.front().getOps<linalg::GenericOp>()) {
    FailureOr<KernelLoops> loops = readLoops(op);
    if (failed(loops))
      return failure();
    parts.emplace_back(*loops, chooseScheme(*loops));
  }
  const int64_t perBlock = rowsOfBlock(parts, rows);
  Launch launch = {kernel.getName().str(), "rows", blocksFor(rows, perBlock), kThreads, 1, 0};
  // Operations use the memory of a block one after another.
  SmallVector<Type> memory;
  SmallVector<SmallVector<Type>> needed;
  for (const auto &[loops, scheme] : parts) {
    RowWork work = workOf(loops, scheme, rows, perBlock);
    launch.rounds += llvm::divideCeil(work.count, work.step) *
                     llvm::divideCeil(loops.rounds(), work.threads) * work.width;
    SmallVector<Type> &types = needed.emplace_back();
    if (scheme == Scheme::block)
      types = KernelBuilder(kernel, loops, module, 0).memoryOfBlock();
    for (Type type : types)
      if (llvm::count(memory, type) < llvm::count(types, type))
        memory.push_back(type);
  }
  mlir::gpu::GPUFuncOp made = createFunction(kernel, module, launch, {}, memory);
  Block &body = made.getBody().front();
  OpBuilder builder = OpBuilder::atBlockEnd(&body);
  IRMapping known;
  known.map(kernel.getArguments(), body.getArguments().take_front(kernel.getNumArguments()));
  size_t number = 0;
  bool isUsed = false; // the memory of a block, since the last barrier
  for (Operation &op : kernel.front().without_terminator()) {
    if (!isa<linalg::GenericOp>(op)) {
      builder.clone(op, known);
      isUsed &= !isa<mlir::gpu::BarrierOp>(op);
      continue;
    }
    const auto &[loops, scheme] = parts[number];
    SmallVector<Value> taken;
    for (Type type : needed[number])
      for (Value place : made.getWorkgroupAttributions())
        if (place.getType() == type && !llvm::is_contained(taken, place)) {
          taken.push_back(place);
          break;
        }
    if (isUsed && !taken.empty()) {
      mlir::gpu::BarrierOp::create(builder, op.getLoc());
      isUsed = false;
    }
    KernelBuilder(kernel, loops, module, 0).buildRows(scheme, made, known, taken, rows, perBlock);
    isUsed |= !taken.empty();
    ++number;
  }
  builder.setInsertionPointToEnd(&body);
  mlir::gpu::ReturnOp::create(builder, kernel.getLoc());
  return launch;
}
