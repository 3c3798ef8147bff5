//===- FoldContractions.cpp - Absorb transposes -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operand: contraction map m over the transposed value, transpose maps in -> p(d), out -> q(d): the
// contraction reads the original through p . q^-1 . m. Result: if the only use of the contraction
// is a transpose, the contraction writes q . p^-1 . m, with an init of the transposed shape. Linear
// in the number of operations.
//
//===----------------------------------------------------------------------===//
#include "ds/Conversion/Passes.h"
#include "ds/Conversion/Utils/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ds {
#define GEN_PASS_DEF_FOLDCONTRACTIONSPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

struct FoldOperandTranspose : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (!ds::isContraction(op))
      return rewriter.notifyMatchFailure(op, "not a contraction");
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto copy = operand->get().getDefiningOp<linalg::GenericOp>();
      if (!copy || !ds::isPermutedCopy(copy))
        continue;
      auto copyMaps = copy.getIndexingMapsArray();
      auto maps = op.getIndexingMapsArray();
      AffineMap &map = maps[operand->getOperandNumber()];
      map = copyMaps[0].compose(inversePermutation(copyMaps[1])).compose(map);
      rewriter.modifyOpInPlace(op, [&] {
        op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
        operand->set(copy.getInputs()[0]);
      });
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no transposed operand");
  }
};

struct FoldResultTranspose : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp copy, PatternRewriter &rewriter) const override {
    if (!ds::isPermutedCopy(copy))
      return rewriter.notifyMatchFailure(copy, "not a transpose");
    auto op = copy.getInputs()[0].getDefiningOp<linalg::GenericOp>();
    if (!op || !ds::isContraction(op) || !op->getResult(0).hasOneUse())
      return rewriter.notifyMatchFailure(copy, "input is not a contraction with one use");
    // The init is transposed, too: it must be a zero fill, which is the same in any order.
    Operation *fill = op.getDpsInits()[0].getDefiningOp();
    if (!fill || !ds::isZeroFill(fill))
      return rewriter.notifyMatchFailure(copy, "init is not a zero fill");
    auto type = cast<RankedTensorType>(copy->getResult(0).getType());
    Location loc = op.getLoc();
    rewriter.setInsertionPoint(op);
    Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
    Value zero =
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
    Value init = linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
    auto copyMaps = copy.getIndexingMapsArray();
    auto maps = op.getIndexingMapsArray();
    maps[2] = copyMaps[1].compose(inversePermutation(copyMaps[0])).compose(maps[2]);
    auto moved = linalg::GenericOp::create(rewriter, loc, TypeRange(type), op.getInputs(),
                                           ValueRange(init), maps, op.getIteratorTypesArray());
    rewriter.inlineRegionBefore(op.getRegion(), moved.getRegion(), moved.getRegion().begin());
    rewriter.replaceOp(copy, moved.getResults());
    rewriter.eraseOp(op);
    return success();
  }
};

struct FoldContractions final : ds::impl::FoldContractionsPassBase<FoldContractions> {
  using FoldContractionsPassBase::FoldContractionsPassBase;
  void runOnOperation() override {
    if (resultsFirst) {
      RewritePatternSet results(&getContext());
      results.add<FoldResultTranspose>(&getContext());
      if (failed(applyPatternsGreedily(getOperation(), std::move(results))))
        return signalPassFailure();
    }
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldOperandTranspose, FoldResultTranspose>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
