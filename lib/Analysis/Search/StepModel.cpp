//===- StepModel.cpp - A step as a model of choices -----------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StepModel.h"

#include "ds/Analysis/StepRoles.h"

using namespace mlir;

namespace ds {

static SmallVector<Placement> distinct(ArrayRef<Placement> placements) {
  SmallVector<Placement> found;
  for (const Placement &placement : placements)
    if (!llvm::is_contained(found, placement))
      found.push_back(placement);
  return found;
}

StepModel::StepModel(const StepFlow &flow, const ReplicaGroup &ranks, const StrategyTask &task)
    : flow(flow), task(task), costs(flow, ranks, task), candidates(flow, ranks, task.shards) {
  for (BlockArgument argument : func::FuncOp(flow.step()).getArguments())
    addArgument(argument);
  for (auto [state, parameter] : task.updatedTogether) {
    const Choice &first = makers.find(state)->second, &second = makers.find(parameter)->second;
    pair(first, second,
         [&](unsigned i, unsigned j) { return first.placements[i] != second.placements[j]; });
  }
  for (Operation *op : flow.operations())
    if (isSharded(op))
      addOperation(op);
  for (auto [operand, target] : flow.edges())
    addTarget(target);
  for (Operation *op : flow.operations())
    addUses(op);
  for (auto &[value, uses] : usesOf)
    connect(value, uses);
}

std::optional<StepStrategy> StepModel::search() const {
  std::optional<Strategy> found = task.quickly ? searchQuickly(model) : searchStrategy(model);
  if (!found)
    return std::nullopt;
  StepStrategy strategy;
  strategy.cost = found->cost;
  strategy.bound = found->bound;
  strategy.variables = model.size();
  auto chosen = [&](const Choice &choice) {
    return choice.placements[found->labels[choice.variable]];
  };
  for (auto &[value, maker] : makers)
    strategy.made[value] = chosen(maker);
  for (BlockArgument argument : func::FuncOp(flow.step()).getArguments())
    strategy.holding += costs.ofHolding(argument, strategy.made.lookup(argument));
  for (auto &[value, uses] : usesOf) {
    for (auto &[operand, choice] : uses)
      strategy.taken[operand] = chosen(choice);
    auto shared = deliveries.find(value);
    if (shared == deliveries.end())
      continue;
    const Delivery &delivery = shared->second;
    unsigned label = found->labels[delivery.made.variable];
    const Placement &made = delivery.made.placements[label], &second = delivery.second[label];
    for (auto &[operand, choice] : uses)
      if (Placement to = chosen(choice);
          costOfUse(*operand, second, to) < costOfUse(*operand, made, to)) {
        strategy.second[value] = second;
        strategy.fromSecond.insert(operand);
      }
  }
  for (auto [op, variable] : variableOf)
    if (ArrayRef<ShardingCandidate> ways = candidates.of(op);
        !ways.empty() && ways[found->labels[variable]].onDemand)
      strategy.onDemand.insert(op->getResult(0));
  return strategy;
}

std::vector<Alternative> StepModel::explain(Value value) const {
  std::vector<Alternative> found;
  auto maker = makers.find(value);
  if (maker == makers.end())
    return found;
  const Choice &choice = maker->second;
  for (const Placement &made : distinct(choice.placements)) {
    std::vector<unsigned> labels;
    for (auto [label, placement] : llvm::enumerate(choice.placements))
      if (placement == made)
        labels.push_back(label);
    Alternative alternative{made, StrategyModel::forbidden, std::nullopt};
    if (std::optional<Strategy> best = searchStrategy(model.restricted(choice.variable, labels))) {
      alternative.bound = best->bound;
      alternative.cost = best->cost;
    }
    found.push_back(std::move(alternative));
  }
  return found;
}

bool StepModel::isSharded(Operation *op) const {
  return !flow.isControl(op) && !op->hasTrait<OpTrait::IsTerminator>();
}

void StepModel::addVariable(Value value, SmallVector<Placement> placements, bool isHeld) {
  std::vector<int64_t> own;
  for (const Placement &placement : placements)
    own.push_back((isHeld ? costs.ofHolding(value, placement) : 0) +
                  costs.ofBatch(value, placement) + costs.ofGathers(value, placement));
  makers[value] = {model.addVariable(std::move(own)), std::move(placements)};
}

/// A value that a loop carries and the result that it returns come from the same values, and are
/// placed alike.
void StepModel::addTarget(Value target) {
  if (makers.contains(target))
    return;
  ArrayRef<OpOperand *> sources = flow.sources(target);
  for (Value other : flow.targets(*sources.front()))
    if (makers.contains(other) && flow.sources(other) == sources) {
      Choice alike = makers.lookup(other);
      std::vector<int64_t> own;
      for (const Placement &placement : alike.placements)
        own.push_back(costs.ofBatch(target, placement));
      model.addCosts(alike.variable, own);
      makers[target] = std::move(alike);
      return;
    }
  addVariable(target, candidates.ofTarget(target));
}

void StepModel::addArgument(BlockArgument argument) {
  SmallVector<Placement> placements;
  SmallVector<Sharding> shards = task.shards.lookup(argument);
  bool pinned = task.pinned.contains(argument);
  if (!pinned || shards.empty())
    placements.push_back(Placement::replicated());
  for (const Sharding &sharding : shards)
    placements.push_back(Placement::sharded(sharding));
  if (pinned)
    placements.resize(1);
  addVariable(argument, std::move(placements), /*isHeld=*/true);
}

void StepModel::addOperation(Operation *op) {
  ArrayRef<ShardingCandidate> ways = candidates.of(op);
  std::vector<int64_t> own;
  for (const ShardingCandidate &way : ways) {
    own.push_back(costs.ofWork(op, way.operands, way.results, way.dividesWork));
    for (auto [result, placement] : llvm::zip(op->getResults(), way.results))
      own.back() += costs.ofBatch(result, placement);
    if (way.onDemand && !task.canMark(way.results.front()))
      own.back() = StrategyModel::forbidden;
  }
  if (own.empty()) // an operand that no rule takes is refused at placement
    own.push_back(0);
  unsigned variable = model.addVariable(std::move(own));
  variableOf[op] = variable;
  for (OpResult result : op->getResults()) {
    SmallVector<Placement> placements;
    for (const ShardingCandidate &way : ways)
      placements.push_back(way.results[result.getResultNumber()]);
    if (placements.empty())
      placements.push_back(Placement::replicated());
    makers[result] = {variable, std::move(placements)};
  }
}

void StepModel::addUse(OpOperand &operand, Choice choice) {
  usesOf[operand.get()].push_back({&operand, std::move(choice)});
}
void StepModel::addWhole(OpOperand &operand) {
  if (!always)
    always = model.addVariable({0});
  addUse(operand, {*always, {Placement::replicated()}});
}

void StepModel::addUses(Operation *op) {
  if (isSharded(op)) {
    for (auto [i, operand] : llvm::enumerate(flow.operands(op))) {
      SmallVector<Placement> placements;
      for (const ShardingCandidate &way : candidates.of(op))
        placements.push_back(way.operands[i]);
      if (placements.empty())
        placements.push_back(Placement::replicated());
      addUse(*operand, {variableOf.lookup(op), std::move(placements)});
    }
    return;
  }
  if (!flow.isControl(op)) {
    for (const StepResult &result : getStepResults(flow.step())) {
      BlockArgument updated = result.parameter ? result.parameter : result.state;
      if (updated)
        addUse(*result.operand, makers.find(updated)->second);
      else
        addWhole(*result.operand);
    }
    return;
  }
  for (OpOperand *operand : flow.reads(op))
    addWhole(*operand);
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<unsigned> last;
    for (Value target : flow.targets(operand))
      if (const Choice &choice = makers.find(target)->second; choice.variable != last) {
        addUse(operand, choice);
        last = choice.variable;
      }
  }
}

