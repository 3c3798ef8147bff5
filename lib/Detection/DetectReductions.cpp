//===- DetectReductions.cpp - What an unmarked `local` step combines ------===//
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
#include "Detector.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ds {

/// The placements inside of the region: own data makes partial values, everything else follows the
/// rules of `global`.
void Detector::placeRegion(ReductionPlan &plan, ReducedUses &entries) {
  StepPlacement &placement = plan.placement;
  auto isRegion = [&](Value value) { return shareOf(value) == Share::Reducible; };
  auto placementOf = [&](OpOperand &operand) {
    switch (shareOf(operand.get())) {
    case Share::Reducible:
      return placement.of(operand.get());
    case Share::Varying:
      return Placement::partial(ReductionKind::Sum);
    case Share::Replicated:
      return samples.of(operand.get());
    }
    llvm_unreachable("all shares are covered");
  };
  for (bool changed = true; changed;) {
    changed = false;
    placement.forgetOperations();
    entries.clear();
    meetsOwn.clear();
    for (Operation *op : flow.operations()) {
      for (OpOperand &operand : op->getOpOperands())
        for (Value target : flow.targets(operand))
          if (isRegion(target))
            changed |= joinTarget(operand, target, placementOf(operand), placement);
      if (!flow.isControl(op) && llvm::any_of(op->getResults(), isRegion))
        placeInRegion(op, placement, entries);
      else
        wantUpdatesWhole(op, placement);
    }
  }
  for (auto [operand, target] : flow.edges()) {
    if (!isRegion(target))
      continue;
    recordSource(*operand, target, placementOf(*operand), placement);
    if (shareOf(operand->get()) == Share::Varying &&
        !llvm::is_contained(entries[operand->get()], operand))
      entries[operand->get()].push_back(operand);
  }
}

Detector::OwnReads Detector::findOwnReads(Operation *op, const StepPlacement &placement) const {
  llvm::SmallSetVector<Value, 4> inputs;
  OwnReads reads;
  for (OpOperand *operand : flow.operands(op)) {
    Share share = shareOf(operand->get());
    if (share == Share::Replicated || isCombined(operand->get(), placement))
      continue;
    inputs.insert(operand->get());
    reads.any |= share == Share::Varying;
  }
  reads.alone = reads.any && inputs.size() == 1;
  bool mayEnter = reads.alone && (!holdsSamples(inputs[0]) || endsSample(op));
  if (mayEnter && !coefficients.contains(inputs[0]))
    reads.entry = inputs[0];
  return reads;
}

/// Several values of the rank's own that are added, and nothing else, all enter the region: what
/// ranks add alike to one of them counts once in the sum.
bool Detector::placeSum(Operation *op, StepPlacement &placement, ReducedUses &entries) {
  SmallVector<OpOperand *> addends;
  for (OpOperand *operand : flow.operands(op)) {
    Value value = operand->get();
    if (shareOf(value) != Share::Varying)
      continue;
    if (coefficients.contains(value) || holdsSamples(value))
      return false;
    addends.push_back(operand);
  }
  PlacementRule rule(op, flow.operands(op), 1, [&](OpOperand &operand) {
    return shareOf(operand.get()) == Share::Varying     ? Placement::partial(ReductionKind::Sum)
           : shareOf(operand.get()) == Share::Reducible ? placement.of(operand.get())
                                                        : Placement::replicated();
  });
  placeOperation(op, rule);
  bool isSum =
      !rule.reason && llvm::all_of(rule.results, [](Placement at) { return at.isPartial(); });
  for (auto [operand, wanted] : rule.wanted)
    isSum &= !wanted.isReplicated();
  if (!isSum)
    return false;
  for (OpOperand *operand : addends)
    entries[operand->get()].push_back(operand);
  placement.record(rule);
  return true;
}

