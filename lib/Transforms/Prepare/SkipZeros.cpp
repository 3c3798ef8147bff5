//===- SkipZeros.cpp - Sums do not read zeros between elements ------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The importers of StableHLO write a convolution with a dilated kernel as one whose kernel has
// zeros between its elements: with a dilation of 36, 3 x 3 become 73 x 73. This pass restricts the
// loops to the elements and dilates the windows instead. One walk.
//
//===----------------------------------------------------------------------===//
#include "SkipZeros.h"

#include "ds/Analysis/BodyLinearity.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace ds {
namespace {

bool isZero(Value value) { return matchPattern(value, m_AnyZeroFloat()); }

/// True if every element is zero.
bool holdsZeros(Value tensor) {
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    return isZero(fill.value());
  auto generic = tensor.getDefiningOp<linalg::GenericOp>();
  return generic ? isZero(generic.getBody()->getTerminator()->getOperand(
                       cast<OpResult>(tensor).getResultNumber()))
                 : isZero(tensor);
}

/// True if the operation sums products of the operand's elements, so that zeros add nothing.
bool sumsProductsOf(linalg::GenericOp op, OpOperand &operand) {
  Block &body = *op.getBody();
  BlockArgument element = op.getMatchingBlockArgument(&operand), out = body.getArguments().back();
  if (op.getNumResults() != 1 || findCombiner(body, out, 0) != ReductionKind::Sum)
    return false;
  BodyLinearity kinds([&](Value value) {
    return value == element || value == out ? Linearity::Zero : Linearity::Replicated;
  });
  kinds.walk(body);
  return kinds.of(body.getTerminator()->getOperand(0)) == Linearity::Zero;
}

/// A dilated dimension of an operand: the loop over it, and the distance between its elements.
struct Spread {
  unsigned loop;
  int64_t stride;
};

/// Returns the loops over the dilated dimensions, in which zeros follow each element of `insert`;
/// none if a padded dimension has another form.
std::optional<SmallVector<Spread>> findSpreads(linalg::GenericOp op, OpOperand &operand,
                                               tensor::InsertSliceOp insert) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  RankedTensorType source = insert.getSourceType(), spread = insert.getType();
  if (source.getRank() != spread.getRank() || !spread.hasStaticShape() ||
      !source.hasStaticShape() || ShapedType::isDynamicShape(insert.getStaticStrides()) ||
      llvm::any_of(insert.getStaticOffsets(), [](int64_t offset) { return offset != 0; }))
    return std::nullopt;
  SmallVector<Spread> found;
  for (auto [dim, stride] : llvm::enumerate(insert.getStaticStrides())) {
    if (source.getDimSize(dim) == spread.getDimSize(dim))
      continue;
    auto loop = dyn_cast<AffineDimExpr>(map.getResult(dim));
    if (!loop || op.getIteratorTypesArray()[loop.getPosition()] != utils::IteratorType::reduction)
      return std::nullopt;
    found.push_back({loop.getPosition(), stride});
  }
  return found;
}

/// True if every other operand uses the loops only as a part of window positions: an operand
/// indexed by such a loop alone would have to be dilated, too.
bool runInWindows(linalg::GenericOp op, OpOperand &operand, ArrayRef<Spread> spreads) {
  AffineMap own = op.getMatchingIndexingMap(&operand);
  for (auto [loop, stride] : spreads) {
    AffineExpr expr = getAffineDimExpr(loop, op.getContext());
    if (llvm::count(own.getResults(), expr) != 1)
      return false;
    for (OpOperand &other : op->getOpOperands())
      if (&other != &operand &&
          llvm::is_contained(op.getMatchingIndexingMap(&other).getResults(), expr))
        return false;
  }
  return op.getBody()->getOps<linalg::IndexOp>().empty();
}

void skipZerosOf(linalg::GenericOp op, OpOperand &operand) {
  auto insert = operand.get().getDefiningOp<tensor::InsertSliceOp>();
  if (!insert || !holdsZeros(insert.getDest()) || !sumsProductsOf(op, operand))
    return;
  std::optional<SmallVector<Spread>> spreads = findSpreads(op, operand, insert);
  if (!spreads || spreads->empty() || !runInWindows(op, operand, *spreads))
    return;
  Builder b(op);
  llvm::DenseMap<AffineExpr, AffineExpr> apart;
  for (auto [loop, stride] : *spreads)
    apart[b.getAffineDimExpr(loop)] = b.getAffineDimExpr(loop) * stride;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [number, map] : llvm::enumerate(maps))
    if (number != operand.getOperandNumber())
      map = map.replace(apart, map.getNumDims(), map.getNumSymbols());
  op.setIndexingMapsAttr(b.getAffineMapArrayAttr(maps));
  operand.set(insert.getSource());
}

} // namespace

void skipZeros(Operation *root) {
  root->walk([](linalg::GenericOp op) {
    if (op.hasPureTensorSemantics())
      for (OpOperand *operand : op.getDpsInputOperands())
        skipZerosOf(op, *operand);
  });
}

} // namespace ds
