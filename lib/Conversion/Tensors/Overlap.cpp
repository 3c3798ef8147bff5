//===- Overlap.cpp - Overlap exchanges with computation ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each exchange becomes a start and a wait, and the block is reordered: a start runs as soon as its
// operands are computed; then, in program order, operations that need no wait; and when none is
// left, the wait of the oldest start and the operations that it unblocks. So updates follow their
// buckets.
//
// Exchanges on the path of activations (statistics of all samples) are waited for early. So
// operations that lead to the next of these come first, and other operations, such as gradients of
// weights, fill the time while one is in flight.
//
// An operation that overwrites a value stays after all earlier readers of that value: the update of
// a parameter after the readers of the parameter, a start after those of its operands. Otherwise
// bufferization would copy. All these edges lead forward in the original order of the step, so an
// order exists. Linear in operands, except that choosing the next operation takes the logarithm of
// the number of ready ones.
//
//===----------------------------------------------------------------------===//
#include "Utils/TensorMemory.h"
#include "ds/Conversion/Passes.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Dialect/IR/Roles.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringMap.h"

#include <deque>
#include <set>

namespace ds {
#define GEN_PASS_DEF_OVERLAPPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;
using namespace ds;

/// True if the exchange can run concurrently with other operations: memory in flight must not be
/// shared with other values.
static bool canStart(CollectiveOpInterface op) {
  if (!isa<AllReduceOp, ReduceScatterOp, AllGatherOp>(op) || op->getNumResults() == 0)
    return false;
  return llvm::none_of(op->getOperands(), isPart) && llvm::none_of(op->getResults(), becomesPart);
}

static bool isStart(Operation *op) {
  auto collective = dyn_cast<CollectiveOpInterface>(op);
  return collective && collective.isStart();
}

static int64_t bytesOf(CollectiveOpInterface start) {
  int64_t bytes = 0;
  for (Value value : start.getWholes()) {
    auto type = cast<ShapedType>(value.getType());
    bytes += type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  }
  return bytes;
}

namespace {

/// Reorders a block with starts and waits.
class Schedule {
public:
  /// With `gathersOneAhead` parameters are gathered for each use, so each gather waits for the one
  /// before.
  Schedule(func::FuncOp step, std::optional<int64_t> memory, bool gathersOneAhead)
      : step(step), block(step.front()), memory(memory) {
    for (Operation &op : block.without_terminator()) {
      place[&op] = ops.size();
      ops.push_back(&op);
    }
    following.resize(ops.size());
    missing.resize(ops.size());
    needsWait.resize(ops.size());
    leadsToEarly.resize(ops.size());
    addUses();
    addOverwrites();
    addEffects();
    if (gathersOneAhead)
      addTurnsOfGathers();
    // All edges lead forward.
    for (auto [from, successors] : llvm::enumerate(following))
      for (unsigned to : successors)
        needsWait[to] = needsWait[to] || needsWait[from] || isLateWait(from);
    for (unsigned i = ops.size(); i-- > 0;)
      leadsToEarly[i] = isEarlyStart(i) || llvm::any_of(following[i], [&](unsigned next) {
                          return leadsToEarly[next];
                        });
  }

  void run() {
    for (unsigned i = 0; i < ops.size(); ++i)
      if (missing[i] == 0)
        release(i);
    while (true) {
      if (!destinations.empty()) {
        emit(take(destinations)); // so that all gathers that can start are compared
      } else if (!starts.empty()) {
        unsigned next = starts.begin()->second;
        int64_t bytes = bytesOf(cast<CollectiveOpInterface>(ops[next]));
        if (memory && !isEarlyStart(next) && !inFlight.empty() && bytesInFlight + bytes > *memory) {
          emitWait();
          continue;
        }
        starts.erase(starts.begin());
        if (isEarlyStart(next)) {
          early.push_back(waitOf(next));
        } else {
          inFlight.push_back(waitOf(next));
          bytesInFlight += bytes;
        }
        emit(next);
      } else if (!urgent.empty()) {
        emit(take(urgent));
      } else if (!early.empty()) {
        if (!plain.empty()) {
          emit(take(plain));
          continue;
        }
        unsigned wait = early.front();
        early.pop_front();
        emit(wait);
      } else if (!freed.empty()) {
        emit(take(freed));
      } else if (!plain.empty()) {
        emit(take(plain));
      } else if (!inFlight.empty()) {
        emitWait();
      } else {
        return;
      }
    }
  }

private:
  using Ready = std::set<unsigned>; // by position in the original block

  static unsigned take(Ready &ready) {
    unsigned first = *ready.begin();
    ready.erase(ready.begin());
    return first;
  }

