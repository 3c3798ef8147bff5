//===- DsFolds.cpp - folds and canonicalisation -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A collective of one rank is its operand. Nothing else about a collective is simplified here:
// whether one may go is known only to the passes that see the whole step.
//
//===----------------------------------------------------------------------===//

#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace ds;

/// device_num of the module around `op`, if it is configured.
static std::optional<int64_t> configuredRanks(Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  Attribute attr = module ? module->getAttr(configAttrName) : Attribute();
  auto config = dyn_cast_if_present<ConfigAttr>(attr);
  auto values = config ? config.getValues() : dyn_cast_if_present<DictionaryAttr>(attr);
  auto ranks = values ? values.getAs<IntegerAttr>("device_num") : IntegerAttr();
  return ranks ? ranks.getValue().trySExtValue() : std::nullopt;
}

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
  if (std::optional<int64_t> ranks = configuredRanks(*this))
    return IntegerAttr::get(getType(), *ranks);
  return {};
}

OpFoldResult RankOp::fold(FoldAdaptor) {
  if (configuredRanks(*this) == 1)
    return IntegerAttr::get(getType(), 0);
  return {};
}

namespace {

struct RemoveAllReduceOfOneRank final : OpRewritePattern<AllReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AllReduceOp op, PatternRewriter &rewriter) const final {
    std::optional<int64_t> ranks = configuredRanks(op);
    if (op.getGroup())
      ranks = op.getGroup()->size();
    if (ranks != 1)
      return rewriter.notifyMatchFailure(op, "more than one rank takes part");
    if (op.getNumResults() == 0)
      rewriter.eraseOp(op);
    else
      rewriter.replaceOp(op, op.getInputs());
    return success();
  }
};

} // namespace

void AllReduceOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<RemoveAllReduceOfOneRank>(context);
}
