//===- SkipZeros.cpp - Sums do not read zeros between elements ------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The importers of StableHLO write a convolution whose kernel is dilated as one of the kernel with
// zeros between its elements: 3 x 3 become 73 x 73 where they are 36 apart. The loops over them
// take only the elements, and the windows are as far apart as those. One walk.
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

/// Whether every element is zero.
bool holdsZeros(Value tensor) {
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    return isZero(fill.value());
  auto generic = tensor.getDefiningOp<linalg::GenericOp>();
  return generic ? isZero(generic.getBody()->getTerminator()->getOperand(
                       cast<OpResult>(tensor).getResultNumber()))
                 : isZero(tensor);
}

/// Whether the operation adds up products of the operand's elements, so that zeros add nothing.
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

/// An operand's dimension that is spread, the loop over it, and how far apart its elements are.
struct Spread {
  unsigned loop;
  int64_t stride;
};

/// The loops that run over nothing but elements of `insert` and zeros behind each; none if there is
/// another kind of dimension.
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

/// Whether each loop is, but for the operand, only a part of windows' positions: what it is alone
/// would have to be spread, too.
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