/// Where control flow joins a replicated and a partial value, the replicated one is masked.
int64_t StepModel::costOfUse(OpOperand &operand, const Placement &from, const Placement &to) const {
  if (from == to)
    return 0;
  if (to.isPartial())
    return from.isReplicated() && !flow.targets(operand).empty() ? 0 : StrategyModel::forbidden;
  Operation *user = operand.getOwner();
  if (!task.canMark(to) && (isSharded(user) || flow.isControl(user)))
    return StrategyModel::forbidden; // results declare themselves how they leave
  return costs.ofMove(operand.get(), from, to);
}

void StepModel::pair(const Choice &first, const Choice &second,
                     llvm::function_ref<int64_t(unsigned, unsigned)> costOf) {
  if (first.variable == second.variable) { // the variable forbids its own labels
    std::vector<int64_t> own;
    for (unsigned label = 0; label < first.placements.size(); ++label)
      own.push_back(costOf(label, label));
    model.addCosts(first.variable, own);
    return;
  }
  std::vector<int64_t> table;
  for (unsigned i = 0; i < first.placements.size(); ++i)
    for (unsigned j = 0; j < second.placements.size(); ++j)
      table.push_back(costOf(i, j));
  model.addPair(first.variable, second.variable, std::move(table));
}

void StepModel::connect(Value value, const Uses &uses) {
  auto found = makers.find(value);
  if (found == makers.end())
    return;
  Choice maker = found->second;
  if (uses.size() == 1) {
    auto &[operand, user] = uses.front();
    pair(maker, user, [&](unsigned i, unsigned j) {
      return costOfUse(*operand, maker.placements[i], user.placements[j]);
    });
    return;
  }
  SmallVector<Placement> made = distinct(maker.placements), versions;
  for (auto &[operand, user] : uses)
    for (const Placement &placement : distinct(user.placements))
      if (!placement.isPartial() && task.canMark(placement) &&
          !llvm::is_contained(versions, placement))
        versions.push_back(placement);
  if (made.size() == 1 && versions.size() <= 1) // there is nothing to share
    for (auto &[operand, user] : uses)
      pair(maker, user, [&, use = operand, placements = user.placements](unsigned, unsigned j) {
        return costOfUse(*use, made.front(), placements[j]);
      });
  else
    share(value, maker, made, versions, uses);
}

void StepModel::share(Value value, const Choice &maker, ArrayRef<Placement> made,
                      ArrayRef<Placement> versions, const Uses &uses) {
  std::vector<int64_t> own;
  Delivery &delivery = deliveries[value];
  auto deliver = [&](const Placement &from, const Placement &second, int64_t cost) {
    own.push_back(cost);
    delivery.made.placements.push_back(from);
    delivery.second.push_back(second);
  };
  for (const Placement &from : made) {
    deliver(from, from, 0);
    for (const Placement &version : versions)
      if (int64_t cost = version == from ? 0 : costs.ofMove(value, from, version); cost != 0)
        deliver(from, version, cost); // others are free for each user
  }
  delivery.made.variable = model.addVariable(std::move(own));
  pair(maker, delivery.made, [&](unsigned i, unsigned j) {
    return maker.placements[i] == delivery.made.placements[j] ? 0 : StrategyModel::forbidden;
  });
  for (auto &[operand, user] : uses)
    pair(delivery.made, user, [&, use = operand, &to = user.placements](unsigned i, unsigned j) {
      return std::min(costOfUse(*use, delivery.made.placements[i], to[j]),
                      costOfUse(*use, delivery.second[i], to[j]));
    });
}

} // namespace ds
