//===- StrategyCosts.cpp - Costs of sharded operations and moves ----------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StrategyCosts.h"

#include "ds/Analysis/Reshard.h"
#include "ds/Analysis/WorkCosts.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace ds {

/// Saturates, so that thousands of costs can be added.
static int64_t bounded(__int128 cost) {
  constexpr int64_t most = int64_t(1) << 40;
  return cost > most ? most : static_cast<int64_t>(cost);
}

/// True if the ranks of the batch, which reduce the value, keep one shard each.
bool StrategyCosts::isScattered(Value value) const {
  return task.ofUpdate.contains(value) && task.combinedOverBatch.contains(value);
}

/// Returns into how many parts the ranks of the batch shard a value. A parameter that they shard is
/// replicated where samples meet it, and so is a gradient until it is reduced.
int64_t StrategyCosts::batchParts(Value value) const {
  bool sharded =
      task.ofSamples.contains(value) ||
      (task.ofUpdate.contains(value) && !isa<BlockArgument>(value) && !isScattered(value));
  return sharded ? task.batchRanks : 1;
}

/// Bytes of one rank.
int64_t StrategyCosts::bytesOf(Value value, const Placement &placement) const {
  if (!getElementTypeOrSelf(value).isIntOrIndexOrFloat())
    return 0;
  int64_t parts = placement.isSharded() ? n : 1;
  return getWireBytes(value) / parts / batchParts(value);
}

int64_t StrategyCosts::ofMove(Value value, const Placement &from, const Placement &to) const {
  if (moved != value) { // callers ask for one value in several placements in turn
    moved = value;
    movedBytes = bytesOf(value, Placement::replicated());
    movedTrips = flow.tripCount(value);
  }
  int64_t whole = movedBytes;
  // Blocks that are not contiguous are packed: each is read and written once more.
  auto packed = [&](const Placement &shard, int64_t bytes) -> int64_t {
    bool lies = !shard.isSharded() || (shard.sharding.dim == 0 && shard.sharding.a == 1);
    return lies ? 0 : task.costs.ofWork(0, 2 * bytes);
  };
  auto total = [&](__int128 cost) { return bounded(cost * movedTrips); };
  auto rounds = [&](int64_t count, const Placement &shard) {
    return total(task.costs.ofMessages(count * (n - 1), whole / n) + packed(shard, whole));
  };
  switch (getMove(from, to, n)) {
  case Move::None:
  case Move::Slice:
    return 0;
  case Move::AllGather:
  case Move::GatherAndSlice:
    return rounds(1, from);
  case Move::ReduceScatter: // a slice of a replicated value costs no more
    return std::min(rounds(1, to), rounds(2, Placement::replicated()));
  case Move::AllReduce:
    return rounds(2, to);
  case Move::AllToAll: // at most the cost of the moves it replaces
    return std::min(rounds(1, from), total(task.costs.ofMessages(n - 1, whole / (n * n)) +
                                           packed(from, whole / n) + packed(to, whole / n)));
  }
  llvm_unreachable("all moves are covered");
}

/// Cost of a collective of ranks along other axes, which `ofMove` no longer sees.
int64_t StrategyCosts::ofOthers(CollectiveOpInterface op) const {
  int64_t ranks = getGroupSize(op, op->getAttr("group")).value_or(1), bytes = 0;
  for (Value value : op.getWholes())
    bytes += bytesOf(value, Placement::replicated());
  Messages messages = getMessages(op, ranks, bytes);
  __int128 cost = task.costs.ofMessages(messages.count, messages.bytes);
  return bounded(cost * flow.tripCount(op->getResult(0)));
}

int64_t StrategyCosts::ofWork(Operation *op, ArrayRef<Placement> operands,
                              ArrayRef<Placement> results, bool sharded) const {
  if (auto collective = dyn_cast<CollectiveOpInterface>(op))
    return ranks.meets(op) ? 0 : ofOthers(collective);
  if (worked != op) { // callers ask for one operation sharded in several ways in turn
    worked = op;
    workedFlops = flopsOf(op);
    workedTrips = workedFlops ? flow.tripCount(op->getResult(0)) : 1;
  }
  if (!workedFlops)
    return 0;
  int64_t bytes = 0, written = 0;
  bool byBatch = false, makesShards = false;
  for (auto [result, placement] : llvm::zip(op->getResults(), results)) {
    byBatch |= batchParts(result) > 1;
    makesShards |= task.ofUpdate.contains(result) && !isScattered(result);
    written += bytesOf(result, placement);
  }
  for (auto [operand, placement] : llvm::zip(flow.operands(op), operands)) {
    bool scattered = isScattered(operand->get());
    byBatch |= scattered || batchParts(operand->get()) > 1;
    if (!isa<RankedTensorType>(operand->get().getType()))
      continue;
    int64_t read = bytesOf(operand->get(), placement);
    if (scattered || (makesShards && batchParts(operand->get()) == 1))
      read /= task.batchRanks;
    // From a table or the source of a slice, no more is read than is produced.
    bool inParts = operand->getOwner() != op || isa<tensor::ExtractSliceOp>(op);
    bytes += inParts ? std::min(read, written) : read;
  }
  bytes += written;
  int64_t parts = (sharded ? n : 1) * (byBatch ? task.batchRanks : 1);
  return bounded(static_cast<__int128>(task.costs.ofWork(*workedFlops / parts, bytes)) *
                 workedTrips);
}

int64_t StrategyCosts::ofBatch(Value value, const Placement &made) const {
  if (!task.combinedOverBatch.contains(value) || task.batchRanks == 1)
    return 0;
  int64_t whole = bytesOf(value, made), n = task.batchRanks;
  if (!isScattered(value))
    return bounded(__int128(task.costs.ofBytes(2 * (n - 1), whole / n)) * flow.tripCount(value));
  // A reduce-scatter, which is not bucketed.
  return bounded(__int128(task.costs.ofMessages(n - 1, whole / n)) * flow.tripCount(value));
}

int64_t StrategyCosts::ofGathers(Value argument, const Placement &made) const {
  int64_t n = task.batchRanks, times = task.gathered.lookup(argument);
  return times == 0 ? 0 : times * task.costs.ofMessages(n - 1, bytesOf(argument, made) / n);
}

int64_t StrategyCosts::ofHolding(Value argument, const Placement &made) const {
  if (task.heldByte == 0)
    return 0;
  __int128 bytes = getStoredBytes(argument) / (made.isSharded() ? n : 1);
  return bounded(bytes * task.heldByte / 1000 /
                 (task.ofUpdate.contains(argument) ? task.batchRanks : batchParts(argument)));
}

} // namespace ds
