//===- MarkStep.cpp - Writes detected reductions into the step ------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detection is repeated as long as a body had to be unfused. Then every reduction that was found
// becomes an annotation, used by the readers of the reduced value.
//
//===----------------------------------------------------------------------===//
#include "ds/Detection/Detection.h"
#include "ds/Rewrite/MaskReplicated.h"
#include "ds/Rewrite/Unfuse.h"

#include "Detector.h"

#include "ds/Analysis/Marks.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace ds {
namespace {

/// Unfuses the bodies that hide a value to be annotated.
FailureOr<bool> unfuseBodies(const DetectedPlan &plan) {
  bool any = false;
  for (Operation *op : plan.fusedSources) {
    Location loc = op->getLoc();
    if (!unfuse(op))
      return emitError(loc, "a gradient is made and used in one body that cannot be unfused; "
                            "make it the result of an operation");
    any = true;
  }
  for (Operation *op : plan.fusedSums)
    any |= unfuse(op);
  return any;
}

/// Returns the placement of an operand of the aggregation region; none if the plan has placed it.
std::optional<Placement> placementOfOwn(const DetectedPlan &plan,
                                        const llvm::DenseSet<OpOperand *> &combined,
                                        OpOperand &operand) {
  if (auto samples = plan.samples.find(operand.get()); samples != plan.samples.end())
    return samples->second;
  if (combined.contains(&operand))
    return Placement::replicated();
  // Another statistic of the rank: in a sum over ranks it is the rank's part.
  if (plan.own.contains(operand.get()))
    return Placement::partial(ReductionKind::Sum);
  return std::nullopt;
}

void maskAlike(const StepFlow &flow, const DetectedPlan &plan) {
  llvm::DenseSet<OpOperand *> combined;
  for (const Reduction &reduction : plan.reductions)
    combined.insert(reduction.reducedUses.begin(), reduction.reducedUses.end());
  maskReplicated(flow, plan,
                 [&](OpOperand &operand) { return placementOfOwn(plan, combined, operand); });
}

void mark(const Reduction &reduction, const DetectedPlan &plan) {
  SmallVector<OpOperand *> uses = plan.findCombinedUses(reduction);
  OpBuilder b(reduction.value.getContext());
  b.setInsertionPointAfterValue(reduction.value);
  Value marked = reduction.value;
  for (StringRef name : reduction.names)
    marked = markGradient(b, marked, name);
  for (OpOperand *use : uses)
    use->set(marked);
}

} // namespace

GradientOp markGradient(OpBuilder &b, Value value, StringRef parameter) {
  remark::passed(value.getLoc(),
                 remark::RemarkOpts::name("GradientFound").category("ds-detect-gradients"))
      << "gradient of" << parameter << remark::metric("bytes", getWireBytes(value));
  return GradientOp::create(b, value.getLoc(), value.getType(), value, b.getStringAttr(parameter),
                            /*pinned=*/nullptr);
}

LogicalResult markLocalStep(func::FuncOp step, const Config &config) {
  if (hasMarks(step))
    return success();
  for (;;) {
    StepFlow flow(step);
    FailureOr<DetectedPlan> plan = Detector(flow, config).run();
    if (failed(plan))
      return failure();
    FailureOr<bool> changed = unfuseBodies(*plan);
    if (failed(changed))
      return failure();
    if (*changed)
      continue;
    // The mean of n equal addends is the addend, so no addend is masked.
    if (!config.gradientsMean())
      maskAlike(flow, *plan);
    for (const Reduction &reduction : plan->reductions)
      mark(reduction, *plan);
    return success();
  }
}

} // namespace ds
