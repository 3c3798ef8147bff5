//===- DeviceMath.cpp - Functions and fused products on a GPU ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream calls NVIDIA's libdevice, a file that is not in the system's packages, whose square root
// is approximate. Here a function that is an instruction of the GPU becomes LLVM's intrinsic; all
// other functions are arithmetic in f64, those of f32 rounded once. Products and sums that may be
// fused are fused here, as LLVM fuses them for a CPU: that leaves later compilers no choice, so the
// bits of a result do not depend on the device.
//
//===----------------------------------------------------------------------===//
#include "Functions.h"
#include "Kernels/ExpandClass.h"
#include "ds/Conversion/Gpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ds {
#define GEN_PASS_DEF_DEVICEMATHPASS
#include "ds/Conversion/Gpu/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

/// Returns the product that defines `value`, if it may be fused and has no other use.
arith::MulFOp fusible(Value value) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  bool may = product && product->hasOneUse() &&
             bitEnumContainsAll(product.getFastmath(), arith::FastMathFlags::contract);
  return may ? product : arith::MulFOp();
}

template <typename Op> struct FuseProduct final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::contract))
      return rewriter.notifyMatchFailure(op, "may not be fused");
    arith::MulFOp left = fusible(op.getLhs()), right = fusible(op.getRhs());
    if (!left && !right)
      return rewriter.notifyMatchFailure(op, "adds no product that may be fused");
    constexpr bool subtracts = std::is_same_v<Op, arith::SubFOp>;
    auto negated = [&](Value value) -> Value {
      return subtracts ? arith::NegFOp::create(rewriter, op.getLoc(), value).getResult() : value;
    };
    Value a, b, c;
    if (left) {
      a = left.getLhs();
      b = left.getRhs();
      c = negated(op.getRhs());
    } else {
      a = negated(right.getLhs());
      b = right.getRhs();
      c = op.getLhs();
    }
    rewriter.replaceOpWithNewOp<math::FmaOp>(op, a, b, c);
    return success();
  }
};

template <typename Op> struct ToIntrinsic final : OpRewritePattern<Op> {
  ToIntrinsic(MLIRContext *context, StringRef name) : OpRewritePattern<Op>(context), name(name) {}
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        op, op.getType(), rewriter.getStringAttr(name), op->getOperands());
    return success();
  }
  StringRef name;
};

/// Computes an operation on f32 or f64 in f64.
template <typename Op>
LogicalResult expand(Op op, PatternRewriter &rewriter,
                     llvm::function_ref<ds::Scalar(ArrayRef<ds::Scalar>)> build) {
  Type type = op.getType();
  if (!type.isF32() && !type.isF64())
    return rewriter.notifyMatchFailure(op, "only f32 and f64 have an expansion");
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  SmallVector<ds::Scalar> operands;
  for (Value operand : op->getOperands())
    operands.push_back({&b, type.isF32()
                                ? arith::ExtFOp::create(b, b.getF64Type(), operand).getResult()
                                : operand});
  Value result = build(operands).value;
  rewriter.replaceOp(op,
                     type.isF32() ? arith::TruncFOp::create(b, type, result).getResult() : result);
  return success();
}

template <typename Op, ds::Scalar build(ds::Scalar)> struct Expand final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    return expand(op, rewriter, [](ArrayRef<ds::Scalar> x) { return build(x[0]); });
  }
};

template <typename Op, ds::Scalar build(ds::Scalar, ds::Scalar)>
struct ExpandTwo final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    return expand(op, rewriter, [](ArrayRef<ds::Scalar> x) { return build(x[0], x[1]); });
  }
};

struct ExpandPower final : OpRewritePattern<math::PowFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::PowFOp op, PatternRewriter &rewriter) const override {
    return expand(op, rewriter, [&](ArrayRef<ds::Scalar> x) {
      return ds::gpu::buildPower64(x[0], x[1], /*forF32=*/op.getType().isF32());
    });
  }
};

