//===- ScalarBodies.cpp - Bodies of kernels compute scalars ---------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An element of an elementwise operation becomes that operation on the elements; an element of a
// tensor made from one element folds to it. Placement knows only combiners and linear functions of
// scalars.
//
//===----------------------------------------------------------------------===//
#include "ScalarBodies.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace ds {
namespace {

bool isTensor(Type type) { return isa<TensorType>(type); }

struct ComputeElement final : OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractOp extract, PatternRewriter &b) const override {
    Operation *op = extract.getTensor().getDefiningOp();
    if (!op || op->getBlock() != extract->getBlock() || extract.getTensor().getType().getRank() ||
        op->getNumResults() != 1 || !OpTrait::hasElementwiseMappableTraits(op))
      return failure();
    OperationState state(op->getLoc(), op->getName());
    for (Value operand : op->getOperands())
      state.operands.push_back(
          isTensor(operand.getType())
              ? tensor::ExtractOp::create(b, op->getLoc(), operand, ValueRange()).getResult()
              : operand);
    state.addTypes(getElementTypeOrSelf(op->getResult(0).getType()));
    state.addAttributes(llvm::to_vector(op->getDiscardableAttrs()));
    state.propertiesAttr = op->getPropertiesAsAttribute();
    b.replaceOp(extract, b.create(state));
    return success();
  }
};

} // namespace

void makeBodiesScalar(Operation *root) {
  SmallVector<Operation *> extracts;
  root->walk([&](tensor::ExtractOp extract) {
    Operation *made = extract.getTensor().getDefiningOp();
    if (made && made->getBlock() == extract->getBlock() &&
        isa<linalg::LinalgOp>(extract->getParentOp()))
      extracts.push_back(extract);
  });
  if (extracts.empty())
    return;
  RewritePatternSet patterns(root->getContext());
  patterns.add<ComputeElement>(root->getContext());
  tensor::ExtractOp::getCanonicalizationPatterns(patterns, root->getContext());
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  (void)applyOpPatternsGreedily(extracts, std::move(patterns), config);
}

} // namespace ds
