//===- SeparateReports.cpp - What is decided with, and reported -----------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `local`: ranks that go on or skip a step by their loss decide by the combined one, while a metric
// or statistic of the same loss is that of each rank. One value cannot be both, so what a report
// reads is copied, from where it is made of samples. Equal operations are merged again once the
// collectives stand. One sweep over the step.
//
//===----------------------------------------------------------------------===//
#include "Detector.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace ds {
namespace {

class Reports {
public:
  Reports(const StepFlow &flow, const DetectedPlan &plan) : flow(flow), plan(plan) {}

  bool separate() {
    findDecided();
    bool changed = false;
    for (const StepResult &result : getStepResults(flow.step())) {
      bool isReport = !result.metric.empty() || llvm::is_contained(plan.statistics, result.index);
      if (!isReport || !decided.contains(result.operand->get()))
        continue;
      result.operand->set(copyOf(result.operand->get()));
      changed = true;
    }
    return changed;
  }

private:
  bool isCopied(Operation *op) const { return op && !flow.isControl(op); }

  /// What is computed from values that are combined for no gradient, up to new parameters.
  void findDecided() {
    for (const Reduction &reduction : plan.reductions) {
      if (reduction.zone != Zone::State || !reduction.names.empty())
        continue;
      if (reduction.entryUses.empty() && isCopied(reduction.value.getDefiningOp()))
        decided.insert(reduction.value);
      for (OpOperand *use : reduction.entryUses)
        if (Operation *unit = flow.unitOf(use->getOwner()); isCopied(unit))
          decided.insert(unit->result_begin(), unit->result_end());
    }
    if (decided.empty())
      return;
    llvm::DenseSet<Value> updates = findReachingParameter(flow);
    for (Operation *op : flow.operations()) {
      bool follows = llvm::any_of(
          flow.reads(op), [&](OpOperand *operand) { return decided.contains(operand->get()); });
      if (follows && isCopied(op) &&
          llvm::none_of(op->getResults(), [&](Value result) { return updates.contains(result); }))
        decided.insert(op->result_begin(), op->result_end());
    }
  }

  Value copyOf(Value value) {
    if (!decided.contains(value))
      return value;
    if (Value known = copies.lookup(value))
      return known;
    Operation *op = value.getDefiningOp();
    IRMapping mapping;
    for (OpOperand *operand : flow.reads(op))
      mapping.map(operand->get(), copyOf(operand->get()));
    OpBuilder b(op->getContext());
    b.setInsertionPointAfter(op);
    Operation *copy = b.clone(*op, mapping);
    for (auto [original, result] : llvm::zip_equal(op->getResults(), copy->getResults()))
      copies[original] = result;
    return copies[value];
  }

  const StepFlow &flow;
  const DetectedPlan &plan;
  llvm::DenseSet<Value> decided;
  llvm::DenseMap<Value, Value> copies;
};

} // namespace

bool separateReports(const StepFlow &flow, const DetectedPlan &plan) {
  return Reports(flow, plan).separate();
}

} // namespace ds
