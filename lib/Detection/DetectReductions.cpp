//===- DetectReductions.cpp - Reductions of an unmarked step --------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `local`: every rank runs the unchanged step. Values that carry samples, and those that reach such
// a value (batch statistics), stay rank-local. The other values that depend on the batch are the
// aggregation region; a value enters it where it is computed from rank-local data, and it is
// reduced before any non-linear operation and before it leaves the step. A reduced value that has
// the size of a parameter's gradient becomes an annotation; no other value does. Whether these
// alone make ranks agree on every parameter is proved by the planner of annotated steps.
//
//===----------------------------------------------------------------------===//
#include "Detector.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace ds {

/// Places the values inside the region: rank-local data makes partial values, everything else
/// follows the rules of `global`.
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
  if (reads.alone && !holdsSamples(inputs[0]))
    reads.entry = inputs[0];
  return reads;
}

/// Where an operation only adds several rank-local values, all of them enter the region; a
/// replicated addend of one of them counts once in the sum.
bool Detector::placeSum(Operation *op, StepPlacement &placement, ReducedUses &entries) {
  SmallVector<OpOperand *> addends;
  for (OpOperand *operand : flow.operands(op)) {
    Value value = operand->get();
    if (shareOf(value) != Share::Varying)
      continue;
    if (holdsSamples(value))
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
  for (auto [operand, required] : rule.required)
    isSum &= !required.isReplicated();
  if (!isSum)
    return false;
  for (OpOperand *operand : addends)
    entries[operand->get()].push_back(operand);
  placement.record(rule);
  return true;
}

void Detector::placeInRegion(Operation *op, StepPlacement &placement, ReducedUses &entries) {
  auto [readsOwn, alone, entry] = findOwnReads(op, placement);
  if (readsOwn && !entry) {
    if (!alone && placeSum(op, placement, entries))
      return;
    for (Value result : op->getResults()) {
      placement.placements[result] = Placement::partial(ReductionKind::Sum);
      placement.partialSources.insert(result);
    }
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
  for (OpOperand *operand : flow.operands(op))
    if (operand->get() == entry)
      entries[entry].push_back(operand);
  placement.record(rule);
}

/// Outside the region, and in conditions, an updated value is used reduced.
void Detector::wantUpdatesWhole(Operation *op, StepPlacement &placement) {
  if (op->hasTrait<OpTrait::IsTerminator>() && !flow.isControl(op))
    return;
  for (OpOperand *operand : flow.reads(op)) {
    if (shareOf(operand->get()) == Share::Reducible && placement.of(operand->get()).isPartial())
      placement.required[operand] = Placement::replicated();
  }
}

llvm::DenseSet<Value> Detector::findReachingParameter() const {
  SmallVector<Value> work;
  for (const StepResult &result : getStepResults(step))
    if (result.parameter)
      work.push_back(result.operand->get());
  llvm::DenseSet<Value> found(work.begin(), work.end());
  while (!work.empty())
    for (OpOperand *input : flow.inputs(work.pop_back_val()))
      if (!isCondition(input->get()) && found.insert(input->get()).second)
        work.push_back(input->get());
  return found;
}

void Detector::wantResultsWhole(ReductionPlan &plan) {
  for (const StepResult &result : getStepResults(step))
    if (!result.updates.empty() && shareOf(result.operand->get()) == Share::Reducible &&
        plan.placement.of(result.operand->get()).isPartial())
      plan.placement.required[result.operand] = Placement::replicated();
}

/// All uses after a cut read the reduced value. So a value with an unreduced use, where it meets a
/// rank-local one, is cut no earlier than that use.
llvm::DenseSet<Value> Detector::findUncut(const ReductionPlan &plan) const {
  llvm::DenseMap<Value, SmallVector<Value, 2>> linearIn;
  for (auto [operand, result] : plan.placement.kept)
    linearIn[result].push_back(operand->get());
  llvm::DenseSet<Value> found;
  SmallVector<Value> work;
  for (OpOperand *operand : meetsOwn)
    work.push_back(operand->get());
  while (!work.empty())
    for (Value source : linearIn.lookup(work.pop_back_val()))
      if (found.insert(source).second)
        work.push_back(source);
  return found;
}

/// True if only linear operations read the reduced value, up to the new values of the step.
bool Detector::isReadLinearly(const Reduction &reduction, const ReductionPlan &plan) const {
  SmallVector<OpOperand *> uses = plan.findCombinedUses(reduction);
  llvm::DenseSet<Value> linear = {reduction.value};
  auto follow = [&](Value value) {
    if (linear.insert(value).second)
      for (OpOperand &next : value.getUses())
        uses.push_back(&next);
  };
  while (!uses.empty()) {
    OpOperand *use = uses.pop_back_val();
    Operation *op = flow.unitOf(use->getOwner());
    llvm::for_each(flow.targets(*use), follow);
    if (flow.isControl(op) || op->hasTrait<OpTrait::IsTerminator>())
      continue;
    PlacementRule rule(op, flow.operands(op), 1, [&](OpOperand &operand) {
      return linear.contains(operand.get()) ? Placement::partial(ReductionKind::Sum) : Placement();
    });
    placeOperation(op, rule);
    if (rule.reason ||
        llvm::any_of(rule.required, [](const auto &each) { return each.second.isReplicated(); }))
      return false;
    llvm::for_each(op->getResults(), follow);
  }
  return true;
}

/// Refuses a "gradient" that does not depend on its parameter and has a non-linear use: a statistic
/// with as many elements as the parameter, from which the gradient is computed, looks the same. The
/// gradient of a loss that is linear in the parameter is refused with it.
LogicalResult Detector::refuseStatistics(const ReductionPlan &plan) const {
  for (const Reduction &reduction : plan.reductions)
    for (const StepResult &result : getStepResults(step)) {
      if (!result.parameter || !llvm::is_contained(reduction.names, result.updates))
        continue;
      llvm::DenseSet<Value> following = {result.parameter};
      flow.addDependents(following);
      if (!following.contains(reduction.value) && !isReadLinearly(reduction, plan))
        return emitError(reduction.value.getLoc())
               << "this value has the size of the gradient of parameter '" << result.updates
               << "' but does not depend on that parameter, and more than its multiples is used; "
                  "mark the gradient: %g = ds.gradient %dw of \""
               << result.updates << "\" (in JAX: dstep.jax.gradients)";
    }
  return success();
}

/// Refuses a reduction that reaches a parameter without being a gradient by its size: a smaller
/// form of a gradient, a factor of one, or a value that decides about the update.
LogicalResult Detector::refuseUnnamed(const ReductionPlan &plan) const {
  for (const Reduction &reduction : plan.reductions) {
    if (!reduction.names.empty())
      continue;
    for (const StepResult &result : getStepResults(step)) {
      if (!result.parameter)
        continue;
      llvm::DenseSet<Value> origins = {result.operand->get()};
      flow.addOrigins(origins);
      if (!origins.contains(reduction.value))
        continue;
      bool decides = !findReachingParameter().contains(reduction.value);
      auto error = emitError(reduction.value.getLoc())
                   << "parameter '" << result.updates << "' is ";
      if (decides)
        return error
               << "updated or not by this value, which differs from rank to rank; combine it: "
                  "%c = ds.combine mean %loss (in JAX: jax.lax.pmean)";
      return error << "updated from this value, which differs from rank to rank and does not have "
                      "the size of a gradient; mark the gradient: %g = ds.gradient %dw of \""
                   << result.updates << "\" (in JAX: dstep.jax.gradients)";
    }
  }
  return success();
}

FailureOr<DetectedPlan> Detector::run() {
  findDependent();
  if (failed(findSamples()))
    return failure();
  findOwn();
  addReportsToOwn();
  DetectedPlan plan;
  ReducedUses entries;
  placeRegion(plan, entries);
  wantResultsWhole(plan);
  cutNetwork(flow, entries, plan, findUncut(plan));
  plan.partialUses.insert(meetsOwn.begin(), meetsOwn.end());
  findFusedSources(plan);
  if (!plan.fusedSources.empty())
    return plan; // without the parts of fused bodies the result would be wrong
  nameGradients(flow, plan);
  if (failed(refuseUnnamed(plan)) || failed(refuseStatistics(plan)))
    return failure();
  llvm::erase_if(plan.reductions, [](const Reduction &each) { return each.names.empty(); });
  for (auto [value, placement] : samples.placements)
    if (placement.isSharded())
      plan.samples[value] = placement;
  for (Value value : own)
    if (shareOf(value) == Share::Varying)
      plan.own.insert(value);
  findFusedSums(flow, plan);
  return plan;
}

} // namespace ds
