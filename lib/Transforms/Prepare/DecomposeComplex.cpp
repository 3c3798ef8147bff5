//===- DecomposeComplex.cpp - Complex numbers as their parts --------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream lowers the arithmetic; constants, selections and reinterpreted bits have a pattern each.
//
//===----------------------------------------------------------------------===//
#include "DecomposeComplex.h"

#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace ds {
namespace {

/// Splits a complex constant into two constants.
struct SplitComplexConstant final : OpRewritePattern<complex::ConstantOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(complex::ConstantOp op, PatternRewriter &b) const override {
    Value re = arith::ConstantOp::create(b, op.getLoc(), cast<FloatAttr>(op.getValue()[0]));
    Value im = arith::ConstantOp::create(b, op.getLoc(), cast<FloatAttr>(op.getValue()[1]));
    b.replaceOpWithNewOp<complex::CreateOp>(op, op.getType(), re, im);
    return success();
  }
};

/// Splits a select of complex numbers into one of each part.
struct SplitComplexSelect final : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SelectOp op, PatternRewriter &b) const override {
    auto type = dyn_cast<ComplexType>(op.getType());
    if (!type)
      return b.notifyMatchFailure(op, "is of no complex numbers");
    auto part = [&](auto of) -> Value {
      using Part = decltype(of);
      return arith::SelectOp::create(b, op.getLoc(), op.getCondition(),
                                     Part::create(b, op.getLoc(), op.getTrueValue()),
                                     Part::create(b, op.getLoc(), op.getFalseValue()));
    };
    b.replaceOpWithNewOp<complex::CreateOp>(op, type, part(complex::ReOp()), part(complex::ImOp()));
    return success();
  }
};

/// Puts the bits of the parts side by side, the real part in the lower half, or takes them apart.
struct SplitComplexBitcast final : OpRewritePattern<complex::BitcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(complex::BitcastOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value source = op.getOperand();
    auto from = dyn_cast<ComplexType>(source.getType()), to = dyn_cast<ComplexType>(op.getType());
    if (from && to)
      return rewriter.notifyMatchFailure(op, "changes nothing");
    Type part = (from ? from : to).getElementType();
    const unsigned width = part.getIntOrFloatBitWidth();
    Type half = b.getIntegerType(width), whole = b.getIntegerType(2 * width);
    Value shift = arith::ConstantOp::create(b, b.getIntegerAttr(whole, width));
    if (from) {
      auto bits = [&](Value value) -> Value {
        return arith::ExtUIOp::create(b, whole, arith::BitcastOp::create(b, half, value));
      };
      Value upper = arith::ShLIOp::create(b, bits(complex::ImOp::create(b, part, source)), shift);
      Value both = arith::OrIOp::create(b, bits(complex::ReOp::create(b, part, source)), upper);
      rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), both);
      return success();
    }
    Value both = arith::BitcastOp::create(b, whole, source);
    auto partOf = [&](Value bits) -> Value {
      return arith::BitcastOp::create(b, part, arith::TruncIOp::create(b, half, bits));
    };
    rewriter.replaceOpWithNewOp<complex::CreateOp>(op, to, partOf(both),
                                                   partOf(arith::ShRUIOp::create(b, both, shift)));
    return success();
  }
};

} // namespace

LogicalResult splitComplexArithmetic(ModuleOp module) {
  auto isComplex = [](Operation *op) {
    return isa_and_nonnull<complex::ComplexDialect>(op->getDialect()) ? WalkResult::interrupt()
                                                                      : WalkResult::advance();
  };
  if (!module.walk(isComplex).wasInterrupted())
    return success();
  MLIRContext *context = module.getContext();
  ConversionTarget target(*context);
  target.addLegalDialect<arith::ArithDialect, math::MathDialect>();
  target.addLegalOp<complex::CreateOp, complex::ReOp, complex::ImOp>();
  RewritePatternSet patterns(context);
  populateComplexToStandardConversionPatterns(patterns);
  return applyPartialConversion(module, target, std::move(patterns));
}

bool isOfComplexNumbers(Operation *op) {
  auto isComplex = [](Type type) { return isa<ComplexType>(type); };
  return isa_and_nonnull<complex::ComplexDialect>(op->getDialect()) ||
         (isa<arith::SelectOp>(op) && llvm::any_of(op->getResultTypes(), isComplex));
}

void populateSplitComplexPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<SplitComplexConstant, SplitComplexSelect, SplitComplexBitcast>(context);
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if (isa<complex::ComplexDialect>(name.getDialect()))
      name.getCanonicalizationPatterns(patterns, context);
}

} // namespace ds
