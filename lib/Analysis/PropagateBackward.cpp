//===- PropagateBackward.cpp - Compute only the rank's part of whole values ----===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mask of the whole batch comes out replicated and would be computed whole by every rank. One
// sweep backward gives it to its producers what its uses want; linear in the number of operands.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/PlacementAnalysis.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace ds {

/// The one shard in which all uses want the value, or can take it.
static std::optional<Sharding> wantedShard(Value value, const StepPlacement &state,
                                           CanConsumeShard canConsume) {
  std::optional<Sharding> wanted;
  SmallVector<OpOperand *> others;
  for (OpOperand &use : value.getUses()) {
    auto it = state.wanted.find(&use);
    if (it == state.wanted.end())
      others.push_back(&use);
    else if (!it->second.isSharded() || (wanted && *wanted != it->second.sharding))
      return std::nullopt;
    else
      wanted = it->second.sharding;
  }
  if (!wanted || llvm::all_of(others, [&](OpOperand *use) { return canConsume(*use, *wanted); }))
    return wanted;
  return std::nullopt;
}

/// A reduction of which every rank wants its shard hands that out instead of all (it becomes a
/// reduce-scatter).
static bool canScatter(AllReduceOp op, const ReplicaGroup &ranks) {
  return op && op->getNumOperands() == 1 && ranks.meets(op);
}

/// Whether ranks meet in `op` that hold different shards: these, or some that are listed.
static bool meetWithShards(Operation *op, const ReplicaGroup &ranks) {
  return isCollective(op) && ranks.mayMeet(op);
}

/// Whether each operand is whole, or is the shard that is wanted of it: a mark may stand on memory
/// that holds nothing yet.
static bool canTake(const StepFlow &flow, Operation *op,
                    const llvm::DenseMap<OpOperand *, Sharding> &wants,
                    const StepPlacement &state) {
  return llvm::all_of(flow.operands(op), [&](OpOperand *operand) {
    auto it = wants.find(operand);
    Placement made = state.of(operand->get());
    return !state.wanted.count(operand) &&
           (made.isReplicated() || (it != wants.end() && made == Placement::sharded(it->second)));
  });
}

/// Gives `value`, which is made as `wanted` or of shards that are wanted already, its placement.
static void placeDemanded(Value value, const Sharding &wanted, StepPlacement &state) {
  state.placements[value] = Placement::sharded(wanted);
  for (OpOperand &use : value.getUses())
    state.wanted.erase(&use);
}

/// What branches yield is wanted as what they make is. `last` is the terminator of the last branch,
/// which comes first in the sweep.
static void demandOfBranches(const StepFlow &flow, Operation *last, StepPlacement &state,
                             CanConsumeShard canConsume) {
  for (Value result : last->getParentOp()->getResults()) {
    ArrayRef<OpOperand *> sources = flow.sources(result);
    bool allHave = state.of(result).isReplicated() && llvm::all_of(sources, [&](OpOperand *source) {
                     return state.of(source->get()).isReplicated();
                   });
    std::optional<Sharding> wanted =
        allHave ? wantedShard(result, state, canConsume) : std::nullopt;
    if (!wanted)
      continue;
    placeDemanded(result, *wanted, state);
    for (OpOperand *source : sources)
      state.wanted[source] = Placement::sharded(*wanted);
  }
}

/// Whether the operation ends the last branch of one that takes one of several.
static bool endsBranches(Operation *op) {
  return op->hasTrait<OpTrait::IsTerminator>() &&
         isa<scf::IfOp, scf::IndexSwitchOp>(op->getParentOp()) &&
         op->getParentRegion() == &op->getParentOp()->getRegions().back();
}

void propagateBackward(const StepFlow &flow, StepPlacement &state, CanConsumeShard canConsume) {
  for (Operation *op : llvm::reverse(flow.operations())) {
    if (endsBranches(op))
      demandOfBranches(flow, op, state, canConsume);
    if (op->getNumResults() != 1 || (isa<ShardingConstraintOp>(op) && !state.ranks.dividesBatch))
      continue; // a mark decides
    Value result = op->getResult(0);
    if (!state.of(result).isReplicated() || !isa<RankedTensorType>(result.getType()))
      continue;
    std::optional<Sharding> wanted = wantedShard(result, state, canConsume);
    if (!wanted)
      continue;
    llvm::DenseMap<OpOperand *, Sharding> wants;
    if (meetWithShards(op, state.ranks)) {
      if (!canScatter(dyn_cast<AllReduceOp>(op), state.ranks))
        continue;
    } else if (!demandByRule(op, *wanted, wants) || !canTake(flow, op, wants, state)) {
      continue;
    }
    placeDemanded(result, *wanted, state);
    for (auto [operand, sharding] : wants)
      if (state.of(operand->get()).isReplicated())
        state.wanted[operand] = Placement::sharded(sharding);
  }
}

} // namespace ds
