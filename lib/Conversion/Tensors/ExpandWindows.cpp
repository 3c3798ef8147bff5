//===- ExpandWindows.cpp - Windows that do not overlap are dimensions -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An index `row * 2 + k` with k < 2 covers a dimension by windows that do not overlap. The operand
// is reshaped so that windows and their elements are separate dimensions, and the index becomes two
// loops. Then the producer of the operand can be fused into the pooling. Contractions stay: the
// library has strided convolutions. One walk.
//
//===----------------------------------------------------------------------===//
#include "ds/Conversion/Passes.h"
#include "ds/Conversion/Utils/Contraction.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace ds {
#define GEN_PASS_DEF_EXPANDWINDOWSPASS
#include "ds/Conversion/Passes.h.inc"
} // namespace ds

using namespace mlir;

namespace {

struct Window {
  unsigned outer, inner; // loops over the windows and within one
};

/// Matches `outer * size + inner` and returns its loops, if windows of `size` elements fill
/// `extent`.
std::optional<Window> windowOf(AffineExpr index, int64_t extent, ArrayRef<int64_t> rounds) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(index);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return std::nullopt;
  auto stride = dyn_cast<AffineBinaryOpExpr>(sum.getLHS());
  auto inner = dyn_cast<AffineDimExpr>(sum.getRHS());
  if (!stride || !inner || stride.getKind() != AffineExprKind::Mul)
    return std::nullopt;
  auto outer = dyn_cast<AffineDimExpr>(stride.getLHS());
  auto size = dyn_cast<AffineConstantExpr>(stride.getRHS());
  if (!outer || !size || size.getValue() != rounds[inner.getPosition()] ||
      size.getValue() * rounds[outer.getPosition()] != extent)
    return std::nullopt;
  return Window{outer.getPosition(), inner.getPosition()};
}

void expand(linalg::GenericOp op) {
  SmallVector<int64_t> rounds = op.getStaticLoopRanges();
  if (ds::isContraction(op) || !op.hasPureTensorSemantics() ||
      llvm::any_of(rounds, ShapedType::isDynamic))
    return;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  OpBuilder builder(op);
  for (OpOperand *operand : op.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand->get().getType());
    if (!type)
      continue;
    AffineMap &map = maps[operand->getOperandNumber()];
    SmallVector<AffineExpr> indices;
    SmallVector<int64_t> shape;
    SmallVector<ReassociationIndices> groups;
    for (auto [index, extent] : llvm::zip_equal(map.getResults(), type.getShape())) {
      int64_t at = shape.size();
      if (std::optional<Window> window = windowOf(index, extent, rounds)) {
        llvm::append_values(shape, rounds[window->outer], rounds[window->inner]);
        llvm::append_values(indices, builder.getAffineDimExpr(window->outer),
                            builder.getAffineDimExpr(window->inner));
        groups.push_back({at, at + 1});
      } else {
        shape.push_back(extent);
        indices.push_back(index);
        groups.push_back({at});
      }
    }
    if (shape.size() == type.getShape().size())
      continue;
    operand->set(tensor::ExpandShapeOp::create(builder, op.getLoc(), type.clone(shape),
                                               operand->get(), groups));
    map = AffineMap::get(map.getNumDims(), 0, indices, builder.getContext());
  }
  op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
}

struct ExpandWindows final : ds::impl::ExpandWindowsPassBase<ExpandWindows> {
  void runOnOperation() override { getOperation().walk(expand); }
};

} // namespace
