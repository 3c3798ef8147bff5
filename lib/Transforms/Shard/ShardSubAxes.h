//===- ShardSubAxes.h - The owner of a moved shard --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_SHARD_SHARDSUBAXES_H
#define DS_TRANSFORMS_SHARD_SHARDSUBAXES_H

#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

#include "llvm/ADT/MapVector.h"

namespace ds {

/// A sub-axis of a dimension of a value that consists of shards: position / stride % size along a
/// dimension of the shard, or a coordinate of the rank that owns the shard.
struct ShardSubAxis {
  mlir::StringAttr axis; // null: a dimension of the shard
  int64_t dim = 0, stride = 1;
  int64_t size = 1;
};

/// Follows the shard of each rank through operations that only move it. An all-gather turns the
/// owner's coordinate into a sub-axis, a slice at a rank's index removes a sub-axis, an all-to-all
/// does both; reshapes and transposes move sub-axes to other dimensions.
class ShardSubAxes {
public:
  explicit ShardSubAxes(mlir::Value shard);

  /// Advances to the result of `op`, which reads the value; false if `op` does not only move
  /// elements.
  bool follow(mlir::Operation *op);
  /// True if each rank holds one complete shard again, in its original order.
  bool isShard() const;
  /// Maps each axis of the owner of this rank's shard to the axis along which this rank has the
  /// same coordinate; null if the owner's coordinate is a sub-axis. Axes of no collective so far
  /// are absent.
  const llvm::MapVector<mlir::StringAttr, mlir::StringAttr> &owner() const { return owners; }

private:
  using SubAxes = llvm::SmallVector<ShardSubAxis, 4>;

  bool reshape(mlir::ArrayRef<mlir::ReassociationIndices> groups, mlir::ArrayRef<int64_t> shape,
               bool expands);
  bool gather(CollectiveOpInterface op);
  bool slice(mlir::Operation *op);
  bool select(SubAxes &subAxes, bool first, int64_t size, mlir::StringAttr axis);
  mlir::StringAttr takeOwner(mlir::StringAttr axis);
  int64_t sizeOf(mlir::StringAttr axis) const;

  mlir::Value value;
  llvm::SmallVector<int64_t> shape; // of the shard
  llvm::SmallVector<SubAxes> dims;  // of the value; sub-axes of size 1 are left out
  llvm::MapVector<mlir::StringAttr, mlir::StringAttr> owners;
};

} // namespace ds

#endif // DS_TRANSFORMS_SHARD_SHARDSUBAXES_H
