//===- ShardedUpdate.cpp - Place the shards of an update ------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First backward: new values are required as shards, and so are the values they are computed from,
// up to the all-reduces of gradients, which become reduce-scatters (PropagateBackward.cpp). This
// includes a gradient that a norm also reads, since a norm of shards is a sum over ranks. Then
// forward: the rules of the operations place the values that depend on the shards. Sums over shards
// are cut as those over samples (ReductionNetwork.cpp). A search runs this before samples are
// sharded, when a value that will be reduced has no all-reduce yet: backward propagation stops
// there as it would at the all-reduce.
//
//===----------------------------------------------------------------------===//
#include "ShardedUpdate.h"

#include "Utils/CreateAllReduce.h"

#include "ds/Analysis/Cut/ReductionNetwork.h"
#include "ds/Rewrite/InsertReshards.h"
#include "ds/Rewrite/MaskReplicated.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace ds {

/// True if the rule of the operation derives the placements of its results from those of its
/// operands.
static bool followsOperands(const StepFlow &flow, const StepPlacement &placement, Operation *op) {
  return !flow.isControl(op) && !op->hasTrait<OpTrait::IsTerminator>() &&
         !isa<CollectiveOpInterface>(op) && llvm::none_of(op->getResults(), [&](Value value) {
           return placement.of(value).isVarying();
         });
}

static bool canConsumeShard(const StepFlow &flow, const StepPlacement &placement, OpOperand &use,
                            const Sharding &sharding, llvm::SmallPtrSetImpl<OpOperand *> &seen) {
  if (!seen.insert(&use).second) // visited with success: a failure ends the search
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
      llvm::any_of(rule.required, [](const auto &entry) { return entry.second.isReplicated(); }))
    return false;
  return llvm::all_of(llvm::zip(op->getResults(), rule.results), [&](auto each) {
    auto [result, at] = each;
    if (at.isPartial()) // the reduction must be much smaller than the shard
      return getWireBytes(result) * 4 <= getWireBytes(use.get());
    return at.isSharded() && llvm::all_of(result.getUses(), [&, at = at](OpOperand &next) {
             return canConsumeShard(flow, placement, next, at.sharding, seen);
           });
  });
}

/// True if the user of a shard computes a small partial sum from it, as a norm does, or other
/// shards whose users all do.
static bool canConsumeShard(const StepFlow &flow, const StepPlacement &placement, OpOperand &use,
                            const Sharding &sharding) {
  llvm::SmallPtrSet<OpOperand *, 8> seen;
  return canConsumeShard(flow, placement, use, sharding, seen);
}

ShardedUpdate::ShardedUpdate(const StepFlow &flow, const ReplicaGroup &ranks,
                             const DenseSet<Value> &varying, const DenseSet<Value> &combined)
    : flow(flow), varying(varying), combined(combined), placements(plan.placement) {
  placements.ranks = ranks;
}

void ShardedUpdate::place(ShardedArguments &sharded) {
  do
    demand(sharded);
  while (shardOtherwise(flow.step(), placements, placements.ranks.size, sharded));
  follow();
}

/// Requires the new values of sharded arguments as shards, and propagates that to the values they
/// are computed from.
void ShardedUpdate::demand(const ShardedArguments &sharded) {
  placements.placements.clear();
  placements.required.clear();
  for (Value value : varying)
    placements.placements[value] = Placement::varying();
  for (const StepResult &result : getStepResults(flow.step())) {
    auto found = sharded.find(result.parameter ? result.parameter : result.state);
    if (found != sharded.end() && placements.of(result.operand->get()).isReplicated())
      placements.required[result.operand] = Placement::sharded(found->second.sharding);
  }
  propagateBackward(flow, placements, [&](OpOperand &use, const Sharding &sharding) {
    return canConsumeShard(flow, placements, use, sharding);
  });
  for (const auto &[argument, how] : sharded)
    placeArgument(argument, how.sharding);
}

/// Uses that cannot take this shard read the gathered value.
void ShardedUpdate::placeArgument(BlockArgument argument, const Sharding &sharding) {
  Placement held = Placement::sharded(sharding);
  for (OpOperand &use : argument.getUses()) {
    auto it = placements.required.find(&use);
    if (it != placements.required.end() && it->second == held)
      placements.required.erase(it);
    else if (it == placements.required.end() && !canConsumeShard(flow, placements, use, sharding))
      placements.required[&use] = Placement::replicated();
  }
  placements.placements[argument] = held;
}

