//===- ChannelLayout.cpp - Tensors with channels last -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel relates dimensions by the loops that index them; slices and padding keep them; reshapes
// split and merge them, and parts or merges of channels are channels.
//
//===----------------------------------------------------------------------===//
#include "ChannelLayout.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ds;

SmallVector<int64_t> ds::channelsLastOrder(const Channels &channels) {
  SmallVector<int64_t> order;
  for (bool last : {false, true})
    for (unsigned d = 0; d < channels.size(); ++d)
      if (channels[d] == last)
        order.push_back(d);
  return order;
}

bool ds::liesChannelsLast(const Channels &channels) {
  return channels.none() || channels.find_first() + channels.count() == channels.size();
}

template <typename T> static SmallVector<T> permute(ArrayRef<T> values, const Channels &channels) {
  SmallVector<T> permuted;
  for (int64_t d : channelsLastOrder(channels))
    permuted.push_back(values[d]);
  return permuted;
}

RankedTensorType ds::channelsLastType(RankedTensorType type, const Channels &channels) {
  return type.clone(permute(type.getShape(), channels));
}

static Channels noneOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return Channels(type ? type.getRank() : 0);
}

static OpChannels noneOfAll(Operation *op) {
  OpChannels all;
  for (Value value : op->getOperands())
    all.push_back(noneOf(value));
  for (Value value : op->getResults())
    all.push_back(noneOf(value));
  return all;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Returns the loops that index the channels of `operand`; none if an expression other than a
/// single loop indexes one of them.
static std::optional<Channels> loopsOf(linalg::GenericOp op, OpOperand &operand,
                                       const Channels &channels) {
  Channels loops(op.getNumLoops());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (unsigned d : channels.set_bits()) {
    auto loop = dyn_cast<AffineDimExpr>(map.getResult(d));
    if (!loop)
      return std::nullopt;
    loops.set(loop.getPosition());
  }
  return loops;
}

static std::optional<OpChannels> spread(linalg::GenericOp op, Value value,
                                        const Channels &channels) {
  if (!op.hasPureTensorSemantics())
    return std::nullopt;
  std::optional<Channels> loops;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isIt =
        operand.get() == value || (op.isDpsInit(&operand) && op.getTiedOpResult(&operand) == value);
    if (!isIt)
      continue;
    std::optional<Channels> walking = loopsOf(op, operand, channels);
    if (!walking || (loops && *loops != *walking))
      return std::nullopt;
    loops = walking;
  }
  if (!loops) // the body reads the whole tensor
    return std::nullopt;
  OpChannels all = noneOfAll(op);
  for (OpOperand &operand : op->getOpOperands())
    for (auto [d, index] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
      for (unsigned loop : loops->set_bits()) {
        if (!index.isFunctionOfDim(loop))
          continue;
        if (!isa<AffineDimExpr>(index))
          return std::nullopt;
        all[operand.getOperandNumber()].set(d);
      }
  for (OpOperand &init : op.getDpsInitsMutable())
    all[op->getNumOperands() + op.getTiedOpResult(&init).getResultNumber()] =
        all[init.getOperandNumber()];
  return all;
}

/// Permutes the maps as their operands, and moves the loops of channels last, so that an identity
/// map stays one.
static void rewrite(linalg::GenericOp op, const OpChannels &channels, RewriterBase &rewriter) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  Channels loops(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    const Channels &mine = channels[operand.getOperandNumber()];
    loops |= *loopsOf(op, operand, mine);
    AffineMap &map = maps[operand.getOperandNumber()];
    map = AffineMap::get(map.getNumDims(), 0, permute(map.getResults(), mine), op.getContext());
  }
  rewriter.modifyOpInPlace(op,
                           [&] { op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps)); });
  SmallVector<unsigned> order(
      llvm::map_range(channelsLastOrder(loops), [](int64_t loop) { return unsigned(loop); }));
  // Only fails if `order` is no permutation.
  (void)linalg::interchangeGenericOp(rewriter, op, order);
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// Returns the channels of the expanded side, from those of the collapsed one.
static Channels expand(ArrayRef<ReassociationIndices> groups, const Channels &collapsed) {
  Channels expanded(groups.back().back() + 1);
  for (unsigned d : collapsed.set_bits())
    for (int64_t part : groups[d])
      expanded.set(part);
  return expanded;
}

/// The reverse; none if a group holds both channels and other dimensions.
static std::optional<Channels> collapse(ArrayRef<ReassociationIndices> groups,
                                        const Channels &expanded) {
  Channels collapsed(groups.size());
  for (auto [d, group] : llvm::enumerate(groups))
    if (expanded[group.front()])
      collapsed.set(d);
  if (expand(groups, collapsed) != expanded)
    return std::nullopt;
  return collapsed;
}

