//===- FusedSources.cpp - Gradients made in the middle of a body ----------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gradient is made where two rank-local values meet. In a fused body that may not be a result:
// the gradient is made and clipped at once. Such a body must be unfused.
//
//===----------------------------------------------------------------------===//
#include "Detector.h"

#include "ds/Analysis/BodyLinearity.h"
#include "ds/Analysis/ScalarRule.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace ds {
namespace {

/// The origin of a value inside a body.
enum class Origin {
  Common,
  Own,         ///< a rank-local value, up to linear operations
  Coefficient, ///< computed from a rank-local value, and not linear in it
  Gradient,    ///< of the aggregation region, or made in the body
};

class FusedSource {
public:
  FusedSource(linalg::LinalgOp op, llvm::function_ref<Share(Value)> shareOf)
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
    case Share::Replicated:
      return Origin::Common;
    case Share::Varying:
      return Origin::Own;
    case Share::Reducible:
      return Origin::Gradient;
    }
    llvm_unreachable("all shares are covered");
  }

  /// Returns false if a gradient is used by a non-linear operation.
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
      bool isProduct =
          statement->getNumResults() == 1 && getScalarRule(statement->getOpResult(0)).isProduct();
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

/// True if the body is one statement, so that its value is the result of the operation.
bool isOneStatement(linalg::LinalgOp op) {
  return llvm::count_if(op.getBlock()->without_terminator(), [](Operation &statement) {
           return !statement.hasTrait<OpTrait::ConstantLike>();
         }) <= 1;
}

} // namespace

void Detector::findFusedSources(DetectedPlan &plan) const {
  auto share = [&](Value value) {
    return isCombined(value, plan.placement) ? Share::Replicated : shareOf(value);
  };
  for (Operation *op : flow.operations()) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp || isOneStatement(linalgOp) || sumsSamples(op) ||
        llvm::none_of(op->getResults(),
                      [&](Value result) { return share(result) == Share::Reducible; }))
      continue;
    OwnReads reads = findOwnReads(op, plan.placement);
    if (!reads.any || reads.entry || !FusedSource(linalgOp, share).exists())
      continue;
    plan.fusedSources.push_back(linalgOp);
  }
}

} // namespace ds
