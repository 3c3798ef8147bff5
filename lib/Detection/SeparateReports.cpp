//===- SeparateReports.cpp - What is combined, and what is reported -------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mark serves the update. A metric or statistic that was computed from the same value before
// detection put the mark there is the rank's own still, in two cases: the mark combines what ranks
// decide by (the loss that a step is skipped by is reported, too), or the report is a value of the
// forward pass: it reads samples, and parameters together with what is marked. The norm of
// gradients is that of the combined ones. What the report reads is copied, without the masks of a
// sum over ranks; equal operations are merged again once the collectives stand. A sweep backwards
// and one forwards per report.
//
//===----------------------------------------------------------------------===//
#include "Detector.h"

#include "ds/Analysis/Marks.h"
#include "ds/Analysis/Rewrite/LocalReference.h"
#include "ds/Dialect/IR/Roles.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace ds {
namespace {

class Reports {
public:
  Reports(func::FuncOp step, const Config &config)
      : flow(step), varying(findPerRank(flow, config)) {
    for (BlockArgument argument : step.getArguments())
      if (step.getArgAttr(argument.getArgNumber(), role::param))
        fromParameters.insert(argument);
    flow.addDependents(fromParameters, isMark);
    for (const StepResult &result : getStepResults(step))
      if (!result.updates.empty())
        updated.insert(result.operand->get());
    for (Operation *op : flow.operations())
      if (isMark(op) || (!flow.isControl(op) && holdsOnce(op)))
        detected.push_back(op);
    for (Operation *op : detected) {
      behindDetected.insert(op->result_begin(), op->result_end());
      if (!isa<GradientOp>(op)) // reports have what ranks decide by as their own
        varying.insert(op->result_begin(), op->result_end());
    }
    flow.addDependents(varying, llvm::IsaPred<GradientOp>);
    flow.addDependents(behindDetected);
  }

  void separate(ArrayRef<unsigned> statistics) {
    for (const StepResult &result : getStepResults(flow.step())) {
      Value value = result.operand->get();
      bool isReport = !result.metric.empty() || result.perSample;
      bool isStatistic = llvm::is_contained(statistics, result.index);
      if ((!isReport && !isStatistic) || !behindDetected.contains(value))
        continue;
      findPassed(value);
      copies.clear();
      result.operand->set(copyOf(value));
    }
  }

private:
  /// Finds the values of the report that follow from marks it shall not see, and those marks.
  void findPassed(Value report) {
    llvm::DenseSet<Value> origins = {report};
    flow.addOrigins(origins);
    passed.clear();
    llvm::SmallPtrSet<Operation *, 4> kept;
    for (Operation *op : detected) {
      if (!llvm::any_of(op->getResults(), [&](Value result) { return origins.contains(result); }))
        continue;
      if (isa<GradientOp>(op) && !isOfForwardPass(op, report, origins))
        kept.insert(op);
      else
        passed.insert(op->result_begin(), op->result_end());
    }
    flow.addDependents(passed, [&](Operation *op) { return kept.contains(op); });
  }

  /// Whether the report multiplies what is marked by parameters, up to their new values.
  bool isOfForwardPass(Operation *mark, Value report, const llvm::DenseSet<Value> &origins) const {
    if (!varying.contains(report))
      return false;
    llvm::DenseSet<Value> behind = {mark->getResult(0)};
    flow.addDependents(behind, [&](Operation *op) {
      return llvm::any_of(op->getOperands(), [&](Value value) { return updated.contains(value); });
    });
    auto isBehind = [&](Value value) { return behind.contains(value); };
    auto isParameter = [&](Value value) {
      return fromParameters.contains(value) && !isBehind(value);
    };
    return llvm::any_of(flow.operations(), [&](Operation *op) {
      auto reads = [&](llvm::function_ref<bool(Value)> match) {
        return llvm::any_of(flow.reads(op),
                            [&](OpOperand *operand) { return match(operand->get()); });
      };
      return llvm::any_of(op->getResults(),
                          [&](Value result) { return origins.contains(result); }) &&
             reads(isBehind) && reads(isParameter) && isLinearIn(flow, op, isBehind) &&
             !isLinearIn(flow, op,
                         [&](Value value) { return isBehind(value) || isParameter(value); });
    });
  }

  /// Control flow is copied as a whole, if nothing is combined inside of it.
  bool mayCopy(Operation *op) const {
    if (!op || !flow.isControl(op))
      return op;
    return flow.holdsOperations(op) && llvm::none_of(detected, [&](Operation *each) {
             return isMark(each) && op->isAncestor(each);
           });
  }

  Value copyOf(Value value) {
    Operation *op = value.getDefiningOp();
    if (!passed.contains(value) || !mayCopy(op))
      return value;
    if (isMark(op) || isa<ReplicatedToPartialOp>(op))
      return copyOf(op->getOperand(0));
    if (Value known = copies.lookup(value))
      return known;
    llvm::SetVector<Value> inputs(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), inputs);
    IRMapping mapping;
    for (Value input : inputs)
      mapping.map(input, copyOf(input));
    OpBuilder b(op->getContext());
    b.setInsertionPointAfter(op);
    Operation *copy = b.clone(*op, mapping);
    copy->walk([](ReplicatedToPartialOp once) {
      once.getResult().replaceAllUsesWith(once.getValue());
      once.erase();
    });
    for (auto [original, result] : llvm::zip_equal(op->getResults(), copy->getResults()))
      copies[original] = result;
    return copies[value];
  }

  StepFlow flow;
  llvm::DenseSet<Value> varying, fromParameters, updated;
  /// Marks, and operations in which what all ranks add alike to a sum is masked.
  SmallVector<Operation *> detected;
  llvm::DenseSet<Value> behindDetected; // depends on a mark or mask, as few reports do
  llvm::DenseSet<Value> passed;
  llvm::DenseMap<Value, Value> copies;
};

} // namespace

void separateReports(func::FuncOp step, const Config &config, ArrayRef<unsigned> statistics) {
  Reports(step, config).separate(statistics);
}

} // namespace ds
