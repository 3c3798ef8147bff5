//===- ShardedBatch.h - A global step, placed for its ranks -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the pass that writes moves into the step and the one that turns them into collectives.
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_SHARD_DIVIDEDBATCH_H
#define DS_TRANSFORMS_SHARD_DIVIDEDBATCH_H

#include "ds/Analysis/PlacementAnalysis.h"

#include "mlir/IR/BuiltinOps.h"

namespace ds {

struct ShardedBatch {
  explicit ShardedBatch(mlir::func::FuncOp step, const ReplicaGroup &ranks)
      : flow(step), sharded(shardStep(flow, ranks)) {}
  StepFlow flow;
  ShardedStep sharded;
};

/// Clones values without data (empty tensors, splat constants, fills) for each of their uses, so
/// that each copy can have the shape that its use requires.
void cloneConstantsPerUse(mlir::func::FuncOp step);

/// Checks that all partial values of a step are reduced, so that it can be sharded as it is placed.
/// Emits an error otherwise.
mlir::LogicalResult checkPlaced(const StepFlow &flow, const StepPlacement &placement);

/// Places the step of `module` with its all-reduces and writes a `ds.reshard` where an operand is
/// required in another placement. Null with `batch = local` and on one device. Emits an error and
/// fails if the step cannot be sharded.
mlir::FailureOr<std::unique_ptr<ShardedBatch>> shardBatch(mlir::ModuleOp module,
                                                          llvm::StringRef entry);

} // namespace ds

#endif // DS_TRANSFORMS_SHARD_DIVIDEDBATCH_H
