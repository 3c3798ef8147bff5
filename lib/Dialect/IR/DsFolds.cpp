//===- DsFolds.cpp - folds and canonicalisation -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A collective of one rank is its operand, and so is a permutation that moves nothing. No other
// collective is simplified here: only the passes that see the whole step know whether it may be
// removed.
//
//===----------------------------------------------------------------------===//

#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace ds;

Operation *DsDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                          Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

OpFoldResult GradientOp::fold(FoldAdaptor) {
  auto inner = getValue().getDefiningOp<GradientOp>();
  if (inner && inner.getParam() == getParam() && inner.getPinned() == getPinned())
    return inner.getResult();
  return {};
}

OpFoldResult NumRanksOp::fold(FoldAdaptor) {
  if (std::optional<int64_t> ranks = getGroupSize(*this, getGroupAttr()))
    return IntegerAttr::get(getType(), *ranks);
  return {};
}

OpFoldResult RankOp::fold(FoldAdaptor) {
  if (getGroupSize(*this, getGroupAttr()) == 1)
    return IntegerAttr::get(getType(), 0);
  return {};
}

namespace {

struct RemoveAllReduceOfOneRank final : OpRewritePattern<AllReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AllReduceOp op, PatternRewriter &rewriter) const final {
    if (getGroupSize(op, op.getGroupAttr()) != 1)
      return rewriter.notifyMatchFailure(op, "more than one rank takes part");
    if (op.getNumResults() == 0)
      rewriter.eraseOp(op);
    else
      rewriter.replaceOp(op, op.getInputs());
    return success();
  }
};

struct RemoveAllToAllOfOneRank final : OpRewritePattern<AllToAllOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AllToAllOp op, PatternRewriter &rewriter) const final {
    if (op.getNumResults() == 0 || getGroupSize(op, op.getGroupAttr()) != 1)
      return rewriter.notifyMatchFailure(op, "more than one rank takes part, or into memory");
    rewriter.replaceOp(op, op.getInputs());
    return success();
  }
};

struct RemovePermuteOfItself final : OpRewritePattern<CollectivePermuteOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CollectivePermuteOp op, PatternRewriter &rewriter) const final {
    ArrayRef<int64_t> sources = op.getSources();
    bool moves = !llvm::equal(sources, llvm::seq<int64_t>(0, sources.size()));
    if (op.getNumResults() == 0 || moves)
      return rewriter.notifyMatchFailure(op, "values move, or into memory");
    rewriter.replaceOp(op, op.getInputs());
    return success();
  }
};

} // namespace

void CollectivePermuteOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                      MLIRContext *context) {
  patterns.add<RemovePermuteOfItself>(context);
}

void AllToAllOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<RemoveAllToAllOfOneRank>(context);
}

void AllReduceOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<RemoveAllReduceOfOneRank>(context);
}
