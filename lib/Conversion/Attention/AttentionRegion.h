//===- AttentionRegion.h - What joins each query to each key ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An attention multiplies each query by each key, computes with these scores row by row, and
// multiplies them by values. Its gradient does the same again. All operations with a value for each
// pair of a query and a key, and those on their rows, form a region. It is found by its loops, not
// by a formula: scales, masks, biases, dropout and every way to write a softmax are elementwise
// operations and reductions of rows.
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_ATTENTION_ATTENTIONREGION_H
#define DS_CONVERSION_ATTENTION_ATTENTIONREGION_H

#include "Axes.h"

#include "llvm/ADT/MapVector.h"

#include <optional>

namespace ds {

struct AttentionRegion {
  int64_t heads = 1, queries = 0, keys = 0;
  /// In the order of the block: the axes of the loops of a generic, of the dimensions of the result
  /// of a reshape.
  llvm::MapVector<mlir::Operation *, Axes> ops;
  /// Operations that depend on a product of queries and keys. The others compute masks.
  llvm::SmallPtrSet<mlir::Operation *, 32> derived;
  /// How often the block has left the region and entered it again before an operation: 0 in the
  /// forward pass, 1 in its gradient.
  llvm::DenseMap<mlir::Operation *, unsigned> rounds;
  unsigned numRounds = 0;

  bool contains(mlir::Value value) const {
    mlir::Operation *op = value.getDefiningOp();
    return op && ops.contains(op);
  }
  /// Returns the axes of a value of the region.
  Axes axesOf(mlir::Value value) const;
  /// True for a value of rows, or a result, which is stored: values of pairs are computed again.
  bool isStored(mlir::Operation *op) const {
    return derived.contains(op) && !isOfPairs(axesOf(op->getResult(0)));
  }
};

/// Returns the region of the attention that `seed`, a product, belongs to; none if it belongs to
/// none, or if an operation outside reads a value of its pairs.
std::optional<AttentionRegion> findAttention(mlir::linalg::GenericOp seed);

/// True if all that the region computes with keys after a query has no effect: a causal mask.
bool ignoresLaterKeys(const AttentionRegion &region);

} // namespace ds

#endif // DS_CONVERSION_ATTENTION_ATTENTIONREGION_H
