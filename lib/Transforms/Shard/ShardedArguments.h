//===- ShardedArguments.h - What a parallel optimizer divides ---*- C++ -*-===//
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
  bool marked; // by ds.sharding; what is not may stay whole
  bool isParameter;
};
using ShardedArguments = llvm::MapVector<mlir::BlockArgument, ShardedArgument>;

ShardedArgument shardArgument(mlir::func::FuncOp step, mlir::BlockArgument argument, int64_t dim,
                              int64_t n, bool marked);

/// Marks that the ranks of the batch divide dimension `dim` of an argument, within the blocks of
/// the axes that have sharded it already.
void markSharded(mlir::func::FuncOp step, mlir::BlockArgument argument, int64_t dim);

/// The arguments that a parallel optimizer may divide over `n` ranks, each along the first
/// dimension that they divide.
ShardedArguments findLargeArguments(mlir::func::FuncOp step, const Config &config, int64_t n);

/// Of arguments that nobody has marked and that gain nothing the next dimension is tried, and
/// behind the last one they stay whole: the new value is computed as a shard, and a state, which
/// would have to be gathered in each step otherwise, is read as one, too. False if all gain.
bool shardOtherwise(mlir::func::FuncOp step, const StepPlacement &placement, int64_t n,
                    ShardedArguments &sharded);

} // namespace ds

#endif // DS_TRANSFORMS_SHARD_DIVIDEDARGUMENTS_H
