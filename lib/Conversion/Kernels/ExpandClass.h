//===- ExpandClass.h - isnan, isinf, isfinite, isnormal ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the magnitude, which is false for NaN. Upstream's conversion to LLVM lacks two of these
// operations, its conversion to NVVM all.
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_KERNELS_EXPANDCLASS_H
#define DS_CONVERSION_KERNELS_EXPANDCLASS_H

#include "Formula.h"

#include "mlir/IR/PatternMatch.h"

#include <limits>

namespace ds {

template <typename Op> struct ExpandClass final : mlir::OpRewritePattern<Op> {
  using mlir::OpRewritePattern<Op>::OpRewritePattern;
  mlir::LogicalResult matchAndRewrite(Op op, mlir::PatternRewriter &rewriter) const override {
    auto type = mlir::dyn_cast<mlir::FloatType>(op.getOperand().getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "not a scalar");
    constexpr double infinity = std::numeric_limits<double>::infinity();
    mlir::ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Scalar x{&b, op.getOperand()}, size = absolute(x);
    if constexpr (std::is_same_v<Op, mlir::math::IsNaNOp>) {
      rewriter.replaceOpWithNewOp<mlir::arith::CmpFOp>(op, mlir::arith::CmpFPredicate::UNO, x.value,
                                                       x.value);
    } else if constexpr (std::is_same_v<Op, mlir::math::IsInfOp>) {
      rewriter.replaceOp(op, (size == infinity).value);
    } else if constexpr (std::is_same_v<Op, mlir::math::IsFiniteOp>) {
      rewriter.replaceOp(op, (size < infinity).value);
    } else {
      auto smallest = llvm::APFloat::getSmallestNormalized(type.getFloatSemantics());
      Scalar isLarge = compare(mlir::arith::CmpFPredicate::OGE, size, smallest.convertToDouble());
      Scalar isFinite = size < infinity;
      rewriter.replaceOp(op, isLarge.integers<mlir::arith::AndIOp>(isFinite).value);
    }
    return mlir::success();
  }
};

} // namespace ds

#endif // DS_CONVERSION_KERNELS_EXPANDCLASS_H
