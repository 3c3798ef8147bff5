//===- PlanLocal.cpp - Reductions of a step on a rank's own samples -------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `local`: every rank runs the unchanged step. Values that carry samples, and those that reach such
// a value (batch statistics), stay the rank's own. The rest of what depends on the batch is the
// aggregation region; a value enters it where it is computed from data of the rank's own, and it is
// combined before anything that is not linear, and before it leaves the step. A combined value that
// is not the gradient of a parameter but reaches one (a local coefficient of the gradient) is
// treated as the rank's own, and the plan is made again: then the product is combined.
//
//===----------------------------------------------------------------------===//
#include "ReductionNetwork.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ds {
namespace {

/// What a value depends on, in the sense above.
enum class Share { Common, Own, Region };

class LocalPlanner {
public:
  LocalPlanner(func::FuncOp step, bool combineMetrics)
      : step(step), body(step.getBody().front()), combineMetrics(combineMetrics) {}

  FailureOr<ReductionPlan> run();

private:
  LogicalResult findSamples();
  void findDependent();
  void findOwn();
  void placeRegion(ReductionPlan &plan, EntryUses &entries);
  void addNeeds(ReductionPlan &plan);
  bool demote(const ReductionPlan &plan);
  LogicalResult checkUpdates(const ReductionPlan &plan);

  Share shareOf(Value value) const {
    if (!dependent.contains(value))
      return Share::Common;
    return samples.of(value).isSharded() || own.contains(value) ? Share::Own : Share::Region;
  }
  /// Values of the region that reach the new value of a parameter.
  llvm::DenseSet<Value> reachesParameter() const;
  bool isStatistic(Value newValue, const llvm::DenseSet<Value> &useful) const;

  func::FuncOp step;
  Block &body;
  bool combineMetrics;
  StepPlacement samples;           // the batch followed through the step
  llvm::DenseSet<Value> dependent; // on the batch
  llvm::DenseSet<Value> own;       // not per sample, yet the rank's own
  llvm::DenseSet<Value> demoted;   // own by the last rule above
};

/// Only whether a value carries samples matters, so the batch is followed in the smallest number of
/// parts.
LogicalResult LocalPlanner::findSamples() {
  SmallVector<BatchArgument> batch = getBatchArguments(step);
  if (batch.empty())
    return step.emitError("the step has no batch argument; mark the arguments that hold samples "
                          "with ds.batch");
  int64_t rows = getSampleSize(batch);
  int64_t parts = rows;
  for (int64_t p = 2; p * p <= rows; ++p)
    if (rows % p == 0) {
      parts = p;
      break;
    }
  if (rows < 2)
    return step.emitError("batch = local needs at least two samples per rank to tell them from "
                          "other dimensions, got ")
           << rows;
  DividedStep divided = divideStep(step, parts);
  if (!divided.placement.conflicts.empty()) {
    const PlacementConflict &conflict = divided.placement.conflicts.front();
    return conflict.op->emitError("cannot follow the samples of a rank here: ") << conflict.reason;
  }
  samples = std::move(divided.placement);
  return success();
}

void LocalPlanner::findDependent() {
  for (const BatchArgument &argument : getBatchArguments(step))
    dependent.insert(argument.argument);
  for (Operation &op : body)
    if (llvm::any_of(getReadOperands(&op),
                     [&](OpOperand *operand) { return dependent.contains(operand->get()); }))
      dependent.insert(op.result_begin(), op.result_end());
}

/// Own: what reaches a per-sample value, not walking through the new value of a parameter or state.
void LocalPlanner::findOwn() {
  own = demoted;
  llvm::DenseSet<Value> updates;
  for (const StepResult &result : getStepResults(step))
    if (!result.updates.empty())
      updates.insert(result.operand->get());
  for (Operation &op : llvm::reverse(body)) {
    bool reaches = llvm::any_of(op.getResults(), [&](Value result) {
      return samples.of(result).isSharded() || (own.contains(result) && !demoted.contains(result));
    });
    if (!reaches)
      continue;
    for (OpOperand *operand : getReadOperands(&op)) {
      Value value = operand->get();
      if (dependent.contains(value) && !samples.of(value).isSharded() && !updates.contains(value))
        own.insert(value);
    }
  }
}

/// The placements inside of the region: own data gives births, everything else follows the rules of
/// `global`.
void LocalPlanner::placeRegion(ReductionPlan &plan, EntryUses &entries) {
  StepPlacement &placement = plan.placement;
  for (Operation &op : body) {
    if (op.getNumResults() == 0 ||
        llvm::none_of(op.getResults(), [&](Value v) { return shareOf(v) == Share::Region; }))
      continue;
    llvm::SmallSetVector<Value, 4> inputs;
    bool readsOwn = false;
    for (OpOperand *operand : getReadOperands(&op)) {
      if (!dependent.contains(operand->get()))
        continue;
      inputs.insert(operand->get());
      readsOwn |= shareOf(operand->get()) == Share::Own;
    }
    // One statistic of the rank alone enters the region as it is; with anything else it is a
    // coefficient.
    bool enters = readsOwn && inputs.size() == 1 && !samples.of(inputs[0]).isSharded() &&
                  !demoted.contains(inputs[0]);
    if (readsOwn && !enters) {
      for (Value result : op.getResults()) {
        placement.placements[result] = Placement::partial(ReductionKind::Sum);
        placement.births.insert(result);
      }
      continue;
    }
    PlacementRule rule(&op, 1, [&](OpOperand &operand) {
      if (enters && operand.get() == inputs[0])
        return Placement::partial(ReductionKind::Sum);
      if (shareOf(operand.get()) == Share::Region)
        return placement.of(operand.get());
      Placement common = samples.of(operand.get());
      return common.isReplicated() ? common : Placement::replicated();
    });
    placeOperation(&op, rule);
    if (enters)
      for (OpOperand *operand : getReadOperands(&op))
        if (operand->get() == inputs[0])
          entries[inputs[0]].push_back(operand);
    for (auto [result, at] : llvm::zip(op.getResults(), rule.results))
      placement.placements[result] = at;
    for (auto [operand, use] : rule.uses)
      placement.uses[operand] = use;
    for (auto [operand, index] : rule.kept)
      placement.kept.push_back({operand, op.getResult(index)});
  }
}

llvm::DenseSet<Value> LocalPlanner::reachesParameter() const {
  llvm::DenseSet<Value> useful;
  for (const StepResult &result : getStepResults(step))
    if (findArgument(step, "ds.param", result.updates))
      useful.insert(result.operand->get());
  for (Operation &op : llvm::reverse(body))
    if (llvm::any_of(op.getResults(), [&](Value v) { return useful.contains(v); }))
      for (OpOperand *operand : getReadOperands(&op))
        useful.insert(operand->get());
  return useful;
}

/// A state is a statistic if something of the rank's own reaches it and does not reach a parameter:
/// what a gradient feeds (momentum, moments, a loss scale) is combined with the gradient, a running
/// mean is not.
bool LocalPlanner::isStatistic(Value newValue, const llvm::DenseSet<Value> &useful) const {
  llvm::DenseSet<Value> seen;
  SmallVector<Value> work = {newValue};
  while (!work.empty()) {
    Value value = work.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || !dependent.contains(value) || !seen.insert(value).second)
      continue;
    // The way back ends at values that also serve a parameter: their part is the gradient's.
    if (useful.contains(value) && shareOf(value) == Share::Region)
      continue;
    if (shareOf(value) == Share::Own)
      return true;
    for (OpOperand *operand : getReadOperands(op)) {
      if (shareOf(operand->get()) == Share::Own)
        return true;
      work.push_back(operand->get());
    }
  }
  return false;
}

