//===- Axes.h - Heads, queries and keys as axes of tensors -----* -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CONVERSION_ATTENTION_AXES_H
#define DS_LIB_CONVERSION_ATTENTION_AXES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace ds {

/// The things that a loop, or a dimension of a tensor, counts.
struct Axis {
  enum Kind { other, head, query, key };
  Kind kind = other;
  int64_t size = 1;
  /// Heads of all samples are numbered; the index of this axis is number / stride % size.
  int64_t stride = 1;
  bool operator==(const Axis &o) const {
    return kind == o.kind && size == o.size && (kind != head || stride == o.stride);
  }
};
using Axes = llvm::SmallVector<Axis, 4>;

/// Returns the axes of the dimensions that a projected permutation reads or writes.
Axes axesThrough(mlir::AffineMap map, llvm::ArrayRef<Axis> loops);

/// Returns the axes of all loops of an operation whose result has `axes`; loops that the result
/// does not have are other ones.
Axes axesOfLoops(mlir::linalg::GenericOp op, llvm::ArrayRef<Axis> axes);

inline bool hasAxis(llvm::ArrayRef<Axis> axes, Axis::Kind kind) {
  return llvm::any_of(axes, [&](const Axis &axis) { return axis.kind == kind; });
}

/// True for a value for each pair of a query and a key.
inline bool isOfPairs(llvm::ArrayRef<Axis> axes) {
  return hasAxis(axes, Axis::query) && hasAxis(axes, Axis::key);
}

/// Returns the axes of the result of a reshape that joins or splits the axes of heads, and whose
/// operand has `axes`; none for another operation.
std::optional<Axes> axesAfterReshape(mlir::Operation *op, llvm::ArrayRef<Axis> axes);

/// Returns the axes of the operand of a reshape that joins or splits the axes of heads, and whose
/// result has `axes`; none for another operation.
std::optional<Axes> axesBeforeReshape(mlir::Operation *op, llvm::ArrayRef<Axis> axes);

/// Returns the number with which `init` is filled; null if it is no such tensor.
mlir::TypedAttr fillOf(mlir::Value init);

} // namespace ds

#endif // DS_LIB_CONVERSION_ATTENTION_AXES_H
