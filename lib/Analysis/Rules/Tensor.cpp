//===- Tensor.cpp - Placement of tensor operations ------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that move data without computing. Each is linear, so partial operands stay partial; a
// sharded dimension follows the data through merges and splits by its factors [a, n, b], never by
// sizes.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/Localizer.h"
#include "ds/Analysis/Placement.h"
#include "ds/Analysis/Rules.h"

#include "TensorShards.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace ds {
namespace {

template <typename Model, typename Op> using Base = PlacementOpInterface::ExternalModel<Model, Op>;

/// An operation with one data operand that is linear in it: its placement without a sharded
/// operand.
void placeLinear(OpOperand &source, PlacementRule &rule) {
  Placement placement = rule.operand(source);
  if (placement.isPartial())
    rule.keep(source, 0);
  rule.setResult(0, placement);
}

/// Index operands must be the same on every rank.
void needReplicated(MutableArrayRef<OpOperand> operands, PlacementRule &rule) {
  for (OpOperand &operand : operands) {
    assert(!rule.operand(operand).isSharded() && "only tensors hold samples");
    if (rule.operand(operand).isPartial())
      rule.need(operand);
  }
}

struct EmptyModel : public Base<EmptyModel, tensor::EmptyOp> {
  void place(Operation *, PlacementRule &rule) const {
    Placement placement;
    placement.undefined = true;
    rule.setResult(0, placement);
  }
  bool demand(Operation *, unsigned, Sharding, llvm::DenseMap<OpOperand *, Sharding> &) const {
    return true;
  }
};

struct CastModel : public Base<CastModel, tensor::CastOp> {
  void place(Operation *op, PlacementRule &rule) const { placeLinear(op->getOpOperand(0), rule); }
};

struct CollapseModel : public Base<CollapseModel, tensor::CollapseShapeOp> {
  void place(Operation *operation, PlacementRule &rule) const {
    auto op = cast<tensor::CollapseShapeOp>(operation);
    OpOperand &source = op.getSrcMutable();
    Placement placement = rule.operand(source);
    if (!placement.isSharded())
      return placeLinear(source, rule);
    if (op.getResultType().getRank() == 0) // a rank's only sample, and the sum over its samples
      return rule.birth(0, ReductionKind::Sum);
    rule.setResult(0,
                   Placement::sharded(mergeDims(op.getReassociationIndices(),
                                                op.getSrcType().getShape(), placement.sharding)));
  }
  bool demand(Operation *operation, unsigned, Sharding sharding,
              llvm::DenseMap<OpOperand *, Sharding> &wants) const {
    auto op = cast<tensor::CollapseShapeOp>(operation);
    auto source =
        splitDims(op.getReassociationIndices(), op.getSrcType().getShape(),
                  op.getResultType().getDimSize(sharding.dim) / sharding.localSize(), sharding);
    if (source)
      wants[&op.getSrcMutable()] = *source;
    return source.has_value();
  }
};

struct ExpandModel : public Base<ExpandModel, tensor::ExpandShapeOp> {
  void place(Operation *operation, PlacementRule &rule) const {
    auto op = cast<tensor::ExpandShapeOp>(operation);
    OpOperand &source = op.getSrcMutable();
    Placement placement = rule.operand(source);
    if (!placement.isSharded())
      return placeLinear(source, rule);
    auto result = splitDims(op.getReassociationIndices(), op.getResultType().getShape(),
                            rule.numRanks(), placement.sharding);
    if (!result)
      return rule.conflict("the reshape splits the samples of one rank over two dimensions");
    rule.setResult(0, Placement::sharded(*result));
  }
  bool demand(Operation *operation, unsigned, Sharding sharding,
              llvm::DenseMap<OpOperand *, Sharding> &wants) const {
    auto op = cast<tensor::ExpandShapeOp>(operation);
    wants[&op.getSrcMutable()] =
        mergeDims(op.getReassociationIndices(), op.getResultType().getShape(), sharding);
    return true;
  }
  void localize(Operation *operation, Localizer &) const {
    auto op = cast<tensor::ExpandShapeOp>(operation);
    op.setStaticOutputShape(op.getResultType().getShape());
  }
};

struct ExtractSliceModel : public Base<ExtractSliceModel, tensor::ExtractSliceOp> {
  void place(Operation *operation, PlacementRule &rule) const {
    auto op = cast<tensor::ExtractSliceOp>(operation);
    needReplicated(operation->getOpOperands().drop_front(), rule);
    Placement placement = rule.operand(op.getSourceMutable());
    if (!placement.isSharded())
      return placeLinear(op.getSourceMutable(), rule);
    auto result = sliceDims(op.getStaticOffsets(), op.getStaticSizes(), op.getStaticStrides(),
                            op.getSourceType().getShape(), rule.numRanks(), placement.sharding);
    if (!result)
      return rule.conflict("the slice cuts through the samples of a rank");
    auto dim = keptDim(keepDim(op.getDroppedDims(), op.getStaticSizes(), result->dim), result->dim);
    if (!dim)
      return rule.conflict("the slice drops the dimension of the samples");
    rule.setResult(0, Placement::sharded(result->on(*dim)));
  }
  bool demand(Operation *operation, unsigned, Sharding sharding,
              llvm::DenseMap<OpOperand *, Sharding> &wants) const {
    auto op = cast<tensor::ExtractSliceOp>(operation);
    int64_t dim = sourceDim(op.getDroppedDims(), sharding.dim);
    if (!takesWholeDim(op.getStaticOffsets(), op.getStaticSizes(), op.getStaticStrides(),
                       op.getSourceType().getShape(), dim))
      return false;
    wants[&op.getSourceMutable()] = sharding.on(dim);
    return true;
  }
  void localize(Operation *operation, Localizer &localizer) const {
    auto op = cast<tensor::ExtractSliceOp>(operation);
    auto sharding = localizer.shardingOf(op.getSourceMutable());
    auto result = localizer.shardingOf(op.getResult());
    if (!sharding || !result)
      return;
    SmallVector<int64_t> offsets(op.getStaticOffsets()), sizes(op.getStaticSizes());
    offsets[sharding->dim] /= localizer.numRanks();
    sizes[sharding->dim] = result->localSize();
    op.setStaticOffsets(offsets);
    op.setStaticSizes(sizes);
  }
};

struct InsertSliceModel : public Base<InsertSliceModel, tensor::InsertSliceOp> {
  void place(Operation *operation, PlacementRule &rule) const {
    auto op = cast<tensor::InsertSliceOp>(operation);
    OpOperand &source = op.getSourceMutable(), &dest = op.getDestMutable();
    needReplicated(operation->getOpOperands().drop_front(2), rule);
    Placement from = rule.operand(source), into = rule.operand(dest);
    if (!from.isSharded() && !into.isSharded())
      return placeJoined(source, dest, rule);
    Sharding sharding = into.isSharded() ? into.sharding : ofDest(op, from.sharding);
    auto dim = keptDim(droppedBeside(op, sharding.dim), sharding.dim);
    if (!dim || !takesWhole(op, sharding.dim))
      return rule.conflict("the slice is written into a part of the samples");
    for (auto [operand, placement, wanted] :
         {std::tuple(&source, from, sharding.on(*dim)), std::tuple(&dest, into, sharding)}) {
      if (placement.isPartial())
        rule.need(*operand);
      else if (placement.isReplicated())
        rule.slice(*operand, wanted);
      else if (placement.sharding != wanted)
        return rule.conflict("source and destination hold different rows of the batch");
    }
    rule.setResult(0, Placement::sharded(sharding));
  }
  bool demand(Operation *operation, unsigned, Sharding sharding,
              llvm::DenseMap<OpOperand *, Sharding> &wants) const {
    auto op = cast<tensor::InsertSliceOp>(operation);
    auto dim = keptDim(op.getDroppedDims(), sharding.dim);
    if (!dim || !takesWhole(op, sharding.dim))
      return false;
    wants[&op.getSourceMutable()] = sharding.on(*dim);
    wants[&op.getDestMutable()] = sharding;
    return true;
  }
  void countReplicatedOnce(Operation *op, PlacementRule::View placementOf,
                           PlacementRule::Combined) const {
    countTensorsOnce(op->getOpOperands().take_front(2), placementOf);
  }
  void localize(Operation *operation, Localizer &localizer) const {
    auto op = cast<tensor::InsertSliceOp>(operation);
    auto sharding = localizer.shardingOf(op.getResult());
    if (!sharding)
      return;
    SmallVector<int64_t> sizes(op.getStaticSizes());
    sizes[sharding->dim] = sharding->localSize();
    op.setStaticSizes(sizes);
  }

private:
  static bool takesWhole(tensor::InsertSliceOp op, int64_t dim) {
    return takesWholeDim(op.getStaticOffsets(), op.getStaticSizes(), op.getStaticStrides(),
                         op.getDestType().getShape(), dim);
  }
  static llvm::SmallBitVector droppedBeside(tensor::InsertSliceOp op, int64_t dim) {
    return keepDim(op.getDroppedDims(), op.getStaticSizes(), dim);
  }
  /// The source's shard on a dimension of the destination that is written in full.
  static Sharding ofDest(tensor::InsertSliceOp op, const Sharding &source) {
    for (int64_t dim = 0; dim < op.getDestType().getRank(); ++dim)
      if (keptDim(droppedBeside(op, dim), dim) == source.dim && takesWhole(op, dim) &&
          op.getDestType().getDimSize(dim) == op.getSourceType().getDimSize(source.dim))
        return source.on(dim);
    return source.on(sourceDim(op.getDroppedDims(), source.dim));
  }
};

struct PadModel : public Base<PadModel, tensor::PadOp> {
  void place(Operation *operation, PlacementRule &rule) const {
    auto op = cast<tensor::PadOp>(operation);
    for (OpOperand *operand : rule.reads())
      if (operand != &op.getSourceMutable())
        needReplicated(*operand, rule);
    Placement placement = rule.operand(op.getSourceMutable());
    if (placement.isReplicated())
      placement.zero &= padsWithZero(op);
    if (!placement.isSharded())
      return placeLinearAs(op.getSourceMutable(), placement, rule);
    Sharding s = placement.sharding;
    int64_t low = op.getStaticLow()[s.dim], high = op.getStaticHigh()[s.dim];
    int64_t block = rule.numRanks() * s.b;
    if (ShapedType::isDynamic(low) || ShapedType::isDynamic(high) || low % block || high % block)
      return rule.conflict("the padding adds samples that do not fill every rank");
    s.a += (low + high) / block;
    rule.setResult(0, Placement::sharded(s));
  }
  bool demand(Operation *operation, unsigned, Sharding sharding,
              llvm::DenseMap<OpOperand *, Sharding> &wants) const {
    auto op = cast<tensor::PadOp>(operation);
    if (op.getStaticLow()[sharding.dim] != 0 || op.getStaticHigh()[sharding.dim] != 0 ||
        !op.getConstantPaddingValue())
      return false;
    wants[&op.getSourceMutable()] = sharding;
    return true;
  }
  void countReplicatedOnce(Operation *operation, PlacementRule::View placementOf,
                           PlacementRule::Combined) const {
    auto op = cast<tensor::PadOp>(operation);
    if (!placementOf(op.getSourceMutable()).isPartial() || padsWithZero(op))
      return;
    Operation *yield = op.getBody()->getTerminator();
    OpBuilder b(yield);
    Value value = yield->getOperand(0);
    yield->setOperand(0,
                      OnceOp::create(b, op.getLoc(), value.getType(), ReductionKind::Sum, value));
  }
  void localize(Operation *operation, Localizer &localizer) const {
    auto op = cast<tensor::PadOp>(operation);
    auto sharding = localizer.shardingOf(op.getSourceMutable());
    if (!sharding)
      return;
    SmallVector<int64_t> low(op.getStaticLow()), high(op.getStaticHigh());
    low[sharding->dim] /= localizer.numRanks();
    high[sharding->dim] /= localizer.numRanks();
    op.setStaticLow(low);
    op.setStaticHigh(high);
  }

private:
  static bool padsWithZero(tensor::PadOp op) {
    Value value = op.getConstantPaddingValue();
    return value && (matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero()));
  }
  static void placeLinearAs(OpOperand &source, Placement placement, PlacementRule &rule) {
    if (placement.isPartial())
      rule.keep(source, 0);
    rule.setResult(0, placement);
  }
};

