//===- Decisions.cpp - What chooses between old and new parameters --------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loss that a step is skipped by reaches the new parameters through a comparison, behind the
// gradients. It is no coefficient of a gradient: ranks must choose alike, so it is combined where
// it is. In `scf.if` that is a condition; canonicalisation makes selects of small branches, and
// fusion puts both into a body.
//
//===----------------------------------------------------------------------===//
#include "Detector.h"

using namespace mlir;

namespace ds {

bool Detector::onlyDecides(const Reduction &reduction, const ReductionPlan &plan) const {
  // Masks of activations choose as well, element by element.
  if (elementCountOf(reduction.value) != 1 || isCondition(reduction.value))
    return false;
  llvm::DenseSet<Value> useful = findReachingParameter(flow), behindGradients;
  for (const Reduction &other : plan.reductions)
    if (!other.names.empty())
      llvm::for_each(readingReduced(other), [&](Value value) { behindGradients.insert(value); });
  flow.addDependents(behindGradients);

  llvm::DenseSet<OpOperand *> parameters; // as the step returns them
  for (const StepResult &result : getStepResults(step))
    if (result.parameter)
      parameters.insert(result.operand);
  llvm::DenseSet<Value> seen;
  SmallVector<OpOperand *> work = reduction.reducedUses;
  auto follow = [&](Value value) {
    if (seen.insert(value).second)
      for (OpOperand &use : value.getUses())
        work.push_back(&use);
  };
  if (work.empty())
    follow(reduction.value);
  bool chooses = false;
  while (!work.empty()) {
    OpOperand *use = work.pop_back_val();
    Operation *op = flow.unitOf(use->getOwner());
    for (Value target : flow.targets(*use))
      follow(target);
    if (flow.isControl(op))
      continue;
    if (op->hasTrait<OpTrait::IsTerminator>()) {
      if (parameters.contains(use))
        return false;
      continue;
    }
    auto reaches = [&](Value result) { return useful.contains(result); };
    if (llvm::none_of(op->getResults(), reaches))
      continue;
    bool makesCondition = llvm::all_of(op->getResults(), isCondition);
    if (makesCondition || !onlyChooses(*use)) {
      llvm::for_each(op->getResults(), follow);
      continue;
    }
    if (llvm::none_of(flow.operands(op),
                      [&](OpOperand *operand) { return behindGradients.contains(operand->get()); }))
      return false;
    chooses = true;
  }
  return chooses;
}

} // namespace ds
