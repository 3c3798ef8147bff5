//===- PropagateBackward.cpp - Compute only the rank's part of whole values ----===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mask of the whole batch is placed as replicated, so every rank would compute all of it. One
// backward sweep gives its producers the placement that its uses want; linear in the number of
// operands.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/PlacementAnalysis.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace ds {

/// Returns the one shard in which all uses want the value, or can consume it.
static std::optional<Sharding> requiredShard(Value value, const StepPlacement &state,
                                             CanConsumeShard canConsume) {
  std::optional<Sharding> required;
  SmallVector<OpOperand *> others;
  for (OpOperand &use : value.getUses()) {
    auto it = state.required.find(&use);
    if (it == state.required.end())
      others.push_back(&use);
    else if (!it->second.isSharded() || (required && *required != it->second.sharding))
      return std::nullopt;
    else
      required = it->second.sharding;
  }
  if (!required ||
      llvm::all_of(others, [&](OpOperand *use) { return canConsume(*use, *required); }))
    return required;
  return std::nullopt;
}

/// True if an all-reduce of which every rank wants only its shard can give that instead of the
/// whole (it becomes a reduce-scatter).
static bool canScatter(AllReduceOp op, const ReplicaGroup &ranks) {
  return op && op->getNumOperands() == 1 && ranks.meets(op);
}

/// True if `op` is a collective of ranks that hold different shards: these ranks, or ranks given by
/// a list.
static bool meetWithShards(Operation *op, const ReplicaGroup &ranks) {
  return isCollective(op) && ranks.mayMeet(op);
}

/// True if each operand is replicated or already has the shard required of it; an annotation may be
/// on memory that holds nothing yet.
static bool canTake(const StepFlow &flow, Operation *op,
                    const llvm::DenseMap<OpOperand *, Sharding> &wants,
                    const StepPlacement &state) {
  return llvm::all_of(flow.operands(op), [&](OpOperand *operand) {
    auto it = wants.find(operand);
    Placement made = state.of(operand->get());
    return !state.required.count(operand) &&
           (made.isReplicated() || (it != wants.end() && made == Placement::sharded(it->second)));
  });
}

/// Places `value`, which is made as `required` or from operands already required as shards.
static void placeDemanded(Value value, const Sharding &required, StepPlacement &state) {
  state.placements[value] = Placement::sharded(required);
  for (OpOperand &use : value.getUses())
    state.required.erase(&use);
}

/// Requires of the values that branches yield what is required of their results. `last` is the
/// terminator of the last branch, which the backward sweep meets first.
static void demandOfBranches(const StepFlow &flow, Operation *last, StepPlacement &state,
                             CanConsumeShard canConsume) {
  for (Value result : last->getParentOp()->getResults()) {
    ArrayRef<OpOperand *> sources = flow.sources(result);
    bool allHave = state.of(result).isReplicated() && llvm::all_of(sources, [&](OpOperand *source) {
                     return state.of(source->get()).isReplicated();
                   });
    std::optional<Sharding> required =
        allHave ? requiredShard(result, state, canConsume) : std::nullopt;
    if (!required)
      continue;
    placeDemanded(result, *required, state);
    for (OpOperand *source : sources)
      state.required[source] = Placement::sharded(*required);
  }
}

/// True if the operation terminates the last branch of an operation that runs one of several.
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
      continue; // an annotation decides
    Value result = op->getResult(0);
    if (!state.of(result).isReplicated() || !isa<RankedTensorType>(result.getType()))
      continue;
    std::optional<Sharding> required = requiredShard(result, state, canConsume);
    if (!required)
      continue;
    llvm::DenseMap<OpOperand *, Sharding> wants;
    if (meetWithShards(op, state.ranks)) {
      if (!canScatter(dyn_cast<AllReduceOp>(op), state.ranks))
        continue;
    } else if (!demandByRule(op, *required, wants) || !canTake(flow, op, wants, state)) {
      continue;
    }
    placeDemanded(result, *required, state);
    for (auto [operand, sharding] : wants)
      if (state.of(operand->get()).isReplicated())
        state.required[operand] = Placement::sharded(sharding);
  }
}

} // namespace ds
