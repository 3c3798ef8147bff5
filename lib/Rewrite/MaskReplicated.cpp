//===- MaskReplicated.cpp - Replicated addends under a sum over ranks -----===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a partial sum has a replicated addend (weight decay, a non-zero init, the start of an
// accumulation), n ranks would add it n times. The addend is wrapped in `ds.replicated_to_partial`,
// which is the value on one rank and zero on the others. One sweep over the step.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/Cut/ReductionPlan.h"

using namespace mlir;

namespace ds {

/// Returns the partial values that end in a sum over ranks. The others (running statistics, metrics
/// of the rank) are read as the rank computes them, so none of their addends is counted n times.
static llvm::DenseSet<Value> findSummed(const ReductionPlan &plan) {
  auto partialSources = plan.findPartialSources();
  llvm::DenseSet<Value> summed;
  SmallVector<Value> work;
  for (const Reduction &reduction : plan.reductions)
    if (summed.insert(reduction.value).second)
      work.push_back(reduction.value);
  while (!work.empty())
    for (Value source : partialSources.lookup(work.pop_back_val()))
      if (summed.insert(source).second)
        work.push_back(source);
  return summed;
}

/// Masks a replicated value that starts or replaces a partial sum carried by control flow.
static void maskSource(OpOperand &operand, Placement at) {
  if (!at.isReplicated() || at.zero || at.undefined)
    return;
  OpBuilder b(operand.getOwner());
  Value value = operand.get();
  operand.set(
      ReplicatedToPartialOp::create(b, value.getLoc(), value.getType(), ReductionKind::Sum, value));
}

void maskReplicated(const StepFlow &flow, const ReductionPlan &plan,
                    llvm::function_ref<std::optional<Placement>(OpOperand &)> known) {
  llvm::DenseSet<Value> summed = findSummed(plan);
  auto isSummed = [&](Value value) {
    return summed.contains(value) && plan.placement.of(value).isPartial();
  };
  llvm::DenseSet<Value> reduced;
  for (const Reduction &reduction : plan.reductions)
    reduced.insert(reduction.value);
  auto afterCut = [&](OpOperand &operand) {
    if (plan.partialUses.contains(&operand))
      return Placement::partial(ReductionKind::Sum);
    if (plan.placement.required.count(&operand) && plan.placement.of(operand.get()).isSharded())
      return Placement::replicated();
    if (std::optional<Placement> placement = known(operand))
      return *placement;
    Placement placement = plan.placement.of(operand.get());
    // The partial sum of a rank, to which a loop adds in each iteration.
    if (placement.isPartial() && plan.partialValues.contains(operand.get()) &&
        !reduced.contains(operand.get()))
      return placement;
    return placement.isPartial() ? Placement::replicated() : placement;
  };
  for (Operation *op : flow.operations()) {
    if (flow.isControl(op)) {
      for (OpOperand &operand : op->getOpOperands())
        if (llvm::any_of(flow.targets(operand), isSummed))
          maskSource(operand, afterCut(operand));
      continue;
    }
    if (llvm::none_of(op->getResults(), isSummed) || isa<ReplicatedToPartialOp>(op))
      continue;
    auto combinedBy = [&](unsigned index) -> std::optional<ReductionKind> {
      Value result = op->getResult(index);
      return isSummed(result) ? std::optional(plan.placement.of(result).reduction) : std::nullopt;
    };
    if (auto interface = dyn_cast<PlacementOpInterface>(op))
      interface.maskReplicated(afterCut, combinedBy);
    else
      maskOperands(op, afterCut);
  }
  if (ArrayAttr axes = plan.placement.ranks.axes)
    flow.step().walk([&](ReplicatedToPartialOp once) {
      if (!once.getGroup())
        once.setGroupAttr(axes);
    });
}

} // namespace ds