  /// Returns the number of the operation of the block that is or contains `op`.
  std::optional<unsigned> numberOf(Operation *op) const {
    Operation *holder = op ? block.findAncestorOpInBlock(*op) : nullptr;
    auto found = place.find(holder);
    return found == place.end() ? std::nullopt : std::optional(found->second);
  }

  void addEdge(unsigned from, unsigned to) {
    following[from].push_back(to);
    ++missing[to];
  }

  void addUses() {
    for (auto [to, op] : llvm::enumerate(ops)) {
      llvm::SmallDenseSet<unsigned> from;
      op->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (auto maker = numberOf(operand.getDefiningOp()); maker && *maker != to)
            from.insert(*maker);
      });
      for (unsigned maker : from)
        addEdge(maker, to);
    }
  }

  /// Returns the operations that use memory of the value.
  llvm::SmallSetVector<unsigned, 8> usersOf(Value value) const {
    SmallVector<Value> shown{value};
    llvm::SmallSetVector<unsigned, 8> users;
    while (!shown.empty())
      for (Operation *user : shown.pop_back_val().getUsers()) {
        if (showsMemoryOf(user))
          shown.push_back(user->getResult(0));
        if (auto number = numberOf(user))
          users.insert(*number);
      }
    return users;
  }

  /// Keeps all operations before `writer` that use memory of the value before it.
  void addReadersBefore(Value value, unsigned writer) {
    for (unsigned reader : usersOf(value))
      if (reader < writer)
        addEdge(reader, writer);
  }

  /// Keeps other operations from using memory of operands in flight. That includes views: a view
  /// may become a copy if its memory is overwritten later.
  void addFlight(unsigned start) {
    unsigned wait = waitOf(start);
    for (Value value : cast<CollectiveOpInterface>(ops[start]).getLeaving())
      for (unsigned user : usersOf(shownBy(value)))
        if (user < start)
          addEdge(user, start);
        else if (user > wait)
          addEdge(wait, user);
  }

  void addOverwrites() {
    for (auto [writer, op] : llvm::enumerate(ops)) {
      if (auto destinations = dyn_cast<DestinationStyleOpInterface>(op))
        for (OpOperand &init : destinations.getDpsInitsMutable())
          addReadersBefore(init.get(), writer);
      else if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
        for (Value init : loop.getInits())
          addReadersBefore(init, writer);
      else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
        addReadersBefore(insert.getDest(), writer);
      else if (auto collective = dyn_cast<CollectiveOpInterface>(op);
               collective && !isa<WaitOp>(op))
        for (OpOperand &written : collective.getWritten())
          addReadersBefore(written.get(), writer);
      if (isStart(op))
        addFlight(writer);
    }
    addUpdates();
  }

  /// The operation that computes the new value of an argument stores it over the argument, so it
  /// follows all readers of the argument.
  void addUpdates() {
    llvm::StringMap<Value> arguments;
    for (unsigned i = 0; i < step.getNumArguments(); ++i)
      if (StringRef name = paramOrState(step, i); !name.empty())
        arguments[name] = step.getArgument(i);
    for (auto [i, value] : llvm::enumerate(block.getTerminator()->getOperands())) {
      auto name = step.getResultAttrOfType<StringAttr>(i, role::updates);
      auto argument = name ? arguments.find(name.getValue()) : arguments.end();
      for (Operation *maker = value.getDefiningOp(); argument != arguments.end() && maker;
           maker = showsMemoryOf(maker) ? maker->getOperand(0).getDefiningOp() : nullptr) {
        // The result of a wait is written from its start on.
        if (auto wait = dyn_cast<WaitOp>(maker))
          maker = wait.getPending().getDefiningOp();
        addReadersBefore(argument->second, *numberOf(maker));
      }
    }
  }

  /// Keeps operations with effects in order, except started exchanges.
  void addEffects() {
    std::optional<unsigned> last;
    for (auto [number, op] : llvm::enumerate(ops)) {
      auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
      if (isStart(op) || isa<WaitOp>(op) || (linalgOp && linalgOp.hasPureTensorSemantics()) ||
          isMemoryEffectFree(op))
        continue;
      if (last)
        addEdge(*last, number);
      last = number;
    }
  }

  /// Starts a gather only after the wait of the one before: while one layer computes, the
  /// parameters of the next one are in flight, and those of a third are not held yet. (FSDP calls
  /// it implicit prefetching.)
  void addTurnsOfGathers() {
    std::optional<unsigned> last;
    for (auto [number, op] : llvm::enumerate(ops)) {
      if (!isa<AllGatherStartOp>(op))
        continue;
      if (last)
        addEdge(waitOf(*last), number);
      last = number;
    }
  }

