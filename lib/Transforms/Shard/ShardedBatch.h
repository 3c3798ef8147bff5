//===- ShardedBatch.h - A global step, placed for its ranks -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What writes moves into the step and what makes them collectives share.
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

/// Makes values without data (empties, splat constants, fills) once for each of their uses, so that
/// each can have the shape that its use wants.
void cloneConstantsPerUse(mlir::func::FuncOp step);

/// A step whose partial values are all combined can be sharded as it is placed. Emits an error
/// otherwise.
mlir::LogicalResult checkPlaced(const StepFlow &flow, const StepPlacement &placement);

/// Places the step of `module` with its all-reduces and writes a `ds.reshard` where an operand is
/// required in another placement. Null with `batch = local` and on one device. Emits an error and
/// fails if the step cannot be sharded.
mlir::FailureOr<std::unique_ptr<ShardedBatch>> shardBatch(mlir::ModuleOp module,
                                                          llvm::StringRef entry);

} // namespace ds

#endif // DS_TRANSFORMS_SHARD_DIVIDEDBATCH_H
