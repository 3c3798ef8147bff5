//===- ShardedArguments.h - What a parallel optimizer shards ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_SHARD_DIVIDEDARGUMENTS_H
#define DS_TRANSFORMS_SHARD_DIVIDEDARGUMENTS_H

#include "ds/Analysis/PlacementAnalysis.h"
#include "ds/Analysis/StepRoles.h"

#include "llvm/ADT/MapVector.h"

namespace ds {

/// A parameter or state of which every rank holds one block.
struct ShardedArgument {
  Sharding sharding;
  bool marked; // by ds.sharding; an argument without it may stay replicated
  bool isParameter;
};
using ShardedArguments = llvm::MapVector<mlir::BlockArgument, ShardedArgument>;

ShardedArgument shardArgument(mlir::func::FuncOp step, mlir::BlockArgument argument, int64_t dim,
                              int64_t n, bool marked);

/// Annotates an argument as sharded over the ranks of the batch along dimension `dim`, within the
/// blocks of the axes that have sharded it already.
void markSharded(mlir::func::FuncOp step, mlir::BlockArgument argument, int64_t dim);

/// Returns the arguments that a parallel optimizer may shard over `n` ranks, each along the first
/// dimension that `n` divides.
ShardedArguments findLargeArguments(mlir::func::FuncOp step, const Config &config, int64_t n);

/// Moves each argument without an annotation that gains nothing to its next dimension; after the
/// last one it stays replicated. An argument gains if its new value is computed as a shard and, if
/// it is a state, no use gathers it, which would happen in each step. False if all gain.
bool shardOtherwise(mlir::func::FuncOp step, const StepPlacement &placement, int64_t n,
                    ShardedArguments &sharded);

} // namespace ds

#endif // DS_TRANSFORMS_SHARD_DIVIDEDARGUMENTS_H