  unsigned waitOf(unsigned start) const {
    return *numberOf(*ops[start]->getResults().back().user_begin());
  }

  /// Returns the priority of a start among ready ones. Gathers start in the order in which their
  /// parameters are needed, so by layer; others in program order.
  unsigned orderOf(unsigned start) const {
    if (!isa<AllGatherStartOp>(ops[start]))
      return start;
    unsigned first = ops.size();
    for (Value result : ops[waitOf(start)]->getResults())
      for (unsigned user : usersOf(result))
        if (!showsMemoryOf(ops[user]))
          first = std::min(first, user);
    return first;
  }

  /// True for the start of an exchange on the path of activations that does not itself depend on a
  /// late wait.
  bool isEarlyStart(unsigned i) const {
    auto start = dyn_cast<CollectiveOpInterface>(ops[i]);
    return start && start.isStart() && start.getPurpose() == Purpose::Activation && !needsWait[i];
  }
  bool isLateWait(unsigned i) const {
    auto wait = dyn_cast<WaitOp>(ops[i]);
    return wait && !isEarlyStart(place.lookup(wait.getPending().getDefiningOp()));
  }

  /// True for an empty tensor that only gathers write.
  bool isDestination(unsigned i) const {
    return isa<tensor::EmptyOp>(ops[i]) &&
           llvm::all_of(ops[i]->getUsers(), llvm::IsaPred<AllGatherStartOp>);
  }

  void release(unsigned i) {
    if (isStart(ops[i]))
      starts.insert({orderOf(i), i});
    else if (isDestination(i))
      destinations.insert(i);
    else if (!isa<WaitOp>(ops[i])) // waits are emitted in their turn
      (needsWait[i] ? freed : leadsToEarly[i] ? urgent : plain).insert(i);
  }

  void emit(unsigned i) {
    ops[i]->moveBefore(block.getTerminator());
    for (unsigned next : following[i])
      if (--missing[next] == 0)
        release(next);
  }

  void emitWait() {
    unsigned wait = inFlight.front();
    inFlight.pop_front();
    bytesInFlight -=
        bytesOf(cast<WaitOp>(ops[wait]).getPending().getDefiningOp<CollectiveOpInterface>());
    emit(wait);
  }

  func::FuncOp step;
  Block &block;
  std::optional<int64_t> memory;
  std::vector<Operation *> ops; // in the original order of the step
  DenseMap<Operation *, unsigned> place;
  std::vector<SmallVector<unsigned, 4>> following;
  std::vector<unsigned> missing;  // number of operations that must come before
  std::vector<char> needsWait;    // for a gradient or another late exchange
  std::vector<char> leadsToEarly; // to an early start
  Ready destinations, urgent, plain, freed;
  std::set<std::pair<unsigned, unsigned>> starts; // by their order
  std::deque<unsigned> early, inFlight;           // waits of exchanges in flight, the oldest first
  int64_t bytesInFlight = 0;                      // of `inFlight`
};

struct Overlap final : ds::impl::OverlapPassBase<Overlap> {
  void runOnOperation() final {
    func::FuncOp step = getOperation();
    FailureOr<Config> config = getConfig(step->getParentOfType<ModuleOp>());
    if (failed(config))
      return signalPassFailure();
    if (step.isExternal() || !step.getBody().hasOneBlock() || !config->overlaps())
      return;
    SmallVector<CollectiveOpInterface> exchanges(
        llvm::make_filter_range(step.front().getOps<CollectiveOpInterface>(), canStart));
    if (exchanges.empty())
      return;
    for (CollectiveOpInterface op : exchanges)
      split(op);
    Schedule(step, config->overlapMemory(), config->optimizerLevel() == OptimizerLevel::Level3)
        .run();
  }

  static void split(CollectiveOpInterface op) {
    OpBuilder builder(op);
    OperationState state(op.getLoc(), (op->getName().getStringRef() + "_start").str());
    state.addOperands(op->getOperands());
    state.addTypes(op->getResultTypes());
    state.addTypes(PendingType::get(op.getContext()));
    state.addAttributes(op->getAttrDictionary().getValue());
    auto start = cast<CollectiveOpInterface>(builder.create(state));
    remark::passed(op.getLoc(), remark::RemarkOpts::name("Started").category("ds-overlap"))
        << "overlaps what follows" << remark::metric("bytes", bytesOf(start));
    auto wait = WaitOp::create(builder, op.getLoc(), start->getResults().back(),
                               start.getReceiving(), start.getLeaving());
    op->replaceAllUsesWith(wait.getResults());
    op->erase();
  }
};

} // namespace
