//===- PlanRounds.cpp - What each loop of an attention computes --* -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Rounds.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace ds;

/// A block has about this many pairs, so that it is in the cache while it is computed.
static constexpr int64_t pairsOfBlock = 1 << 16;
static constexpr int64_t leastQueries = 32;
/// Groups of blocks for a causal mask. Each has kernels of its own; with g groups the part
/// (g - 1) / 2g of all pairs is not computed.
static constexpr int64_t mostGroups = 4;
SmallVector<Group> ds::groupsOf(const AttentionRegion &region) {
  int64_t size = std::min(region.queries, std::max(leastQueries, pairsOfBlock / region.keys));
  for (int64_t even = size; even >= std::max<int64_t>(size / 2, 1); --even)
    if (region.queries % even == 0) {
      size = even;
      break;
    }
  const int64_t blocks = region.queries / size, rest = region.queries % size;
  const bool isCausal = ignoresLaterKeys(region);
  const int64_t groups = isCausal ? std::min(mostGroups, blocks) : 1;
  SmallVector<Group> result;
  auto keysUpTo = [&](int64_t end) { return isCausal ? std::min(end, region.keys) : region.keys; };
  for (int64_t g = 0; g < groups; ++g) {
    const int64_t first = blocks * g / groups, last = blocks * (g + 1) / groups;
    result.push_back({first * size, last - first, size, keysUpTo(last * size)});
  }
  if (rest)
    result.push_back({blocks * size, 1, rest, keysUpTo(region.queries)});
  return result;
}

namespace {

/// True for a result, or a row, that an operation outside reads.
bool isOutput(const AttentionRegion &region, Operation *op) {
  return region.isStored(op) &&
         llvm::any_of(op->getUsers(), [&](Operation *user) { return !region.ops.contains(user); });
}

llvm::SetVector<Value> readsOf(Operation *op) {
  llvm::SetVector<Value> reads;
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    reads.insert(generic.getInputs().begin(), generic.getInputs().end());
  else
    reads.insert(op->getOperand(0));
  getUsedValuesDefinedAbove(op->getRegions(), reads);
  return reads;
}

/// Collects what a round computes for `op`, and what it reads of rounds before.
void collect(const AttentionRegion &region, Operation *op, unsigned round,
             llvm::SetVector<Operation *> &needed, llvm::SmallPtrSetImpl<Operation *> &read) {
  if (!needed.insert(op))
    return;
  for (Value value : readsOf(op)) {
    if (!region.contains(value))
      continue;
    Operation *def = value.getDefiningOp();
    if (region.isStored(def) && region.rounds.lookup(def) != round)
      read.insert(def);
    else
      collect(region, def, round, needed, read);
  }
}

} // namespace

std::optional<SmallVector<Round>> ds::planRounds(const AttentionRegion &region) {
  Block *block = region.ops.front().first->getBlock();
  SmallVector<Round> rounds(region.numRounds);
  llvm::SmallPtrSet<Operation *, 8> read; // by later rounds, whose operations come first
  for (unsigned number = region.numRounds; number-- > 0;) {
    llvm::SetVector<Operation *> needed;
    for (auto &[op, axes] : region.ops)
      if (region.rounds.lookup(op) == number && (isOutput(region, op) || read.contains(op))) {
        rounds[number].outputs.push_back(op);
        collect(region, op, number, needed, read);
      }
    rounds[number].ops = needed.takeVector();
    llvm::sort(rounds[number].ops,
               [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  }
  Operation *after = nullptr;
  for (Round &round : rounds) {
    for (Operation *op : round.ops)
      for (Value value : readsOf(op)) {
        Operation *def = value.getDefiningOp();
        if (!def || region.contains(value))
          continue;
        def = block->findAncestorOpInBlock(*def);
        if (def && (!after || after->isBeforeInBlock(def)))
          after = def;
      }
    round.after = after;
    for (Operation *op : round.outputs)
      for (Operation *user : op->getUsers()) {
        Operation *reader = block->findAncestorOpInBlock(*user);
        if (!region.ops.contains(reader) && after && !after->isBeforeInBlock(reader))
          return std::nullopt;
      }
  }
  return rounds;
}