struct ConcatModel : public Base<ConcatModel, tensor::ConcatOp> {
  void place(Operation *operation, PlacementRule &rule) const {
    auto op = cast<tensor::ConcatOp>(operation);
    std::optional<Sharding> sharding;
    for (OpOperand &operand : operation->getOpOperands()) {
      Placement placement = rule.operand(operand);
      if (!placement.isSharded())
        continue;
      Sharding s = placement.sharding;
      if (sharding && (s.dim != sharding->dim || s.b != sharding->b ||
                       (s.dim != (int64_t)op.getDim() && s.a != sharding->a)))
        return rule.conflict("the pieces hold different rows of the batch");
      if (sharding && s.dim == (int64_t)op.getDim())
        sharding->a += s.a;
      else
        sharding = s;
    }
    if (!sharding)
      return placeUndivided(operation, rule);
    for (OpOperand &operand : operation->getOpOperands()) {
      Placement placement = rule.operand(operand);
      if (placement.isPartial())
        rule.need(operand);
      if (placement.isReplicated() && sharding->dim == (int64_t)op.getDim())
        return rule.conflict("a replicated piece is appended to the samples");
      if (placement.isReplicated())
        rule.slice(operand, *sharding);
    }
    rule.setResult(0, Placement::sharded(*sharding));
  }
  void countReplicatedOnce(Operation *op, PlacementRule::View placementOf,
                           PlacementRule::Combined) const {
    countTensorsOnce(op->getOpOperands(), placementOf);
  }

private:
  static void placeUndivided(Operation *op, PlacementRule &rule) {
    Placement result;
    result.zero = true;
    for (OpOperand &operand : op->getOpOperands()) {
      Placement placement = rule.operand(operand);
      result.zero &= placement.zero;
      if (!placement.isPartial())
        continue;
      if (placement.reduction != ReductionKind::Sum) {
        rule.need(operand);
        continue;
      }
      rule.keep(operand, 0);
      result = placement;
    }
    rule.setResult(0, result);
  }
};

