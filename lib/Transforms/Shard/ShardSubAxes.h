//===- ShardSubAxes.h - Whose shard a moved value shows ----------*- C++ -*-===//
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

/// A sub-axis of a position in a value that is made of shards: position / stride % size along a
/// dimension of the shard, or the coordinate of the rank whose shard it is.
struct ShardSubAxis {
  mlir::StringAttr axis; // null: of the shard
  int64_t dim = 0, stride = 1;
  int64_t size = 1;
};

/// Follows the shard of each rank through operations that only move it. A gather makes the owner's
/// coordinate a sub-axis of positions, a slice at the number of a rank takes a sub-axis away again,
/// an exchange does both; reshapes and transposes put sub-axes elsewhere.
class ShardSubAxes {
public:
  explicit ShardSubAxes(mlir::Value shard);

  /// Goes on to the result of `op`, which reads the value; false if that is no such move.
  bool follow(mlir::Operation *op);
  /// Whether each rank has one whole shard again, in its own order.
  bool isShard() const;
  /// Along which axis this rank has the coordinate that the owner of its shard has along `axis`;
  /// null: the owner's is a sub-axis. Axes that are not there have met nobody.
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
