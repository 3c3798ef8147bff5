//===- Reshard.cpp - From one placement to another ------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One shard becomes another by an exchange of blocks or, where the sub-axes of the two overlap,
// through the replicated value.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/Reshard.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ds {

/// True if every rank has a block for every other one: the digit that numbers the old owners is not
/// among those that number the new ones.
static bool canExchange(const Sharding &from, const Sharding &to, int64_t n) {
  return canExchangeBlocks({from.dim, from.a, from.b}, {to.dim, to.a, to.b}, n);
}

Move getMove(const Placement &from, const Placement &to, int64_t n) {
  if (from.kind == to.kind && (!from.isSharded() || from.sharding == to.sharding))
    return Move::None;
  switch (from.kind) {
  case Placement::Replicated:
    return to.isSharded() ? Move::Slice : Move::None;
  case Placement::Sharded:
    if (!to.isSharded())
      return Move::AllGather;
    return canExchange(from.sharding, to.sharding, n) ? Move::AllToAll : Move::GatherAndSlice;
  case Placement::Partial:
    return to.isSharded() ? Move::ReduceScatter : Move::AllReduce;
  case Placement::Varying:
    return Move::None;
  }
  llvm_unreachable("all placements are covered");
}

/// Saturates at 2^50: above it, all figures count as equal.
static int64_t bytesInLoops(int64_t bytes, int64_t tripCount) {
  constexpr int64_t most = int64_t(1) << 50; // thousands of them can be added
  int64_t product;
  return llvm::MulOverflow(bytes, tripCount, product) ? most : std::min(product, most);
}

/// Returns bytes * times / n, rounded up.
static int64_t share(int64_t bytes, int64_t times, int64_t n) {
  return bytes / n * times + llvm::divideCeil(bytes % n * times, n);
}

/// Bytes that each of n ranks sends, if no byte travels twice through the same link.
static int64_t getSentBytes(Value value, Move move, int64_t n) {
  switch (move) {
  case Move::None:
  case Move::Slice:
    return 0;
  case Move::AllGather:
  case Move::GatherAndSlice:
    return share(getStoredBytes(value), n - 1, n);
  case Move::AllToAll:
    return share(getStoredBytes(value) / n, n - 1, n);
  case Move::AllReduce:
    return share(getWireBytes(value), 2 * (n - 1), n);
  case Move::ReduceScatter:
    return share(getWireBytes(value), n - 1, n);
  }
  llvm_unreachable("all moves are covered");
}

Messages getMessages(CollectiveOpInterface op, int64_t ranks, int64_t bytes) {
  if (op.getSources())
    return {ranks > 1 ? 1 : 0, bytes};
  bool isReduced = op.getKind() && !op.hasParts(); // scattered, and gathered
  return {(isReduced ? 2 : 1) * (ranks - 1), bytes / std::max<int64_t>(1, ranks)};
}

MovePrice getPrice(const StepFlow &flow, Value value, Move move, int64_t n) {
  if (move == Move::None || move == Move::Slice)
    return {};
  int64_t tripCount = flow.tripCount(value);
  int64_t bytes = getWireBytes(value) / (move == Move::AllToAll ? n : 1);
  return {bytesInLoops(bytes, tripCount), bytesInLoops(getSentBytes(value, move, n), tripCount),
          tripCount};
}

} // namespace ds
