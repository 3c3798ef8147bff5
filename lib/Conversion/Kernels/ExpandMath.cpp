//===- ExpandMath.cpp - How functions of math are computed ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that are common in training steps become arithmetic in f32 (Functions.cpp,
// Trigonometry.cpp): LLVM vectorises it, while a call keeps its loop scalar. All others, and f64,
// call libm, by names that every libm has. bf16 and f16 are widened, computed, and rounded once.
// Linear in the number of operations.
//
//===----------------------------------------------------------------------===//
#include "ExpandClass.h"
#include "SmallFloats.h"
#include "ds/Conversion/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ds {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

bool isNarrow(Type type) { return type.isBF16() || type.isF16(); }

/// Computes an operation on bf16 or f16 in f32. Not for isnormal, whose result depends on the type,
/// nor for fma, which would be rounded twice.
LogicalResult widen(Operation *op, PatternRewriter &rewriter) {
  if (!isa_and_nonnull<math::MathDialect>(op->getDialect()) ||
      isa<math::IsNormalOp, math::FmaOp>(op) || llvm::none_of(op->getOperandTypes(), isNarrow))
    return failure();
  ImplicitLocOpBuilder b(op->getLoc(), rewriter);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isNarrow(operand.getType())
                           ? arith::ExtFOp::create(b, b.getF32Type(), operand).getResult()
                           : operand);
  SmallVector<Type> types;
  for (Type type : op->getResultTypes())
    types.push_back(isNarrow(type) ? b.getF32Type() : type);
  Operation *wide =
      b.create(op->getLoc(), op->getName().getIdentifier(), operands, types, op->getAttrs());
  SmallVector<Value> results;
  for (auto [result, type] : llvm::zip(wide->getResults(), op->getResultTypes()))
    results.push_back(isNarrow(type) ? arith::TruncFOp::create(b, type, result).getResult()
                                     : result);
  rewriter.replaceOp(op, results);
  return success();
}

struct Widen final : RewritePattern {
  explicit Widen(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/2, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    return widen(op, rewriter);
  }
};

template <typename Op, ds::Scalar build(ds::Scalar)> struct Expand final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "only f32 has an expansion");
    ImplicitLocOpBuilder builder(op.getLoc(), rewriter);
    rewriter.replaceOp(op, build({&builder, op.getOperand()}).value);
    return success();
  }
};

/// Calls libm for functions without an intrinsic of LLVM. Upstream's conversion to LLVM writes
/// log(1 + x) and exp(x) - 1, which lose all digits near 0.
template <typename Op> struct CallLibm final : OpRewritePattern<Op> {
  CallLibm(MLIRContext *context, StringRef function)
      : OpRewritePattern<Op>(context), function(function) {}
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!op.getType().isF64())
      return rewriter.notifyMatchFailure(op, "only f64 is left to libm");
    auto module = op->template getParentOfType<ModuleOp>();
    auto callee = module.template lookupSymbol<func::FuncOp>(function);
    if (!callee) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(module.getBody());
      callee = func::FuncOp::create(rewriter, op.getLoc(), function,
                                    rewriter.getFunctionType(op.getType(), op.getType()));
      callee.setPrivate();
      callee->setAttr(LLVM::LLVMDialect::getReadnoneAttrName(), rewriter.getUnitAttr());
    }
    rewriter.replaceOpWithNewOp<func::CallOp>(op, callee, op.getOperand());
    return success();
  }
  StringRef function;
};

/// Divides by the root: two roundings, and exact at 0 and infinity, as IEEE's division and root
/// are.
struct ExpandRsqrt final : OpRewritePattern<math::RsqrtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::RsqrtOp op, PatternRewriter &rewriter) const override {
    auto one =
        arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getFloatAttr(op.getType(), 1.0));
    auto root = math::SqrtOp::create(rewriter, op.getLoc(), op.getOperand());
    rewriter.replaceOpWithNewOp<arith::DivFOp>(op, one, root);
    return success();
  }
};

struct ExpandClamp final : OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ClampFOp op, PatternRewriter &rewriter) const override {
    Value above = arith::MaximumFOp::create(rewriter, op.getLoc(), op.getValue(), op.getMin());
    rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, above, op.getMax());
    return success();
  }
};

struct ExpandSincos final : OpRewritePattern<math::SincosOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::SincosOp op, PatternRewriter &rewriter) const override {
    Value sin = math::SinOp::create(rewriter, op.getLoc(), op.getOperand());
    Value cos = math::CosOp::create(rewriter, op.getLoc(), op.getOperand());
    rewriter.replaceOp(op, {sin, cos});
    return success();
  }
};

