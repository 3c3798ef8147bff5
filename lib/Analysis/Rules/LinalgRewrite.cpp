//===- LinalgRewrite.cpp - Bodies of linalg operations on one rank --------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two rewrites: replicated addends under a partial result are counted once, and the index of a
// sharded loop becomes the position in the global batch (except in reads of a sharded capture,
// whose position is local already).
//
//===----------------------------------------------------------------------===//
#include "LinalgLoops.h"

#include "ds/Analysis/Rules/Localizer.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using linalg::LinalgOp;

namespace ds {

static bool isSplatOne(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return matchPattern(fill.getInputs()[0], m_OneFloat()) ||
           matchPattern(fill.getInputs()[0], m_One());
  return matchPattern(value, m_OneFloat()) || matchPattern(value, m_One());
}

/// Masks a replicated init of a reduction over ranks so that it counts once: the other ranks start
/// from the identity.
static void maskInit(LinalgOp op, unsigned index, ReductionKind kind) {
  if (kind != ReductionKind::Sum && kind != ReductionKind::Prod)
    return;
  OpOperand *init = op.getDpsInitOperand(index);
  if (kind == ReductionKind::Prod && isSplatOne(init->get()))
    return;
  OpBuilder b(op);
  init->set(
      ReplicatedToPartialOp::create(b, op.getLoc(), init->get().getType(), kind, init->get()));
}

static bool countsOnEveryRank(Placement placement) {
  return placement.isReplicated() && !placement.zero && !placement.undefined;
}

void maskLinalgAddends(LinalgOp op, PlacementRule::View placementOf,
                       PlacementRule::Combined combinedBy) {
  SmallVector<OpOperand *> reads = getReadOperands(op);
  LoopOrReason loop =
      LinalgLoops(op).findShardedLoop(reads, [&](OpOperand &operand) -> std::optional<Sharding> {
        Placement placement = placementOf(operand);
        return placement.isSharded() ? std::optional(placement.sharding) : std::nullopt;
      });
  auto *sharded = std::get_if<std::optional<ShardedLoop>>(&loop);
  if (sharded && *sharded) {
    for (int64_t i = 0; i < op.getNumDpsInits(); ++i) {
      OpOperand *init = op.getDpsInitOperand(i);
      auto combiner = findCombiner(*op.getBlock(), op.getMatchingBlockArgument(init), i);
      // In `local` the ranks' products are summed; an init is a factor of each and is not masked.
      if (combiner && combiner == combinedBy(i) && op.payloadUsesValueFromOperand(init) &&
          countsOnEveryRank(placementOf(*init)))
        maskInit(op, i, *combiner);
    }
    return;
  }
  auto kindOf = [&](OpOperand &operand) {
    Placement placement = placementOf(operand);
    return !placement.isReplicated() ? Linearity::Linear
           : placement.zero          ? Linearity::Zero
                                     : Linearity::Replicated;
  };
  auto isSummed = [&](unsigned i) { return combinedBy(i) == ReductionKind::Sum; };
  LinalgBodyKinds kinds(op, reads, kindOf);
  for (int64_t i = 0; i < op.getNumDpsInits(); ++i)
    if (isSummed(i) && kinds.addsInit(i) && differsPerRank(kinds.addedKind(i)) &&
        countsOnEveryRank(placementOf(*op.getDpsInitOperand(i))))
      maskInit(op, i, ReductionKind::Sum);
  // An init that a rank accumulates into makes the value added to it an addend like any other.
  BodyLinearity body([&](Value value) {
    for (int64_t i = 0; i < op.getNumDpsInits(); ++i)
      if (value == op.getMatchingBlockArgument(op.getDpsInitOperand(i)) && kinds.addsInit(i))
        return differsPerRank(kinds.initKind(i)) ? kinds.initKind(i) : Linearity::Zero;
    return kinds.body().of(value);
  });
  body.walk(*op.getBlock());
  Operation *yield = op.getBlock()->getTerminator();
  for (OpOperand &result : yield->getOpOperands())
    if (isSummed(result.getOperandNumber()) && differsPerRank(body.of(result.get())))
      maskAddends(result, body);
}

void localizeLinalg(LinalgOp op, Localizer &localizer) {
  // Inits without data take the shape of the result.
  OpBuilder b(op);
  std::optional<ShardedLoop> loop;
  for (auto [result, init] : llvm::zip(op->getResults(), op.getDpsInitsMutable())) {
    auto required = cast<RankedTensorType>(result.getType());
    if (init.get().getType() != required && !op.payloadUsesValueFromOperand(&init))
      init.set(
          tensor::EmptyOp::create(b, op.getLoc(), required.getShape(), required.getElementType()));
    if (auto sharding = localizer.shardingOf(result); sharding && !loop) {
      AffineMap map = op.getMatchingIndexingMap(&init);
      if (auto dim = dyn_cast<AffineDimExpr>(map.getResult(sharding->dim)))
        loop = ShardedLoop{dim.getPosition(), *sharding};
    }
  }
  SmallVector<OpOperand *> reads = getReadOperands(op);
  if (!loop)
    loop = LinalgLoops(op).findLocalLoop(
        reads, [&](OpOperand &operand) { return localizer.shardingOf(operand); });
  SmallVector<std::pair<OpOperand *, Sharding>> captures;
  for (OpOperand *operand : reads)
    if (operand->getOwner() != op.getOperation())
      if (auto sharding = localizer.shardingOf(*operand))
        captures.push_back({operand, *sharding});
  if (!loop) {
    for (auto [operand, sharding] : captures)
      readOwnRows(cast<tensor::ExtractOp>(operand->getOwner()), sharding, localizer);
    return;
  }

  // Reads of a sharded capture at the sample's own position: the local index is the position.
  SmallVector<linalg::IndexOp> indices;
  op.getBlock()->walk([&](linalg::IndexOp index) {
    if (index.getDim() == loop->loop)
      indices.push_back(index);
  });
  for (linalg::IndexOp index : indices) {
    OpBuilder inside(index->getContext());
    inside.setInsertionPointAfter(index);
    Value global = localizer.toGlobal(inside, index.getLoc(), index, loop->factors);
    index.getResult().replaceUsesWithIf(global, [&](OpOperand &use) {
      return use.getOwner()->getBlock() != global.getParentBlock() ||
             global.getDefiningOp()->isBeforeInBlock(use.getOwner());
    });
  }
  for (auto [operand, sharding] : captures) {
    auto extract = cast<tensor::ExtractOp>(operand->getOwner());
    // Not beside the read, which may be in a branch: an index belongs to the body itself.
    OpBuilder inside(op.getBlock()->findAncestorOpInBlock(*extract));
    extract.getIndicesMutable()[sharding.dim].set(
        linalg::IndexOp::create(inside, extract.getLoc(), loop->loop));
  }
}

} // namespace ds
