//===- ShardedUpdate.cpp - Which values of an update are shards -----------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Backward first: new values are required as shards, and so is what they are made of, up to the
// all-reduces of gradients, which become reduce-scatters (PropagateBackward.cpp). A gradient that
// is also read by a norm is one of them, since a norm of shards is a sum over ranks. Then forward:
// what follows from the shards by the rules of the operations. Sums over shards are cut as those
// over samples are (ReductionNetwork.cpp). A search asks before samples are sharded, when a value
// that will be combined has no all-reduce yet: it ends the way up as one would.
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

/// Whether the placements of the results of an operation follow from those of its operands.
static bool followsOperands(const StepFlow &flow, const StepPlacement &placement, Operation *op) {
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
      llvm::any_of(rule.required, [](const auto &entry) { return entry.second.isReplicated(); }))
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

/// Whether the user of a shard makes something small of it that ranks add up, like a norm, or other
/// shards of which only such things are made.
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

/// Wants the new values of sharded arguments as shards, and from there what they are made of.
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

/// The shard in which all that read a combined value want it.
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

/// False if the rule of the operation does not know such operands.
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
  SmallVector<Operation *> readers; // of what the cut has made whole
  for (Operation *op : flow.operations())
    for (OpOperand *operand : flow.operands(op))
      if (placements.of(operand->get()).isPartial() && placements.required.erase(operand))
        readers.push_back(op);
  writeAllReduces(plan, Purpose::Activation);
  // Before the cut nothing is moved, and behind it everything is whole.
  for (auto &[value, at] : placements.placements)
    if (at.isPartial())
      at = Placement::replicated();
  for (auto [operand, required] : requiredOfReduced)
    placements.required[operand] = required;
  // Beside a shard they want a slice of it.
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
