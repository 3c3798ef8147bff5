//===- ShardedUpdate.cpp - Which values of an update are shards -----------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Backward first: new values are wanted as shards, and so is what they are made of, up to the
// all-reduces of gradients, which become reduce-scatters (PropagateBackward.cpp). A gradient that
// is also read by a norm is one of them, since a norm of shards is a sum over ranks. Then forward:
// what follows from the shards by the rules of the operations. Sums over shards are cut as those
// over samples are (ReductionNetwork.cpp).
//
//===----------------------------------------------------------------------===//
#include "ShardedUpdate.h"

#include "Utils/CreateAllReduce.h"
#include "Utils/RankDependence.h"

#include "ds/Analysis/Cut/ReductionNetwork.h"
#include "ds/Analysis/Reshard.h"
#include "ds/Analysis/Rewrite/MaskReplicated.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace ds {

bool followsOperands(const StepFlow &flow, const StepPlacement &placement, Operation *op) {
  return !flow.isControl(op) && !op->hasTrait<OpTrait::IsTerminator>() &&
         !isa<CollectiveOpInterface>(op) && llvm::none_of(op->getResults(), [&](Value value) {
           return placement.of(value).isVarying();
         });
}

static bool canConsumeShard(const StepFlow &flow, const StepPlacement &placement, OpOperand &use,
                            const Sharding &sharding, llvm::SmallPtrSetImpl<OpOperand *> &seen) {
  if (!seen.insert(&use).second) // and it did: one that does not ends the search
    return true;
  Operation *op = flow.unitOf(use.getOwner());
  if (!op || !followsOperands(flow, placement, op))
    return false;
  auto view = [&](OpOperand &operand) {
    return operand.get() == use.get() ? Placement::sharded(sharding) : placement.of(operand.get());
  };
  PlacementRule rule(op, flow.operands(op), placement.ranks, view);
  placeOperation(op, rule);
  if (rule.reason ||
      llvm::any_of(rule.wanted, [](const auto &entry) { return entry.second.isReplicated(); }))
    return false;
  return llvm::all_of(llvm::zip(op->getResults(), rule.results), [&](auto each) {
    auto [result, at] = each;
    if (at.isPartial()) // what is combined instead is not of the size of what is not
      return getWireBytes(result) * 4 <= getWireBytes(use.get());
    return at.isSharded() && llvm::all_of(result.getUses(), [&, at = at](OpOperand &next) {
             return canConsumeShard(flow, placement, next, at.sharding, seen);
           });
  });
}

bool canConsumeShard(const StepFlow &flow, const StepPlacement &placement, OpOperand &use,
                     const Sharding &sharding) {
  llvm::SmallPtrSet<OpOperand *, 8> seen;
  return canConsumeShard(flow, placement, use, sharding, seen);
}

/// Uses that cannot take this shard read the gathered value.
static void placeArgument(const StepFlow &flow, BlockArgument argument, const Sharding &sharding,
                          StepPlacement &placement) {
  Placement held = Placement::sharded(sharding);
  for (OpOperand &use : argument.getUses()) {
    auto it = placement.wanted.find(&use);
    if (it != placement.wanted.end() && it->second == held)
      placement.wanted.erase(it);
    else if (it == placement.wanted.end() && !canConsumeShard(flow, placement, use, sharding))
      placement.wanted[&use] = Placement::replicated();
  }
  placement.placements[argument] = held;
}

void placeUpdate(const StepFlow &flow, const DividedArguments &divided, StepPlacement &placement) {
  for (const StepResult &result : getStepResults(flow.step())) {
    auto found = divided.find(result.parameter ? result.parameter : result.state);
    if (found != divided.end() && placement.of(result.operand->get()).isReplicated())
      placement.wanted[result.operand] = Placement::sharded(found->second.sharding);
  }
  propagateBackward(flow, placement, [&](OpOperand &use, const Sharding &sharding) {
    return canConsumeShard(flow, placement, use, sharding);
  });
  for (const auto &[argument, how] : divided)
    placeArgument(flow, argument, how.sharding, placement);
}

ShardedUpdate::ShardedUpdate(const StepFlow &flow, const ReplicaGroup &ranks,
                             const DividedArguments &divided)
    : flow(flow), placements(plan.placement) {
  placements.ranks = ranks;
  setVarying();
  placeUpdate(flow, divided, placements);
  follow();
  cutNetwork(flow, {}, plan);
}

void ShardedUpdate::setVarying() {
  func::FuncOp step = flow.step();
  ArrayAttr axes = placements.ranks.axes;
  RankDependence dependence(step, axes ? cast<StringAttr>(axes[0]) : StringAttr());
  auto set = [&](Value value) {
    if (dependence.differs(value))
      placements.placements[value] = Placement::varying();
  };
  llvm::for_each(step.getArguments(), set);
  for (Operation *op : flow.operations()) {
    llvm::for_each(op->getResults(), set);
    if (flow.isControl(op))
      for (Region &region : op->getRegions())
        llvm::for_each(region.getArguments(), set);
  }
}

Placement ShardedUpdate::taken(OpOperand &operand) const {
  auto it = placements.wanted.find(&operand);
  return it != placements.wanted.end() ? it->second : placements.of(operand.get());
}

/// False if the rule of the operation does not know such operands.
bool ShardedUpdate::place(Operation *op) {
  PlacementRule rule(op, flow.operands(op), placements.ranks,
                     [&](OpOperand &operand) { return taken(operand); });
  placeOperation(op, rule);
  if (!rule.reason)
    placements.record(rule);
  return !rule.reason;
}

void ShardedUpdate::follow() {
  for (Operation *op : flow.operations()) {
    bool isDemanded = llvm::any_of(op->getResults(),
                                   [&](Value value) { return placements.of(value).isSharded(); });
    bool hasRule = !isDemanded && followsOperands(flow, placements, op);
    if (hasRule && place(op)) {
      placedByRule.insert(op);
      continue;
    }
    for (OpOperand *operand : flow.operands(op)) {
      bool isPartial = placements.of(operand->get()).isPartial();
      if (Placement at = taken(*operand); isPartial && at.isSharded())
        wantedOfCombined[operand] = at;
      if (isPartial || (hasRule && taken(*operand).isSharded()))
        placements.wanted[operand] = Placement::replicated();
    }
  }
}

void ShardedUpdate::writeMoves() {
  maskReplicated(flow, plan);
  SmallVector<Operation *> readers; // of what the cut has made whole
  for (Operation *op : flow.operations())
    for (OpOperand *operand : flow.operands(op))
      if (placements.of(operand->get()).isPartial() && placements.wanted.erase(operand))
        readers.push_back(op);
  writeAllReduces(plan, Purpose::Activation);
  // Before the cut nothing is moved, and behind it everything is whole.
  for (auto &[value, at] : placements.placements)
    if (at.isPartial())
      at = Placement::replicated();
  for (auto [operand, wanted] : wantedOfCombined)
    placements.wanted[operand] = wanted;
  // Beside a shard they want a slice of it.
  for (Operation *op : readers)
    if (placedByRule.contains(op))
      place(op);
  insertReshards(flow, placements);
}

} // namespace ds