struct ExtractModel : public Base<ExtractModel, tensor::ExtractOp> {
  void place(Operation *operation, PlacementRule &rule) const {
    auto op = cast<tensor::ExtractOp>(operation);
    needReplicated(operation->getOpOperands().drop_front(), rule);
    OpOperand &source = op.getTensorMutable();
    if (rule.operand(source).isSharded())
      return rule.conflict("one sample of the batch is read by every rank");
    placeLinear(source, rule);
  }
};

struct FromElementsModel : public Base<FromElementsModel, tensor::FromElementsOp> {
  void place(Operation *op, PlacementRule &rule) const {
    Placement result;
    for (OpOperand &operand : op->getOpOperands()) {
      Placement placement = rule.operand(operand);
      assert(!placement.isSharded() && "only tensors hold samples");
      if (placement.isPartial() && placement.reduction != ReductionKind::Sum)
        rule.need(operand);
      else if (placement.isPartial()) {
        rule.keep(operand, 0);
        result = placement;
      }
    }
    rule.setResult(0, result);
  }
  void countReplicatedOnce(Operation *op, PlacementRule::View placementOf,
                           PlacementRule::Combined) const {
    countTensorsOnce(op->getOpOperands(), placementOf);
  }
};

struct SplatModel : public Base<SplatModel, tensor::SplatOp> {
  void place(Operation *op, PlacementRule &rule) const { placeLinear(op->getOpOperand(0), rule); }
  bool demand(Operation *, unsigned, Sharding, llvm::DenseMap<OpOperand *, Sharding> &) const {
    return true;
  }
};

} // namespace

void registerTensorPlacementModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *ctx, tensor::TensorDialect *) {
    tensor::EmptyOp::attachInterface<EmptyModel>(*ctx);
    tensor::CastOp::attachInterface<CastModel>(*ctx);
    tensor::CollapseShapeOp::attachInterface<CollapseModel>(*ctx);
    tensor::ExpandShapeOp::attachInterface<ExpandModel>(*ctx);
    tensor::ExtractSliceOp::attachInterface<ExtractSliceModel>(*ctx);
    tensor::InsertSliceOp::attachInterface<InsertSliceModel>(*ctx);
    tensor::PadOp::attachInterface<PadModel>(*ctx);
    tensor::ConcatOp::attachInterface<ConcatModel>(*ctx);
    tensor::ExtractOp::attachInterface<ExtractModel>(*ctx);
    tensor::FromElementsOp::attachInterface<FromElementsModel>(*ctx);
    tensor::SplatOp::attachInterface<SplatModel>(*ctx);
  });
}

} // namespace ds