/// Returns the shard in which all uses of a reduced value can take it; none if they differ.
std::optional<Sharding> ShardedUpdate::findScattered(Value value) const {
  std::optional<Sharding> required;
  for (OpOperand &use : value.getUses())
    if (auto it = placements.required.find(&use); it != placements.required.end()) {
      if (!it->second.isSharded() || (required && *required != it->second.sharding))
        return std::nullopt;
      required = it->second.sharding;
    }
  for (OpOperand &use : value.getUses())
    if (!required ||
        (!placements.required.contains(&use) && !canConsumeShard(flow, placements, use, *required)))
      return std::nullopt;
  return required;
}

Placement ShardedUpdate::taken(OpOperand &operand) const {
  auto it = placements.required.find(&operand);
  if (it != placements.required.end())
    return it->second;
  Placement at = placements.of(operand.get());
  return at.isVarying() && combined.contains(operand.get()) ? Placement::replicated() : at;
}

/// Places an operation by its rule; false if the rule does not accept these placements of operands.
bool ShardedUpdate::placeByRule(Operation *op) {
  PlacementRule rule(op, flow.operands(op), placements.ranks,
                     [&](OpOperand &operand) { return taken(operand); });
  placeOperation(op, rule);
  if (!rule.reason)
    placements.record(rule);
  return !rule.reason;
}

void ShardedUpdate::follow() {
  for (Value value : combined)
    if (std::optional<Sharding> sharding = findScattered(value))
      placements.placements[value] = Placement::sharded(*sharding);
  for (Operation *op : flow.operations()) {
    bool isDemanded = llvm::any_of(op->getResults(),
                                   [&](Value value) { return placements.of(value).isSharded(); });
    bool hasRule = !isDemanded && followsOperands(flow, placements, op);
    if (hasRule && placeByRule(op)) {
      placedByRule.insert(op);
      continue;
    }
    for (OpOperand *operand : flow.operands(op)) {
      bool isPartial = placements.of(operand->get()).isPartial();
      if (Placement at = taken(*operand); isPartial && at.isSharded())
        requiredOfReduced[operand] = at;
      if (isPartial || (hasRule && taken(*operand).isSharded()))
        placements.required[operand] = Placement::replicated();
    }
  }
}

void ShardedUpdate::writeMoves() {
  cutNetwork(flow, {}, plan);
  maskReplicated(flow, plan);
  SmallVector<Operation *> readers; // of values that the cut has replicated
  for (Operation *op : flow.operations())
    for (OpOperand *operand : flow.operands(op))
      if (placements.of(operand->get()).isPartial() && placements.required.erase(operand))
        readers.push_back(op);
  writeAllReduces(plan, Purpose::Activation);
  // Values before the cut stay partial and are not moved; their uses after it read the replicated
  // sums.
  for (auto &[value, at] : placements.placements)
    if (at.isPartial())
      at = Placement::replicated();
  for (auto [operand, required] : requiredOfReduced)
    placements.required[operand] = required;
  // Next to a shard they take a slice of the sum.
  for (Operation *op : readers)
    if (placedByRule.contains(op))
      placeByRule(op);
  insertReshards(flow, placements);
}

UpdateShards findUpdateShards(const StepFlow &flow, const ReplicaGroup &ranks, const Config &config,
                              const DenseSet<Value> &varying, const DenseSet<Value> &combined) {
  UpdateShards shards;
  shards.arguments = findLargeArguments(flow.step(), config, ranks.size);
  ShardedUpdate update(flow, ranks, varying, combined);
  update.place(shards.arguments);
  for (auto [value, at] : update.placement().placements)
    if (at.isSharded())
      shards.values.insert(value);
  bool gathersTwice = config.optimizerLevel() == OptimizerLevel::Level3;
  for (const auto &[argument, how] : shards.arguments) {
    int64_t whole = llvm::count_if(
        argument.getUses(), [&](OpOperand &use) { return update.placement().wantsWhole(use); });
    if (whole > 0)
      shards.gathered[argument] = gathersTwice && whole > 1 ? 2 : 1;
  }
  return shards;
}

} // namespace ds
