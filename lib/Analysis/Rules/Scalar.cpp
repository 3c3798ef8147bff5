//===- Scalar.cpp - The table of scalar operations ------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row per form of rule, at the end of the file, with the operations that have it. An operation
// in no row is linear in nothing: a negative part becomes a large number without its sign (extui,
// uitofp), or digits after the point are lost (fptosi, divsi).
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/Rules/Rules.h"
#include "ds/Analysis/ScalarRule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace ds {
namespace {

/// On one bit, sums, products, maxima and minima are boolean functions.
bool isBoolean(Operation *op) { return getElementTypeOrSelf(op->getResult(0)).isInteger(1); }

ScalarRule ofNumbers(Operation *op, ScalarRule rule) {
  if (isBoolean(op))
    rule.combiner = std::nullopt;
  return rule;
}

//===----------------------------------------------------------------------===//
// Forms of rules
//===----------------------------------------------------------------------===//

ScalarRule sum(Operation *op, unsigned) {
  return ofNumbers(op, ScalarRule::sum({ScalarTerm::same(op->getOpOperand(0)),
                                        ScalarTerm::same(op->getOpOperand(1))}));
}

ScalarRule difference(Operation *op, unsigned) {
  return ofNumbers(op, ScalarRule::sum({ScalarTerm::same(op->getOpOperand(0)),
                                        ScalarTerm::scaled(op->getOpOperand(1))}));
}

ScalarRule product(Operation *op, unsigned) {
  ScalarRule rule = ScalarRule::product(op->getOpOperand(0), op->getOpOperand(1));
  if (isBoolean(op))
    rule.combiner = ReductionKind::And;
  return rule;
}

ScalarRule sumWithProduct(Operation *op, unsigned) {
  return ScalarRule::sum({ScalarTerm::product(op->getOpOperand(0), op->getOpOperand(1)),
                          ScalarTerm::same(op->getOpOperand(2))});
}

/// The first operand times some function of the others: a quotient by its divisor, a negation by
/// -1.
ScalarRule scaled(Operation *op, unsigned) {
  return ScalarRule::linear(ScalarTerm::scaled(op->getOpOperand(0)));
}

/// The first operand: a conversion, or the element of a tensor at the indices that the others give.
ScalarRule same(Operation *op, unsigned) {
  return ScalarRule::linear(ScalarTerm::same(op->getOpOperand(0)));
}

ScalarRule select(Operation *op, unsigned) {
  return ScalarRule::choice(
      {ScalarTerm::same(op->getOpOperand(1)), ScalarTerm::same(op->getOpOperand(2))});
}

ScalarRule branch(Operation *op, unsigned result) {
  auto ifOp = cast<scf::IfOp>(op);
  return ScalarRule::choice({ScalarTerm::same(ifOp.thenYield()->getOpOperand(result)),
                             ScalarTerm::same(ifOp.elseYield()->getOpOperand(result))});
}

template <ReductionKind kind> ScalarRule extremum(Operation *op, unsigned) {
  return ofNumbers(op, ScalarRule::combines(kind));
}

template <ReductionKind kind> ScalarRule bitwise(Operation *, unsigned) {
  return ScalarRule::combines(kind);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

using Form = ScalarRule (*)(Operation *, unsigned);

template <Form form, typename OpTy>
struct ScalarModel : public ScalarRuleOpInterface::ExternalModel<ScalarModel<form, OpTy>, OpTy> {
  ScalarRule getScalarRule(Operation *op, unsigned result) const { return form(op, result); }
};

template <Form form, typename... Ops> void attach(MLIRContext *ctx) {
  (Ops::template attachInterface<ScalarModel<form, Ops>>(*ctx), ...);
}

} // namespace

void registerScalarRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *ctx, arith::ArithDialect *) {
    attach<sum, arith::AddFOp, arith::AddIOp>(ctx);
    attach<difference, arith::SubFOp, arith::SubIOp>(ctx);
    attach<product, arith::MulFOp, arith::MulIOp>(ctx);
    attach<scaled, arith::DivFOp, arith::NegFOp>(ctx);
    attach<same, arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::ExtSIOp, arith::TruncIOp,
           arith::IndexCastOp>(ctx);
    attach<select, arith::SelectOp>(ctx);
    attach<extremum<ReductionKind::Max>, arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp>(ctx);
    attach<extremum<ReductionKind::Min>, arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp>(ctx);
    attach<bitwise<ReductionKind::And>, arith::AndIOp>(ctx);
    attach<bitwise<ReductionKind::Or>, arith::OrIOp>(ctx);
  });
  registry.addExtension(
      +[](MLIRContext *ctx, math::MathDialect *) { attach<sumWithProduct, math::FmaOp>(ctx); });
  registry.addExtension(
      +[](MLIRContext *ctx, tensor::TensorDialect *) { attach<same, tensor::ExtractOp>(ctx); });
  registry.addExtension(
      +[](MLIRContext *ctx, scf::SCFDialect *) { attach<branch, scf::IfOp>(ctx); });
  registry.addExtension(+[](MLIRContext *ctx, DsDialect *) { attach<same, GradientOp>(ctx); });
}

} // namespace ds