/// Rounds halves away from zero.
struct ExpandRound final : OpRewritePattern<math::RoundOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::RoundOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ds::Scalar x{&b, op.getOperand()}, whole{&b, math::TruncOp::create(b, op.getOperand())};
    ds::Scalar isBelow = ds::absolute(x - whole) < 0.5;
    ds::Scalar more = ds::withSignOf(x.constant(1), x);
    // The comparison treats infinity minus infinity, which is NaN, as more than a half.
    ds::Scalar isWhole = ds::absolute(x) < 0x1p52;
    ds::Scalar rounded = ds::select(isBelow, whole, whole + more);
    rewriter.replaceOp(op, ds::withSignOf(ds::select(isWhole, rounded, x), x).value);
    return success();
  }
};

void addFunctions(RewritePatternSet &patterns) {
  using namespace ds::gpu;
  patterns
      .add<Expand<math::ExpOp, buildExp64>, Expand<math::Exp2Op, buildExp264>,
           Expand<math::ExpM1Op, buildExpM164>, Expand<math::LogOp, buildLog64>,
           Expand<math::Log2Op, buildLog264>, Expand<math::Log10Op, buildLog1064>,
           Expand<math::Log1pOp, buildLog1p64>, Expand<math::SinhOp, buildSinh64>,
           Expand<math::CoshOp, buildCosh64>, Expand<math::TanhOp, buildTanh64>,
           Expand<math::AsinhOp, buildAsinh64>, Expand<math::AcoshOp, buildAcosh64>,
           Expand<math::AtanhOp, buildAtanh64>, Expand<math::ErfOp, buildErf64>,
           Expand<math::ErfcOp, buildErfc64>, Expand<math::CbrtOp, buildCbrt64>,
           Expand<math::SinOp, buildSin64>, Expand<math::CosOp, buildCos64>,
           Expand<math::TanOp, buildTan64>, Expand<math::AsinOp, buildAsin64>,
           Expand<math::AcosOp, buildAcos64>, Expand<math::AtanOp, buildAtan64>,
           ExpandTwo<math::Atan2Op, buildAtan264>, ExpandTwo<arith::RemFOp, buildRemainder64>,
           ExpandPower, ExpandRound, ds::ExpandClass<math::IsNaNOp>, ds::ExpandClass<math::IsInfOp>,
           ds::ExpandClass<math::IsFiniteOp>, ds::ExpandClass<math::IsNormalOp>>(
          patterns.getContext());
}

struct DeviceMath final : ds::impl::DeviceMathPassBase<DeviceMath> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet products(context);
    addFunctions(products);
    products.add<FuseProduct<arith::AddFOp>, FuseProduct<arith::SubFOp>>(context);
    if (failed(applyPatternsGreedily(getOperation(), std::move(products))))
      return signalPassFailure();
    getOperation()->walk([](arith::ArithFastMathInterface op) {
      op->setAttr(op.getFastMathAttrName(),
                  arith::FastMathFlagsAttr::get(op->getContext(), arith::FastMathFlags::none));
    });
    RewritePatternSet intrinsics(context);
    intrinsics.add<ToIntrinsic<math::SqrtOp>>(context, "llvm.sqrt");
    intrinsics.add<ToIntrinsic<math::AbsFOp>>(context, "llvm.fabs");
    intrinsics.add<ToIntrinsic<math::FmaOp>>(context, "llvm.fma");
    intrinsics.add<ToIntrinsic<math::CopySignOp>>(context, "llvm.copysign");
    intrinsics.add<ToIntrinsic<math::FloorOp>>(context, "llvm.floor");
    intrinsics.add<ToIntrinsic<math::CeilOp>>(context, "llvm.ceil");
    intrinsics.add<ToIntrinsic<math::TruncOp>>(context, "llvm.trunc");
    intrinsics.add<ToIntrinsic<math::RoundEvenOp>>(context, "llvm.roundeven");
    if (failed(applyPatternsGreedily(getOperation(), std::move(intrinsics))))
      signalPassFailure();
  }
};

} // namespace