/// Upstream's expansion compares, so it treats -0 as 0; LLVM has IEEE's operations, also as vector
/// reductions.
template <typename Op, typename LLVMOp> struct ToIntrinsic final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!isa<FloatType>(type))
      return rewriter.notifyMatchFailure(op, "not a scalar");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value lhs = op.getLhs(), rhs = op.getRhs();
    if (isNarrow(type)) {
      lhs = arith::ExtFOp::create(b, b.getF32Type(), lhs);
      rhs = arith::ExtFOp::create(b, b.getF32Type(), rhs);
    }
    Value result = LLVMOp::create(b, lhs, rhs);
    if (isNarrow(type))
      result = arith::TruncFOp::create(b, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// Computes x^n for n from 1 to 4, in at most two products; null for other n.
Value powerByProducts(OpBuilder &b, Location loc, Value x, int64_t n) {
  if (n < 1 || n > 4)
    return {};
  if (n == 1)
    return x;
  Value square = arith::MulFOp::create(b, loc, x, x);
  if (n == 2)
    return square;
  return arith::MulFOp::create(b, loc, square, n == 3 ? x : square);
}

struct ExpandPower final : OpRewritePattern<math::PowFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::PowFOp op, PatternRewriter &rewriter) const override {
    FloatAttr exponent;
    if (!matchPattern(op.getRhs(), m_Constant(&exponent)))
      return rewriter.notifyMatchFailure(op, "the exponent is not constant");
    double n = exponent.getValueAsDouble();
    if (!(n >= 1 && n <= 4) || n != int64_t(n))
      return rewriter.notifyMatchFailure(op, "the exponent is not an integer from 1 to 4");
    rewriter.replaceOp(op, powerByProducts(rewriter, op.getLoc(), op.getLhs(), int64_t(n)));
    return success();
  }
};

/// Computes the power in f64, where an integer exponent is exact; repeated products would lose a
/// digit per bit of it.
struct ExpandIntegerPower final : OpRewritePattern<math::FPowIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FPowIOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    APInt exponent;
    if (matchPattern(op.getRhs(), m_ConstantInt(&exponent)))
      if (Value product = powerByProducts(rewriter, loc, op.getLhs(), exponent.getSExtValue())) {
        rewriter.replaceOp(op, product);
        return success();
      }
    Type wide = rewriter.getF64Type(), type = op.getType();
    Value base = op.getLhs();
    if (type != wide)
      base = arith::ExtFOp::create(rewriter, loc, wide, base);
    Value n = arith::SIToFPOp::create(rewriter, loc, wide, op.getRhs());
    Value result = math::PowFOp::create(rewriter, loc, base, n);
    if (type != wide)
      result = arith::TruncFOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// True for functions that LLVM turns into instructions, which treat denormals as the thread does.
bool isInstruction(Operation *op) {
  return isa<math::SqrtOp, math::FloorOp, math::CeilOp, math::TruncOp, math::RoundOp,
             math::RoundEvenOp, math::AbsFOp, math::CopySignOp, math::FmaOp, math::IsFiniteOp,
             math::IsInfOp, math::IsNaNOp, math::IsNormalOp>(op);
}

/// Passes 0, of the same sign, to libm instead of a denormal. A rank's thread flushes denormals to
/// 0, but libm splits them as integers, and fails when its arithmetic then finds 0.
void passZeroForDenormals(Operation *op) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  for (OpOperand &operand : op->getOpOperands()) {
    Value x = operand.get();
    Type type = x.getType();
    if (!type.isF32() && !type.isF64())
      continue;
    unsigned width = type.getIntOrFloatBitWidth();
    Type bits = b.getIntegerType(width);
    auto zero = arith::ConstantOp::create(b, b.getFloatAttr(type, 0.0));
    auto mask = arith::ConstantOp::create(b, b.getIntegerAttr(bits, APInt::getSignMask(width)));
    // Compares the sum and not x itself: LLVM compares the bits of a value that was just made of
    // bits, such as bf16.
    Value sum = arith::AddFOp::create(b, x, x);
    Value isZero = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, sum, zero);
    Value sign = arith::AndIOp::create(b, arith::BitcastOp::create(b, bits, x), mask);
    Value signedZero = arith::BitcastOp::create(b, type, sign);
    operand.set(arith::SelectOp::create(b, isZero, signedZero, x));
  }
}

struct ExpandMath final : ds::impl::ExpandMathPassBase<ExpandMath> {
  using ExpandMathPassBase::ExpandMathPassBase;

  void runOnOperation() override {
    // Only the conversions of the step: the expansions below convert only values that fit.
    SmallVector<Operation *> conversions;
    getOperation().walk([&](Operation *op) {
      if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
        conversions.push_back(op);
    });
    llvm::for_each(conversions, ds::saturateConversion);
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns
        .add<Widen, ExpandRsqrt, ds::ExpandClass<math::IsInfOp>, ds::ExpandClass<math::IsNormalOp>,
             ExpandClamp, ExpandSincos, ExpandPower, ExpandIntegerPower,
             Expand<math::ExpOp, ds::buildExp>, Expand<math::ExpM1Op, ds::buildExpM1>,
             Expand<math::LogOp, ds::buildLog>, Expand<math::Log1pOp, ds::buildLog1p>,
             Expand<math::TanhOp, ds::buildTanh>, Expand<math::ErfOp, ds::buildErf>,
             Expand<math::SinOp, ds::buildSin>, Expand<math::CosOp, ds::buildCos>>(context);
    patterns.add<ToIntrinsic<arith::MaximumFOp, LLVM::MaximumOp>,
                 ToIntrinsic<arith::MinimumFOp, LLVM::MinimumOp>,
                 ToIntrinsic<arith::MaxNumFOp, LLVM::MaxNumOp>,
                 ToIntrinsic<arith::MinNumFOp, LLVM::MinNumOp>>(context);
    ds::populateSmallFloatPatterns(patterns);
    if (libm) {
      patterns.add<CallLibm<math::ExpM1Op>>(context, "expm1");
      patterns.add<CallLibm<math::Log1pOp>>(context, "log1p");
    }
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    getOperation().walk([](Operation *op) {
      if (isa_and_nonnull<math::MathDialect>(op->getDialect()) && !isInstruction(op))
        passZeroForDenormals(op);
    });
  }
};

} // namespace
