//===- DeviceMath.cpp - Functions and fused products on a GPU ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream calls NVIDIA's libdevice, a file that is not in the system's packages, whose square root
// is approximate. What a GPU has as an instruction becomes LLVM's intrinsic instead, and a power is
// written out. Products and sums that may be fused are fused here, as LLVM fuses them for a CPU: no
// later compiler has a choice, so that bits are known before a device is seen.
//
//===----------------------------------------------------------------------===//
#include "PowerFunction.h"
#include "ds/Conversion/Gpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ds {
#define GEN_PASS_DEF_DEVICEMATHPASS
#include "ds/Conversion/Gpu/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

/// The product that `value` is, if nothing else reads it and it may be fused.
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

struct ExpandPower final : OpRewritePattern<math::PowFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::PowFOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder builder(op.getLoc(), rewriter);
    rewriter.replaceOp(op, ds::gpu::buildPower(builder, op.getLhs(), op.getRhs()));
    return success();
  }
};

struct DeviceMath final : ds::impl::DeviceMathPassBase<DeviceMath> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet products(context);
    products.add<ExpandPower, FuseProduct<arith::AddFOp>, FuseProduct<arith::SubFOp>>(context);
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
