//===- Coefficients.cpp - What is combined in place of a gradient ---------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan may combine values that gradients are only made of. They are treated as the rank's own in
// the next plan, which then combines what is made of them.
//
//===----------------------------------------------------------------------===//
#include "Detector.h"

#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace ds {

/// Whether a value of more elements is linear in what is combined and leads to a parameter of so
/// many: the gradient of a matrix may be the product of a statistic and something that all have.
bool Detector::growsIntoGradient(const Reduction &reduction, const ReductionPlan &plan) const {
  llvm::DenseMap<Value, SmallVector<Value, 2>> linearIn;
  for (auto [operand, result] : plan.placement.kept)
    linearIn[operand->get()].push_back(result);
  llvm::DenseSet<Value> paths = findUpdatePaths(flow), seen;
  SmallVector<Value> work = {reduction.value};
  while (!work.empty()) {
    for (Value result : linearIn.lookup(work.pop_back_val())) {
      if (!seen.insert(result).second)
        continue;
      if (elementCountOf(result) > elementCountOf(reduction.value) && paths.contains(result))
        return true;
      work.push_back(result);
    }
  }
  return false;
}

bool isLinearIn(const StepFlow &flow, Operation *op, llvm::function_ref<bool(Value)> isPartial) {
  if (flow.isControl(op))
    return false;
  PlacementRule rule(op, flow.operands(op), 1, [&](OpOperand &operand) {
    return isPartial(operand.get()) ? Placement::partial(ReductionKind::Sum) : Placement();
  });
  placeOperation(op, rule);
  return !rule.reason && llvm::all_of(rule.results, [](Placement at) { return at.isPartial(); }) &&
         llvm::none_of(rule.wanted, [](const auto &each) { return each.second.isReplicated(); });
}

/// What is made of the values at these uses by one operation.
static SmallVector<Value> madeAt(ArrayRef<OpOperand *> uses, const StepFlow &flow) {
  SmallVector<Value> made;
  for (OpOperand *use : uses) {
    ArrayRef<Value> targets = flow.targets(*use);
    if (targets.empty())
      llvm::append_range(made, flow.unitOf(use->getOwner())->getResults());
    llvm::append_range(made, targets);
  }
  return made;
}

SmallVector<Value> Detector::readingReduced(const Reduction &reduction) const {
  return reduction.reducedUses.empty() ? SmallVector<Value>{reduction.value}
                                       : madeAt(reduction.reducedUses, flow);
}

bool Detector::addCoefficient(Value value) {
  if (!coefficients.insert(value).second)
    return false;
  for (Operation *user : value.getUsers())
    if (isa<ShardingConstraintOp>(user)) // says where the value is, not what it is
      addCoefficient(user->getResult(0));
  return true;
}

/// Makes what is combined the rank's own, or what is computed of it and `matters`.
bool Detector::makeCoefficient(const Reduction &reduction,
                               llvm::function_ref<bool(Value)> matters) {
  bool changed = false;
  for (Value value : readingReduced(reduction))
    if (matters(value))
      changed |= addCoefficient(value);
  return changed;
}

/// Whether ranks decide by a function of the combined value, and nothing is updated from it: the
/// square of a mean, in the loss that a step is skipped by. The loss is combined instead.
bool Detector::isPartOfDecision(const Reduction &reduction, const ReductionPlan &plan,
                                const llvm::DenseSet<Value> &updating) const {
  if (!reduction.names.empty() || llvm::any_of(readingReduced(reduction), [&](Value value) {
        return updating.contains(value);
      }))
    return false;
  SmallVector<OpOperand *> uses = plan.findCombinedUses(reduction);
  llvm::DenseSet<Value> linear = {reduction.value};
  while (!uses.empty()) {
    OpOperand *use = uses.pop_back_val();
    Operation *op = flow.unitOf(use->getOwner());
    if (flow.isControl(op) || op->hasTrait<OpTrait::IsTerminator>() || onlyChooses(*use) ||
        llvm::all_of(op->getResults(), isCondition))
      continue;
    if (!isLinearIn(flow, op, [&](Value value) { return linear.contains(value); }))
      return true;
    for (Value result : op->getResults())
      if (linear.insert(result).second)
        for (OpOperand &next : result.getUses())
          uses.push_back(&next);
  }
  return false;
}

/// Comparisons do not add up: one with a coefficient of the rank's own (how often a matrix is
/// halved in the gradient of its exponential) is a decision of its own.
bool Detector::makeDecisionsOwn(const ReductionPlan &plan) {
  bool changed = false;
  for (const Reduction &reduction : plan.reductions)
    if (reduction.kind == ReductionKind::Sum && isCondition(reduction.value))
      changed |= addCoefficient(reduction.value);
  return changed;
}

