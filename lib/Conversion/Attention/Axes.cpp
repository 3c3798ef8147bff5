//===- Axes.cpp - Heads, queries and keys as axes of tensors ---* -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Axes.h"

#include "ds/Conversion/Utils/Contraction.h"

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
  Value value = op ? valueOfFill(op) : Value();
  if (!value)
    return {};
  if (isa<ShapedType>(value.getType()))
    return fillOf(value);
  return matchPattern(value, m_Constant(&constant)) ? dyn_cast<TypedAttr>(constant) : TypedAttr();
}

using Groups = SmallVector<ReassociationIndices>;

/// Joins the axes of heads of each group.
static std::optional<Axes> join(const Groups &groups, ArrayRef<Axis> axes) {
  Axes joined;
  for (const ReassociationIndices &group : groups) {
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

/// Splits each axis into those of its group, of the sizes in `shape`; heads alone can be split.
static std::optional<Axes> split(const Groups &groups, ArrayRef<Axis> axes,
                                 ArrayRef<int64_t> shape) {
  Axes result;
  for (auto [axis, group] : llvm::zip_equal(axes, groups)) {
    if (group.size() == 1) {
      result.push_back(axis);
      continue;
    }
    if (axis.kind != Axis::head)
      return std::nullopt;
    int64_t stride = axis.stride * axis.size;
    for (int64_t d : group) {
      stride /= shape[d];
      result.push_back({Axis::head, shape[d], stride});
    }
  }
  return result;
}

std::optional<Axes> ds::axesAfterReshape(Operation *op, ArrayRef<Axis> axes) {
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return join(collapse.getReassociationIndices(), axes);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return split(expand.getReassociationIndices(), axes, expand.getResultType().getShape());
  return std::nullopt;
}

std::optional<Axes> ds::axesBeforeReshape(Operation *op, ArrayRef<Axis> axes) {
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return split(collapse.getReassociationIndices(), axes, collapse.getSrcType().getShape());
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return join(expand.getReassociationIndices(), axes);
  return std::nullopt;
}