void Detector::placeInRegion(Operation *op, StepPlacement &placement, ReducedUses &entries) {
  auto [readsOwn, alone, entry] = findOwnReads(op, placement);
  auto makeGradients = [&] {
    for (Value result : op->getResults()) {
      placement.placements[result] = Placement::partial(ReductionKind::Sum);
      placement.partialSources.insert(result);
    }
  };
  if (readsOwn && !entry) {
    if (!alone && placeSum(op, placement, entries))
      return;
    makeGradients();
    for (OpOperand *operand : flow.operands(op))
      if (shareOf(operand->get()) == Share::Reducible && placement.of(operand->get()).isPartial())
        meetsOwn.insert(operand);
    return;
  }
  PlacementRule rule(op, flow.operands(op), 1, [&](OpOperand &operand) {
    if (operand.get() == entry)
      return Placement::partial(ReductionKind::Sum);
    if (shareOf(operand.get()) == Share::Reducible)
      return placement.of(operand.get());
    Placement common = samples.of(operand.get());
    return common.isReplicated() ? common : Placement::replicated();
  });
  placeOperation(op, rule);
  // Zeros times a value of the rank's own: its share of a gradient, of which others are not zero.
  // Of one sample, what is passed back to the layer before may look like a gradient itself.
  bool isShare =
      entry || (isSingletonBatch && llvm::any_of(flow.operands(op), [&](OpOperand *operand) {
                  return shareOf(operand->get()) == Share::Reducible &&
                         placement.of(operand->get()).isPartial();
                }));
  bool isNothing = isShare && !rule.reason && rule.wanted.empty() &&
                   llvm::all_of(rule.results, [](Placement at) { return at.zero; });
  if (isNothing)
    return makeGradients();
  for (OpOperand *operand : flow.operands(op))
    if (operand->get() == entry)
      entries[entry].push_back(operand);
  placement.record(rule);
}

/// Outside of the region, and in conditions, an updated value is used whole.
void Detector::wantUpdatesWhole(Operation *op, StepPlacement &placement) {
  if (op->hasTrait<OpTrait::IsTerminator>() && !flow.isControl(op))
    return;
  for (OpOperand *operand : flow.reads(op)) {
    if (shareOf(operand->get()) != Share::Reducible || !placement.of(operand->get()).isPartial())
      continue;
    if (ownUses.contains(operand))
      meetsOwn.insert(operand);
    else
      placement.wanted[operand] = Placement::replicated();
  }
}

llvm::DenseSet<Value> findComputing(const StepFlow &flow, SmallVector<Value> work) {
  llvm::DenseSet<Value> found(work.begin(), work.end());
  while (!work.empty())
    for (OpOperand *input : flow.inputs(work.pop_back_val()))
      if (found.insert(input->get()).second)
        work.push_back(input->get());
  return found;
}

llvm::DenseSet<Value> findReachingParameter(const StepFlow &flow) {
  SmallVector<Value> updated;
  for (const StepResult &result : getStepResults(flow.step()))
    if (result.parameter)
      updated.push_back(result.operand->get());
  return findComputing(flow, std::move(updated));
}

/// A state is a statistic if something of the rank's own reaches it and does not reach a parameter:
/// what a gradient feeds (momentum, moments, a loss scale) is combined with the gradient, a running
/// mean is not.
bool Detector::isStatistic(Value newValue, const llvm::DenseSet<Value> &useful) const {
  llvm::DenseSet<Value> seen;
  SmallVector<Value> work = {newValue};
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!dependent.contains(value) || !seen.insert(value).second)
      continue;
    // The way back ends at values that also serve a parameter: their part is the gradient's.
    if (useful.contains(value) && shareOf(value) == Share::Reducible)
      continue;
    if (shareOf(value) == Share::Varying)
      return true;
    for (OpOperand *input :
         llvm::concat<OpOperand *const>(flow.inputs(value), flow.decisions(value))) {
      if (shareOf(input->get()) == Share::Varying)
        return true;
      work.push_back(input->get());
    }
  }
  return false;
}