/// With one sample per rank a layer's output may look like the gradient of its bias. Of several
/// gradients of one parameter the first in the step, which plans name first, is a coefficient of
/// the others.
bool Detector::makeSecondGradientCoefficient(const ReductionPlan &plan) {
  if (!isSingletonBatch)
    return false;
  llvm::StringMap<const Reduction *> known;
  for (const Reduction &reduction : plan.reductions)
    for (const std::string &name : reduction.names) {
      auto [it, isFirst] = known.insert({name, &reduction});
      if (isFirst)
        continue;
      llvm::DenseSet<Value> useful = findReachingParameter(flow);
      return makeCoefficient(*it->second, [&](Value value) { return useful.contains(value); });
    }
  return false;
}

/// Where the dimension of the only sample is merged with others or gone, each sum over them looks
/// like one over samples, and a layer's output like the gradient of a parameter of as many
/// elements. It is none if a parameter that follows from it has no other gradient.
bool Detector::makeOthersGradientCoefficient(const ReductionPlan &plan) {
  if (!isSingletonBatch)
    return false;
  SmallVector<Value> updated;
  for (const StepResult &result : findUnnamed(plan))
    updated.push_back(result.operand->get());
  llvm::DenseSet<Value> useful = findComputing(flow, updated);
  auto isUseful = [&](Value value) { return useful.contains(value); };
  return llvm::any_of(plan.reductions, [&](const Reduction &reduction) {
    return isUseful(reduction.value) && makeCoefficient(reduction, isUseful);
  });
}

/// Whether a gradient of another parameter is made of the value as the rank has it, and not
/// linearly.
bool Detector::isActivation(const Reduction &reduction, const ReductionPlan &plan) const {
  llvm::DenseSet<OpOperand *> combined;
  for (const Reduction &each : plan.reductions)
    combined.insert_range(plan.findCombinedUses(each));
  llvm::DenseSet<Value> following = {reduction.value}, linear = following;
  auto isLinear = [&](Value value) { return linear.contains(value); };
  auto follows = [&](OpOperand *use) {
    return following.contains(use->get()) && !combined.contains(use);
  };
  auto add = [&](Value value, bool isLinear) {
    following.insert(value);
    if (isLinear)
      linear.insert(value);
  };
  for (Operation *op : flow.operations()) {
    for (OpOperand &operand : op->getOpOperands())
      if (follows(&operand))
        for (Value target : flow.targets(operand))
          add(target, isLinear(operand.get()));
    if (flow.isControl(op) || !llvm::any_of(flow.reads(op), follows))
      continue;
    bool keeps =
        llvm::all_of(flow.reads(op),
                     [&](OpOperand *use) { return !follows(use) || isLinear(use->get()); }) &&
        isLinearIn(flow, op, isLinear);
    for (Value result : op->getResults())
      add(result, keeps);
  }
  return llvm::any_of(plan.reductions, [&](const Reduction &other) {
    return !other.names.empty() && other.value != reduction.value &&
           following.contains(other.value) && !linear.contains(other.value);
  });
}

/// Backpropagation is linear in the gradients that it passes on. What other gradients are made of
/// in another way is the output of a layer, though as of one sample it looks like one.
bool Detector::makeActivationCoefficient(const ReductionPlan &plan) {
  if (!isSingletonBatch)
    return false;
  llvm::DenseSet<Value> useful = findReachingParameter(flow);
  bool changed = false;
  for (const Reduction &reduction : plan.reductions)
    if (!reduction.names.empty() && !reduction.reducedUses.empty() &&
        isActivation(reduction, plan)) {
      // First what is made of it is the gradient, then what is made of that.
      if (addCoefficient(reduction.value))
        changed = true;
      else
        changed |= makeCoefficient(reduction, [&](Value value) { return useful.contains(value); });
    }
  return changed;
}

/// Gradients are combined behind the whole backward pass. What another gradient is made of once it
/// is combined, and not through a new parameter or state, is the output of a layer that looks like
/// one: the first such value is the rank's own.
bool Detector::makeEarlierCoefficient(const ReductionPlan &plan) {
  if (!isSingletonBatch)
    return false;
  llvm::DenseSet<Value> updates = findUpdates(), useful = findReachingParameter(flow);
  auto isUpdate = [&](Value value) { return updates.contains(value); };
  auto updatesThere = [&](Operation *op) { return llvm::any_of(op->getResults(), isUpdate); };
  for (const Reduction &reduction : plan.reductions) {
    if (reduction.names.empty())
      continue;
    SmallVector<Value> made = madeAt(plan.findCombinedUses(reduction), flow);
    llvm::erase_if(made, isUpdate);
    llvm::DenseSet<Value> following(made.begin(), made.end());
    flow.addDependents(following, updatesThere);
    if (llvm::any_of(plan.reductions, [&](const Reduction &other) {
          return !other.names.empty() && other.value != reduction.value &&
                 following.contains(other.value);
        }))
      return makeCoefficient(reduction, [&](Value value) { return useful.contains(value); });
  }
  return false;
}

