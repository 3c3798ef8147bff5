//===- Axes.cpp - Heads, queries and keys as axes of tensors ---* -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Axes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ds;

Axes ds::axesThrough(AffineMap map, ArrayRef<Axis> loops) {
  return llvm::map_to_vector<4>(map.getResults(), [&](AffineExpr expr) {
    return loops[cast<AffineDimExpr>(expr).getPosition()];
  });
}

Axes ds::axesOfLoops(linalg::GenericOp op, ArrayRef<Axis> axes) {
  Axes loops;
  for (int64_t size : op.getStaticLoopRanges())
    loops.push_back({Axis::other, size});
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (auto [expr, axis] : llvm::zip_equal(map.getResults(), axes))
    loops[cast<AffineDimExpr>(expr).getPosition()] = axis;
  return loops;
}

TypedAttr ds::fillOf(Value init) {
  Attribute constant;
  if (matchPattern(init, m_Constant(&constant))) {
    auto splat = dyn_cast<SplatElementsAttr>(constant);
    return splat ? dyn_cast<TypedAttr>(splat.getSplatValue<Attribute>()) : TypedAttr();
  }
  Operation *op = init.getDefiningOp();
  Value value;
  if (auto fill = dyn_cast_or_null<linalg::FillOp>(op)) {
    value = fill.getInputs()[0];
  } else if (auto generic = dyn_cast_or_null<linalg::GenericOp>(op)) {
    if (generic.getNumDpsInits() != 1 || !llvm::hasSingleElement(*generic.getBody()) ||
        generic.getNumReductionLoops() != 0)
      return {};
    value = generic.getBody()->getTerminator()->getOperand(0);
    if (auto arg = dyn_cast<BlockArgument>(value); arg && arg.getOwner() == generic.getBody()) {
      if (!generic.isDpsInput(&generic->getOpOperand(arg.getArgNumber())))
        return {};
      value = generic->getOperand(arg.getArgNumber());
      if (isa<ShapedType>(value.getType()))
        return fillOf(value);
    }
  } else {
    return {};
  }
  return matchPattern(value, m_Constant(&constant)) ? dyn_cast<TypedAttr>(constant) : TypedAttr();
}

std::optional<Axes> ds::axesAfterReshape(Operation *op, ArrayRef<Axis> axes) {
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    Axes joined;
    for (const ReassociationIndices &group : collapse.getReassociationIndices()) {
      Axis axis = axes[group[0]];
      for (int64_t d : ArrayRef(group).drop_front()) {
        if (axis.kind != Axis::head || axes[d].kind != Axis::head ||
            axis.stride != axes[d].stride * axes[d].size)
          return std::nullopt;
        axis = {Axis::head, axis.size * axes[d].size, axes[d].stride};
      }
      joined.push_back(axis);
    }
    return joined;
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    Axes split;
    ArrayRef<int64_t> shape = expand.getResultType().getShape();
    for (auto [axis, group] : llvm::zip_equal(axes, expand.getReassociationIndices())) {
      if (group.size() == 1) {
        split.push_back(axis);
        continue;
      }
      if (axis.kind != Axis::head)
        return std::nullopt;
      int64_t stride = axis.stride * axis.size;
      for (int64_t d : group) {
        stride /= shape[d];
        split.push_back({Axis::head, shape[d], stride});
      }
    }
    return split;
  }
  return std::nullopt;
}

std::optional<Axes> ds::axesBeforeReshape(Operation *op, ArrayRef<Axis> axes) {
  Axes result;
  auto reassociation = [](Operation *op) {
    auto expand = dyn_cast<tensor::ExpandShapeOp>(op);
    return expand ? expand.getReassociationIndices()
                  : cast<tensor::CollapseShapeOp>(op).getReassociationIndices();
  };
  if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return std::nullopt;
  const bool expands = isa<tensor::ExpandShapeOp>(op);
  ArrayRef<int64_t> source = cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
  for (auto [d, group] : llvm::enumerate(reassociation(op))) {
    if (group.size() == 1) {
      result.push_back(axes[expands ? group[0] : d]);
      continue;
    }
    Axis axis = axes[expands ? group[0] : d];
    if (axis.kind != Axis::head)
      return std::nullopt;
    if (expands) {
      for (int64_t inner : ArrayRef(group).drop_front()) {
        if (axes[inner].kind != Axis::head || axis.stride != axes[inner].stride * axes[inner].size)
          return std::nullopt;
        axis = {Axis::head, axis.size * axes[inner].size, axes[inner].stride};
      }
      result.push_back(axis);
      continue;
    }
    int64_t stride = axis.stride * axis.size;
    for (int64_t inner : group) {
      stride /= source[inner];
      result.push_back({Axis::head, source[inner], stride});
    }
  }
  return result;
}
