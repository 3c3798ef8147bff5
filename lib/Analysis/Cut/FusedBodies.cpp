//===- FusedBodies.cpp - Sums inside fused bodies -------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan reduces operands and results of operations. A fused body may compute the sum of partial
// values internally (two microbatches' gradients are added and clipped). Reducing that sum moves
// fewer bytes than reducing each addend, so such a body is unfused.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/BodyLinearity.h"
#include "ds/Analysis/Cut/ReductionNetwork.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace ds {

bool onlyChooses(OpOperand &use) {
  if (isCondition(use.get()))
    return true;
  auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
  if (!op)
    return false;
  SmallVector<Value> work = {op.getMatchingBlockArgument(&use)};
  while (!work.empty())
    for (Operation *user : work.pop_back_val().getUsers()) {
      if (user->hasTrait<OpTrait::IsTerminator>())
        return false;
      llvm::copy_if(user->getResults(), std::back_inserter(work),
                    [](Value result) { return !isCondition(result); });
    }
  return true;
}

/// True if the body adds partial values before any other use of them.
static bool hidesSum(linalg::GenericOp op, const llvm::SmallDenseSet<Value, 4> &partial) {
  BodyLinearity kinds([&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    bool isElement = argument && argument.getOwner() == op.getBody();
    return isElement && partial.contains(op.getMatchingOpOperand(argument)->get())
               ? Linearity::Linear
               : Linearity::Replicated;
  });
  kinds.walk(*op.getBody());
  return llvm::any_of(op.getBody()->without_terminator(), [&](Operation &statement) {
    llvm::SmallDenseSet<Value, 4> addends;
    for (Value operand : statement.getOperands())
      if (kinds.of(operand) == Linearity::Linear)
        addends.insert(operand);
    return addends.size() > 1 && statement.getNumResults() == 1 &&
           kinds.of(statement.getResult(0)) == Linearity::Linear;
  });
}

void findFusedSums(const StepFlow &flow, ReductionPlan &plan) {
  for (Operation *op : flow.operations()) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic)
      continue;
    llvm::SmallDenseSet<Value, 4> partial;
    for (OpOperand &operand : op->getOpOperands()) {
      Placement placement = plan.placement.of(operand.get());
      if (plan.placement.wantsWhole(operand) && placement.isPartial() &&
          placement.reduction == ReductionKind::Sum)
        partial.insert(operand.get());
    }
    if (partial.size() > 1 && hidesSum(generic, partial))
      plan.fusedSums.push_back(op);
  }
}

} // namespace ds