/// With one sample per rank the gradient of a bias is also what the layer before is trained by.
/// What coefficients of the rank's own are made of is not what ranks combined for a parameter.
bool Detector::findOwnUses(const ReductionPlan &plan) {
  llvm::DenseMap<Value, SmallVector<Value, 2>> linearIn;
  for (auto [operand, result] : plan.placement.kept)
    linearIn[operand->get()].push_back(result);
  llvm::DenseSet<Value> combined;
  SmallVector<Value> work;
  for (const Reduction &reduction : plan.reductions)
    if (!reduction.names.empty())
      work.push_back(reduction.value);
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (combined.insert(value).second)
      llvm::append_range(work, linearIn.lookup(value));
  }
  bool changed = false;
  for (auto [operand, wanted] : plan.placement.wanted) {
    Operation *op = flow.unitOf(operand->getOwner());
    auto isCoefficient = [&](Value result) { return coefficients.contains(result); };
    if (wanted.isReplicated() && combined.contains(operand->get()) && !flow.isControl(op) &&
        llvm::any_of(op->getResults(), isCoefficient))
      changed |= ownUses.insert(operand).second;
  }
  return changed;
}

/// Whether what the uses read is, up to factors, only multiplied by itself. Optimizers take squares
/// of gradients beside gradients; a square alone is one of a statistic.
static bool areOnlySquared(SmallVector<OpOperand *> uses) {
  bool isSquared = false;
  auto follow = [&](Value value) {
    for (OpOperand &use : value.getUses())
      uses.push_back(&use);
  };
  while (!uses.empty()) {
    OpOperand *use = uses.pop_back_val();
    Operation *user = use->getOwner();
    if (auto op = dyn_cast<linalg::LinalgOp>(user))
      follow(op.getMatchingBlockArgument(use));
    else if (isa<linalg::YieldOp>(user))
      follow(user->getParentOp()->getResult(use->getOperandNumber()));
    else if (!isa<arith::MulFOp>(user))
      return false;
    else if (user->getOperand(0) == user->getOperand(1))
      isSquared = true;
    else
      follow(user->getResult(0));
  }
  return isSquared;
}

/// Whether what is called a gradient is a statistic of which the gradient is the square. Parameters
/// of one element have as many as any mean; a statistic does not depend on the parameter.
bool Detector::isSquaredStatistic(const Reduction &reduction) const {
  if (elementCountOf(reduction.value) != 1)
    return false;
  SmallVector<OpOperand *> uses = reduction.reducedUses;
  if (uses.empty())
    for (OpOperand &use : reduction.value.getUses())
      uses.push_back(&use);
  if (!areOnlySquared(std::move(uses)))
    return false;
  llvm::DenseSet<Value> following;
  for (const StepResult &result : getStepResults(step))
    if (result.parameter && llvm::is_contained(reduction.names, result.updates))
      following.insert(result.parameter);
  flow.addDependents(following);
  return !following.contains(reduction.value);
}

/// Reductions that reach a parameter without being its gradient become the rank's own, but for
/// those that its gradient is linear in: that is combined instead. False if there are none.
///
/// Scalars are asked last: whether one decides about a step shows where parameters are chosen that
/// follow from combined gradients, and those of some may still be hidden by another reduction.
bool Detector::makeCoefficient(const ReductionPlan &plan) {
  llvm::DenseSet<Value> useful = findReachingParameter(flow), updating = findUseful();
  bool changed = false;
  auto visit = [&](const Reduction &reduction) {
    if (isPartOfDecision(reduction, plan, updating)) {
      changed |= makeCoefficient(reduction, [](Value) { return true; });
      return;
    }
    if ((!reduction.names.empty() && !isSquaredStatistic(reduction)) ||
        !useful.contains(reduction.value) || onlyDecides(reduction, plan))
      return;
    if (!uncut.contains(reduction.value) && growsIntoGradient(reduction, plan)) {
      changed |= uncut.insert(reduction.value).second;
      return;
    }
    changed |= makeCoefficient(reduction, [&](Value value) { return useful.contains(value); });
  };
  for (bool isScalar : {false, true}) {
    for (const Reduction &reduction : plan.reductions)
      if ((elementCountOf(reduction.value) == 1) == isScalar)
        visit(reduction);
    if (changed)
      break;
  }
  return changed;
}

} // namespace ds