template <typename ReshapeOp>
static std::optional<OpChannels> spreadReshape(ReshapeOp op, Value value,
                                               const Channels &channels) {
  constexpr bool expands = std::is_same_v<ReshapeOp, tensor::ExpandShapeOp>;
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  if (groups.empty() || !op.getResultType().hasStaticShape() || !op.getSrcType().hasStaticShape())
    return std::nullopt;
  bool fromExpanded = (value == op.getResult()) == expands;
  std::optional<Channels> other =
      fromExpanded ? collapse(groups, channels) : expand(groups, channels);
  if (!other)
    return std::nullopt;
  OpChannels all = noneOfAll(op);
  all.front() = value == op.getSrc() ? channels : *other;
  all.back() = value == op.getSrc() ? *other : channels;
  return all;
}

template <typename ReshapeOp>
static void rewriteReshape(ReshapeOp op, const OpChannels &channels, RewriterBase &rewriter) {
  constexpr bool expands = std::is_same_v<ReshapeOp, tensor::ExpandShapeOp>;
  const Channels &collapsed = expands ? channels.front() : channels.back();
  SmallVector<ReassociationIndices> groups;
  int64_t at = 0;
  for (const ReassociationIndices &group :
       permute(ArrayRef(op.getReassociationIndices()), collapsed)) {
    groups.emplace_back();
    for (size_t i = 0; i < group.size(); ++i)
      groups.back().push_back(at++);
  }
  rewriter.modifyOpInPlace(op, [&] {
    op.setReassociationAttr(getReassociationIndicesAttribute(rewriter, groups));
    if constexpr (expands)
      op.setStaticOutputShape(permute(op.getStaticOutputShape(), channels.back()));
  });
}

//===----------------------------------------------------------------------===//
// Padding and slices
//===----------------------------------------------------------------------===//

/// Gives all tensors the same channels, for an operation whose tensors all have the same
/// dimensions.
static std::optional<OpChannels> spreadToAll(Operation *op, const Channels &channels) {
  OpChannels all = noneOfAll(op);
  for (Channels &each : all)
    if (each.size() == channels.size())
      each = channels;
    else if (!each.empty())
      return std::nullopt;
  return all;
}

/// True if all operands are tensors: offsets, sizes and strides are constant.
template <typename SliceOp> static bool isStatic(SliceOp op) {
  return op.getOffsets().empty() && op.getSizes().empty() && op.getStrides().empty();
}

template <typename SliceOp> static void rewriteSlice(SliceOp op, const Channels &channels) {
  op.setStaticOffsets(permute(op.getStaticOffsets(), channels));
  op.setStaticSizes(permute(op.getStaticSizes(), channels));
  op.setStaticStrides(permute(op.getStaticStrides(), channels));
}

std::optional<OpChannels> ds::spreadChannels(Operation *op, Value value, const Channels &channels) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return spread(generic, value, channels);
  if (auto reshape = dyn_cast<tensor::ExpandShapeOp>(op))
    return spreadReshape(reshape, value, channels);
  if (auto reshape = dyn_cast<tensor::CollapseShapeOp>(op))
    return spreadReshape(reshape, value, channels);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op); slice && isStatic(slice))
    return spreadToAll(op, channels);
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op); slice && isStatic(slice))
    return spreadToAll(op, channels);
  if (auto pad = dyn_cast<tensor::PadOp>(op);
      pad && pad.getLow().empty() && pad.getHigh().empty() && pad.getConstantPaddingValue())
    return spreadToAll(op, channels);
  return std::nullopt;
}

void ds::putChannelsLast(Operation *op, const OpChannels &channels, RewriterBase &rewriter) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return rewrite(generic, channels, rewriter);
  if (auto reshape = dyn_cast<tensor::ExpandShapeOp>(op))
    return rewriteReshape(reshape, channels, rewriter);
  if (auto reshape = dyn_cast<tensor::CollapseShapeOp>(op))
    return rewriteReshape(reshape, channels, rewriter);
  rewriter.modifyOpInPlace(op, [&] {
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      return rewriteSlice(slice, channels.front());
    if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
      return rewriteSlice(slice, channels.front());
    auto pad = cast<tensor::PadOp>(op);
    pad.setStaticLow(permute(pad.getStaticLow(), channels.front()));
    pad.setStaticHigh(permute(pad.getStaticHigh(), channels.front()));
  });
}
