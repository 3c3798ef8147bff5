//===- FusedBodies.cpp - What is best combined inside of a body -----------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan combines operands and results of operations. A fused body may compute what is to be
// combined on its way: two microbatches' gradients are added and clipped. Such a body is to be
// taken apart, because
// - `local`: two values of the rank's own make a gradient where they meet, which no result is;
// - the sum of partial values is less to combine than each of them.
//
//===----------------------------------------------------------------------===//
#include "LocalPlanner.h"

#include "ds/Analysis/BodyLinearity.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace ds {
namespace {

/// What a value of a body is made of.
enum class Origin {
  Common,
  Own,         ///< a value of the rank's own, up to what is linear
  Coefficient, ///< computed from one that is, and not linear in it
  Gradient,    ///< of the aggregation region, or born in the body
};

class HiddenBirth {
public:
  HiddenBirth(linalg::LinalgOp op, llvm::function_ref<Share(Value)> shareOf)
      : op(op), shareOf(shareOf) {}

  bool exists() {
    Block *body = op.getBlock();
    for (Operation &statement : body->without_terminator())
      if (!follow(&statement))
        return true;
    return llvm::any_of(body->getTerminator()->getOperands(),
                        [&](Value value) { return originOf(value) == Origin::Coefficient; });
  }

private:
  Origin originOf(Value value) {
    if (auto found = origins.find(value); found != origins.end())
      return found->second;
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == op.getBlock())
      value = op.getMatchingOpOperand(argument)->get();
    switch (shareOf(value)) {
    case Share::Common:
      return Origin::Common;
    case Share::Own:
      return Origin::Own;
    case Share::Region:
      return Origin::Gradient;
    }
    llvm_unreachable("all shares are covered");
  }

  /// False if a gradient is used in a way that is not linear.
  bool follow(Operation *statement) {
    llvm::SmallSetVector<Value, 4> inputs = readsOf(statement);
    inputs.remove_if([&](Value value) { return originOf(value) == Origin::Common; });
    auto any = [&](Origin origin) {
      return llvm::any_of(inputs, [&](Value value) { return originOf(value) == origin; });
    };
    Origin result = Origin::Common;
    if (inputs.size() == 1) {
      result = originOf(inputs[0]);
      if (!isLinear(statement)) {
        if (result == Origin::Gradient)
          return false;
        result = Origin::Coefficient;
      }
    } else if (inputs.size() > 1) {
      bool isProduct = isa<arith::MulFOp, arith::DivFOp>(statement);
      if (any(Origin::Coefficient) && !isProduct)
        return false;
      if (!any(Origin::Own) && !any(Origin::Coefficient) && !isLinear(statement))
        return false;
      result = Origin::Gradient;
    }
    for (Value value : statement->getResults())
      origins[value] = result;
    return true;
  }

  bool isLinear(Operation *statement) {
    BodyLinearity kinds([&](Value value) {
      return originOf(value) == Origin::Common ? Linearity::Replicated : Linearity::Linear;
    });
    kinds.walk(statement);
    return llvm::none_of(statement->getResults(),
                         [&](Value value) { return kinds.of(value) == Linearity::NonLinear; });
  }

  linalg::LinalgOp op;
  llvm::function_ref<Share(Value)> shareOf;
  llvm::SmallDenseMap<Value, Origin, 8> origins;
};

} // namespace

void LocalPlanner::findHiddenBirths(ReductionPlan &plan) const {
  auto share = [&](Value value) {
    return isCombined(value, plan.placement) ? Share::Common : shareOf(value);
  };
  for (Operation *op : flow.operations()) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp || sumsSamples(op) || llvm::none_of(op->getResults(), [&](Value result) {
          return share(result) == Share::Region;
        }))
      continue;
    OwnReads reads = findOwnReads(op, plan.placement);
    if (reads.any && !reads.alone && HiddenBirth(linalgOp, share).exists())
      plan.hiddenBirths.push_back(linalgOp);
  }
}

/// Whether the body adds partial values before it uses them otherwise.
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

void findHiddenSums(const StepFlow &flow, ReductionPlan &plan) {
  for (Operation *op : flow.operations()) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic || llvm::is_contained(plan.hiddenBirths, op))
      continue;
    llvm::SmallDenseSet<Value, 4> partial;
    for (OpOperand &operand : op->getOpOperands()) {
      auto use = plan.placement.uses.find(&operand);
      Placement placement = plan.placement.of(operand.get());
      if (use != plan.placement.uses.end() && use->second.kind == OperandUse::Need &&
          placement.isPartial() && placement.reduction == ReductionKind::Sum)
        partial.insert(operand.get());
    }
    if (partial.size() > 1 && hidesSum(generic, partial))
      plan.hiddenSums.push_back(op);
  }
}

} // namespace ds