void LocalPlanner::addNeeds(ReductionPlan &plan) {
  llvm::DenseSet<Value> useful = reachesParameter();
  for (const StepResult &result : getStepResults(step)) {
    Value value = result.operand->get();
    if (!dependent.contains(value))
      continue;
    bool state = bool(findArgument(step, "ds.state", result.updates));
    if (state && (shareOf(value) == Share::Own || isStatistic(value, useful))) {
      plan.statistics.push_back(result.index);
      continue;
    }
    if (combineMetrics && !result.metric.empty())
      plan.metrics.push_back(result.index);
    if (!result.updates.empty() && plan.placement.of(value).isPartial())
      plan.placement.uses[result.operand].kind = OperandUse::Need;
  }
}

/// Reductions that reach a parameter without being its gradient become the rank's own. False if
/// there are none.
bool LocalPlanner::demote(const ReductionPlan &plan) {
  llvm::DenseSet<Value> useful = reachesParameter();
  bool changed = false;
  for (const Reduction &reduction : plan.reductions) {
    if (!reduction.names.empty() || !useful.contains(reduction.value))
      continue;
    if (reduction.entryUses.empty()) {
      changed |= demoted.insert(reduction.value).second;
      continue;
    }
    for (OpOperand *use : reduction.entryUses)
      for (Value result : body.findAncestorOpInBlock(*use->getOwner())->getResults())
        if (useful.contains(result))
          changed |= demoted.insert(result).second;
  }
  return changed;
}

/// Every parameter that depends on the batch is updated from combined values alone.
LogicalResult LocalPlanner::checkUpdates(const ReductionPlan &plan) {
  for (const StepResult &result : getStepResults(step)) {
    BlockArgument parameter = findArgument(step, "ds.param", result.updates);
    if (!parameter || !dependent.contains(result.operand->get()))
      continue;
    bool named = llvm::any_of(plan.reductions, [&](const Reduction &reduction) {
      return llvm::is_contained(reduction.names, result.updates);
    });
    if (!named || shareOf(result.operand->get()) == Share::Own)
      return result.operand->getOwner()->emitError("parameter '")
             << result.updates
             << "' is updated from a value of the batch that is not linear in any gradient; ranks "
                "cannot agree on it";
  }
  return success();
}

FailureOr<ReductionPlan> LocalPlanner::run() {
  if (failed(findSamples()))
    return failure();
  findDependent();
  for (;;) {
    findOwn();
    ReductionPlan plan;
    EntryUses entries;
    placeRegion(plan, entries);
    addNeeds(plan);
    cutNetwork(step, entries, plan);
    nameGradients(step, plan);
    if (demote(plan))
      continue;
    if (failed(checkUpdates(plan)))
      return failure();
    assignZones(step, [&](Value value) { return samples.of(value).isSharded(); }, plan);
    return plan;
  }
}

} // namespace

FailureOr<ReductionPlan> planLocal(func::FuncOp step, bool combineMetrics) {
  return LocalPlanner(step, combineMetrics).run();
}

} // namespace ds