void Detector::wantResultsWhole(ReductionPlan &plan) {
  llvm::DenseSet<Value> useful = findReachingParameter(flow);
  for (const StepResult &result : getStepResults(step)) {
    Value value = result.operand->get();
    if (!dependent.contains(value))
      continue;
    if (result.state && (shareOf(value) == Share::Varying || isStatistic(value, useful))) {
      plan.statistics.push_back(result.index);
      continue;
    }
    if (!result.updates.empty() && plan.placement.of(value).isPartial())
      plan.placement.wanted[result.operand] = Placement::replicated();
  }
}

/// All uses behind a cut read the reduced value. So a value with an unreduced use, where it meets a
/// rank-local one, is cut no earlier than that use.
llvm::DenseSet<Value> Detector::findUncut(const ReductionPlan &plan) const {
  llvm::DenseMap<Value, SmallVector<Value, 2>> linearIn;
  for (auto [operand, result] : plan.placement.kept)
    linearIn[result].push_back(operand->get());
  llvm::DenseSet<Value> found = uncut;
  SmallVector<Value> work;
  for (OpOperand *operand : meetsOwn)
    work.push_back(operand->get());
  while (!work.empty())
    for (Value source : linearIn.lookup(work.pop_back_val()))
      if (found.insert(source).second)
        work.push_back(source);
  return found;
}

/// Every parameter that depends on the batch is updated from combined values alone. Finds the
/// others.
SmallVector<StepResult> Detector::findUnnamed(const ReductionPlan &plan) const {
  llvm::StringSet<> named;
  for (const Reduction &reduction : plan.reductions)
    named.insert(reduction.names.begin(), reduction.names.end());
  SmallVector<StepResult> found;
  for (const StepResult &result : getStepResults(step)) {
    Value value = result.operand->get();
    if (result.parameter && dependent.contains(value) &&
        (!named.contains(result.updates) || shareOf(value) == Share::Varying))
      found.push_back(result);
  }
  return found;
}

FailureOr<DetectedPlan> Detector::run() {
  if (failed(findSamples()))
    return failure();
  findDependent();
  for (;;) {
    findOwn();
    addReportsToOwn();
    DetectedPlan plan;
    ReducedUses entries;
    placeRegion(plan, entries);
    wantResultsWhole(plan);
    cutNetwork(flow, entries, plan, findUncut(plan));
    plan.partialUses.insert(meetsOwn.begin(), meetsOwn.end());
    nameGradients(flow, plan);
    if (nameOptimized(plan))
      continue;
    findHiddenGrowth(plan);
    if (!plan.hiddenSums.empty())
      return plan; // what is found in them without their parts would be wrong
    if (makeDecisionsOwn(plan) || findOwnUses(plan) || makeCoefficient(plan) ||
        makeSecondGradientCoefficient(plan) || makeActivationCoefficient(plan) ||
        makeOthersGradientCoefficient(plan) || makeEarlierCoefficient(plan))
      continue;
    if (SmallVector<StepResult> unnamed = findUnnamed(plan); !unnamed.empty())
      return unnamed.front().operand->getOwner()->emitError("parameter '")
             << unnamed.front().updates
             << "' is updated from a value of the batch that is not linear in any gradient; ranks "
                "cannot agree on it";
    if (failed(refuseUnrecognised(plan)))
      return failure();
    plan.ended = ended;
    for (auto [value, placement] : samples.placements)
      if (placement.isSharded())
        plan.samples[value] = placement;
    for (Value value : own)
      if (shareOf(value) == Share::Varying)
        plan.own.insert(value);
    findHiddenSources(plan);
    findHiddenSums(flow, plan);
    assignPurposes(flow, [&](Value value) { return holdsSamples(value); }, plan);
    return plan;
  }
}

} // namespace ds
