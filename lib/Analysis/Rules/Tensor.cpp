//===- Tensor.cpp - Sharding rules of tensor operations -------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that move data without computing. Each is linear: an element of the result is an
// element of an operand. A merge concatenates loops, a split cuts them; padding, joins and slices
// are parts of a loop.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/Placement.h"
#include "ds/Analysis/Rules/Localizer.h"
#include "ds/Analysis/Rules/Rules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace ds {
namespace {

using OptionalRule = std::optional<ShardingRule>;
/// A position for each dimension of a tensor.
using Position = SmallVector<AffineExpr>;

//===----------------------------------------------------------------------===//
// Forms of rules
//===----------------------------------------------------------------------===//

/// Returns one loop over each dimension.
Position allLoops(RankedTensorType type) {
  Position position;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    position.push_back(getAffineDimExpr(dim, type.getContext()));
  return position;
}

Position unsharded(RankedTensorType type) {
  return Position(type.getRank(), getAffineConstantExpr(0, type.getContext()));
}

/// The loops run over `loops`; operands beyond those with positions are indices and sizes.
ShardingRule getRule(Operation *op, RankedTensorType loops, ArrayRef<Position> operands,
                     const Position &result, ScalarRule terms, StringRef obstacle = {}) {
  auto mapOf = [&](const Position &position) {
    return AffineMap::get(loops.getRank(), 0, position, op->getContext());
  };
  SmallVector<AffineMap> maps = llvm::map_to_vector(operands, mapOf);
  maps.resize(op->getNumOperands(), mapOf({}));
  ShardingRule rule = ShardingRule::of(maps, mapOf(result), std::move(terms));
  rule.sizes.assign(loops.getShape().begin(), loops.getShape().end());
  rule.obstacle = obstacle;
  return rule;
}

/// The first operand, moved.
ScalarRule moved(Operation *op) {
  return ScalarRule::linear(ScalarTerm::same(op->getOpOperand(0)));
}

/// One of the operands.
ScalarRule oneOf(MutableArrayRef<OpOperand> operands) {
  return ScalarRule::choice(llvm::map_to_vector(operands, ScalarTerm::same));
}

/// The dimensions that a reshape merges are the digits of the merged one.
Position merged(ArrayRef<ReassociationIndices> groups, RankedTensorType split) {
  Position position;
  for (const ReassociationIndices &group : groups) {
    AffineExpr number = getAffineConstantExpr(0, split.getContext());
    for (int64_t dim : group)
      number = number * split.getDimSize(dim) + getAffineDimExpr(dim, split.getContext());
    position.push_back(number);
  }
  return position;
}

/// Maps each dimension of the larger tensor to its dimension of the slice. A dropped one maps to
/// what remains of the unit dimensions around it: the type does not show which of them is dropped.
SmallVector<std::optional<unsigned>> findKept(const llvm::SmallBitVector &dropped,
                                              ArrayRef<int64_t> sizes) {
  SmallVector<std::optional<unsigned>> kept(sizes.size());
  unsigned next = 0;
  for (unsigned begin = 0, end; begin < sizes.size(); begin = end) {
    end = begin + 1;
    while (end < sizes.size() && sizes[begin] == 1 && sizes[end] == 1)
      ++end;
    std::optional<unsigned> first;
    for (unsigned dim = begin; dim < end; ++dim)
      if (!dropped.test(dim)) {
        kept[dim] = next++;
        first = first ? first : kept[dim];
      }
    for (unsigned dim = begin; dim < end; ++dim)
      if (dropped.test(dim))
        kept[dim] = first;
  }
  return kept;
}

/// A dimension that is read as [blocks, size] or, with a stride, as [size, blocks], and of which
/// one block, of any number, is taken.
struct BlockOf {
  unsigned dim;
  int64_t size, blocks;
  bool isStrided;
};

/// Returns `c` if `value` is `x * c`.
std::optional<int64_t> getFactor(Value value) {
  APInt factor;
  auto product = value.getDefiningOp<arith::MulIOp>();
  if (!product || !matchPattern(product.getRhs(), m_ConstantInt(&factor)))
    return std::nullopt;
  return factor.getSExtValue();
}

/// Returns the first dimension of which a slice takes a block at a dynamic offset that is provably
/// in range: within the dimension, and a multiple of the size or less than the stride.
std::optional<BlockOf> findBlock(tensor::ExtractSliceOp op) {
  for (unsigned dim = 0; dim < op.getSourceType().getRank(); ++dim) {
    if (!op.isDynamicOffset(dim) || op.isDynamicSize(dim) || op.isDynamicStride(dim))
      continue;
    int64_t extent = op.getSourceType().getDimSize(dim);
    int64_t size = op.getStaticSizes()[dim], stride = op.getStaticStrides()[dim];
    if (ShapedType::isDynamic(extent) || size < 1 || extent % size != 0)
      continue;
    BlockOf block{dim, size, extent / size, stride != 1};
    std::optional<int64_t> factor = getFactor(op.getDynamicOffset(dim));
    if (block.isStrided ? stride == block.blocks : factor && *factor > 0 && *factor % size == 0)
      return block;
  }
  return std::nullopt;
}

/// The rest of the larger tensor stays where it is: only dimensions that are taken whole are
/// sharded.
template <typename SliceOp>
std::pair<Position, Position> getSlice(SliceOp op, RankedTensorType large, RankedTensorType slice,
                                       bool onlyWhole) {
  Position ofLarge = unsharded(large), ofSlice = unsharded(slice);
  auto kept = findKept(op.getDroppedDims(), op.getStaticSizes());
  for (int64_t dim = 0; dim < large.getRank(); ++dim) {
    int64_t offset = op.getStaticOffsets()[dim], size = op.getStaticSizes()[dim];
    bool isPart = offset != 0 || size != large.getDimSize(dim);
    if (!kept[dim] || op.isDynamicOffset(dim) || op.isDynamicSize(dim) || op.isDynamicStride(dim) ||
        op.getStaticStrides()[dim] != 1 || (isPart && onlyWhole))
      continue;
    AffineExpr loop = getAffineDimExpr(dim, op.getContext());
    ofLarge[dim] = loop;
    ofSlice[*kept[dim]] = ofSlice[*kept[dim]] + loop - offset;
  }
  return {ofLarge, ofSlice};
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

OptionalRule ruleOf(tensor::CastOp op) {
  if (!isa<RankedTensorType>(op.getSource().getType()) || !isa<RankedTensorType>(op.getType()))
    return std::nullopt;
  ShardingRule rule = ruleOfElements(op);
  rule.terms.push_back(moved(op));
  return rule;
}

OptionalRule ruleOf(tensor::CollapseShapeOp op) {
  RankedTensorType split = op.getSrcType();
  if (!split.hasStaticShape())
    return std::nullopt;
  return getRule(op, split, allLoops(split), merged(op.getReassociationIndices(), split),
                 moved(op));
}

OptionalRule ruleOf(tensor::ExpandShapeOp op) {
  RankedTensorType split = op.getResultType();
  if (!split.hasStaticShape())
    return std::nullopt;
  return getRule(op, split, merged(op.getReassociationIndices(), split), allLoops(split), moved(op),
                 "the reshape splits the shard of one rank over two dimensions");
}

void toLocal(tensor::ExpandShapeOp op, Localizer &) {
  op.setStaticOutputShape(op.getResultType().getShape());
}

/// Sharding one block shards all of them: the number of the block is a loop that no rank shards, as
/// with collectives of other ranks.
void addBlock(tensor::ExtractSliceOp op, const BlockOf &block, ShardingRule &rule) {
  auto kept = findKept(op.getDroppedDims(), op.getStaticSizes());
  if (!kept[block.dim])
    return;
  unsigned number = rule.loops.size();
  AffineExpr within = getAffineDimExpr(block.dim, op.getContext());
  AffineExpr which = getAffineDimExpr(number, op.getContext());
  auto withPosition = [&](AffineMap map, unsigned dim, AffineExpr expr) {
    SmallVector<AffineExpr> positions(map.getResults());
    positions[dim] = expr;
    return AffineMap::get(number + 1, 0, positions, op.getContext());
  };
  for (AffineMap &map : rule.operands)
    map = AffineMap::get(number + 1, 0, map.getResults(), op.getContext());
  rule.operands[0] =
      withPosition(rule.operands[0], block.dim,
                   block.isStrided ? within * block.blocks + which : which * block.size + within);
  rule.results[0] = withPosition(rule.results[0], *kept[block.dim], within);
  rule.sizes[block.dim] = block.size;
  rule.sizes.push_back(block.blocks);
  rule.loops.push_back(utils::IteratorType::parallel);
  rule.loops[block.dim] = utils::IteratorType::parallel;
  rule.overRanks = number;
}

OptionalRule ruleOf(tensor::ExtractSliceOp op) {
  auto [source, slice] = getSlice(op, op.getSourceType(), op.getType(), /*onlyWhole=*/false);
  ShardingRule rule = getRule(op, op.getSourceType(), source, slice, moved(op),
                              "the slice cuts or drops the sharded dimension");
  if (std::optional<BlockOf> block = findBlock(op))
    addBlock(op, *block, rule);
  return rule;
}

/// All blocks before the one that is taken are smaller, too.
void divideOffset(tensor::ExtractSliceOp op, unsigned dim, int64_t numRanks) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value offset = op.getDynamicOffset(dim);
  Value factor = arith::ConstantIndexOp::create(b, loc, *getFactor(offset) / numRanks);
  Value block = offset.getDefiningOp<arith::MulIOp>().getLhs();
  op->setOperand(op.getIndexOfDynamicOffset(dim), arith::MulIOp::create(b, loc, block, factor));
}

void toLocal(tensor::ExtractSliceOp op, Localizer &localizer) {
  auto sharding = localizer.shardingOf(op.getSourceMutable());
  auto result = localizer.shardingOf(op.getResult());
  if (!sharding || !result)
    return;
  SmallVector<int64_t> offsets(op.getStaticOffsets()), sizes(op.getStaticSizes());
  if (!op.isDynamicOffset(sharding->dim))
    offsets[sharding->dim] /= localizer.numRanks();
  else if (op.getStaticStrides()[sharding->dim] == 1)
    divideOffset(op, sharding->dim, localizer.numRanks());
  sizes[sharding->dim] = result->localSize();
  op.setStaticOffsets(offsets);
  op.setStaticSizes(sizes);
}

OptionalRule ruleOf(tensor::InsertSliceOp op) {
  auto [dest, slice] = getSlice(op, op.getDestType(), op.getSourceType(), /*onlyWhole=*/true);
  return getRule(op, op.getDestType(), {slice, dest}, dest,
                 oneOf(op->getOpOperands().take_front(2)),
                 "the slice is written into a part of the sharded dimension");
}

void toLocal(tensor::InsertSliceOp op, Localizer &localizer) {
  auto sharding = localizer.shardingOf(op.getResult());
  if (!sharding)
    return;
  SmallVector<int64_t> sizes(op.getStaticSizes());
  sizes[sharding->dim] = sharding->localSize();
  op.setStaticSizes(sizes);
}

OptionalRule ruleOf(tensor::PadOp op) {
  RankedTensorType result = op.getResultType();
  Position source = allLoops(result), padded = source;
  for (int64_t dim = 0; dim < result.getRank(); ++dim) {
    int64_t low = op.getStaticLow()[dim], high = op.getStaticHigh()[dim];
    bool isKnown = !ShapedType::isDynamic(low) && !ShapedType::isDynamic(high);
    // Values computed from positions would differ on a rank's own positions.
    if (isKnown && op.getBody()->getArgument(dim).use_empty())
      source[dim] = source[dim] - low;
    else
      source[dim] = padded[dim] = getAffineConstantExpr(0, op.getContext());
  }
  OpOperand &value = op.getBody()->getTerminator()->getOpOperand(0);
  return getRule(
      op, result, source, padded,
      ScalarRule::choice({ScalarTerm::same(op.getSourceMutable()), ScalarTerm::same(value)}),
      "the padding adds to the sharded dimension what does not fill every rank");
}

void toLocal(tensor::PadOp op, Localizer &localizer) {
  auto sharding = localizer.shardingOf(op.getSourceMutable());
  if (!sharding)
    return;
  SmallVector<int64_t> low(op.getStaticLow()), high(op.getStaticHigh());
  low[sharding->dim] /= localizer.numRanks();
  high[sharding->dim] /= localizer.numRanks();
  op.setStaticLow(low);
  op.setStaticHigh(high);
}

OptionalRule ruleOf(tensor::ConcatOp op) {
  RankedTensorType result = op.getResultType();
  SmallVector<Position> pieces;
  int64_t begin = 0;
  for (Value piece : op.getInputs()) {
    auto type = cast<RankedTensorType>(piece.getType());
    if (!type.hasStaticShape())
      return std::nullopt;
    pieces.push_back(allLoops(result));
    AffineExpr &position = pieces.back()[op.getDim()];
    position = position - begin;
    begin += type.getDimSize(op.getDim());
  }
  return getRule(op, result, pieces, allLoops(result), oneOf(op->getOpOperands()),
                 "a piece is joined to the sharded dimension that does not fill every rank");
}

OptionalRule ruleOf(tensor::ExtractOp op) {
  RankedTensorType type = op.getTensor().getType();
  return getRule(op, type, unsharded(type), {}, moved(op),
                 "one sample of the batch is read by every rank");
}

OptionalRule ruleOf(tensor::FromElementsOp op) {
  return getRule(op, op.getType(), {}, unsharded(op.getType()), oneOf(op->getOpOperands()));
}

OptionalRule ruleOf(tensor::SplatOp op) {
  return getRule(op, op.getType(), {}, allLoops(op.getType()), moved(op));
}

/// For the others, changing the types is enough.
template <typename Op> void toLocal(Op, Localizer &) {}

template <typename Op>
struct TensorModel : public PlacementOpInterface::ExternalModel<TensorModel<Op>, Op> {
  OptionalRule getShardingRule(Operation *op) const { return ruleOf(cast<Op>(op)); }
  void localize(Operation *op, Localizer &localizer) const { toLocal(cast<Op>(op), localizer); }
};

template <typename... Ops> void attach(MLIRContext *ctx) {
  (Ops::template attachInterface<TensorModel<Ops>>(*ctx), ...);
}

struct EmptyModel : public PlacementOpInterface::ExternalModel<EmptyModel, tensor::EmptyOp> {
  OptionalRule getShardingRule(Operation *op) const { return ruleOfElements(op); }
  void place(Operation *, PlacementRule &rule) const {
    Placement placement;
    placement.undefined = true;
    rule.setResult(0, placement);
  }
};

} // namespace

void registerTensorPlacementModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *ctx, tensor::TensorDialect *) {
    tensor::EmptyOp::attachInterface<EmptyModel>(*ctx);
    attach<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::ExtractSliceOp,
           tensor::InsertSliceOp, tensor::PadOp, tensor::ConcatOp, tensor::ExtractOp,
           tensor::FromElementsOp, tensor::SplatOp>(ctx);
  });
}

} // namespace ds
