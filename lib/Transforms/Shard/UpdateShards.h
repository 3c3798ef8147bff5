//===- UpdateShards.h - What an update will be divided into -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `ds-shard-optimizer` will make of a step, foretold before samples are divided, so that a
// search can reckon with it.
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_SHARD_UPDATESHARDS_H
#define DS_TRANSFORMS_SHARD_UPDATESHARDS_H

#include "ShardedUpdate.h"

namespace ds {

struct UpdateShards {
  DividedArguments arguments;
  /// Values of which a rank has one shard: of the update, gradients that leave their reduction as
  /// shards, and arguments.
  llvm::DenseSet<mlir::Value> values;
  /// Parameters that are read whole, and how often a step gathers them.
  llvm::DenseMap<mlir::Value, int64_t> gathered;
};

DividedArgument divideArgument(mlir::func::FuncOp step, mlir::BlockArgument argument, int64_t dim,
                               int64_t n, bool marked);

/// Marks that the ranks of the batch divide dimension `dim` of an argument, within the blocks of
/// the axes that have divided it already.
void markDivided(mlir::func::FuncOp step, mlir::BlockArgument argument, int64_t dim);

/// The arguments that a parallel optimizer may divide over `n` ranks, each along the first
/// dimension that they divide.
DividedArguments findLargeArguments(mlir::func::FuncOp step, const Config &config, int64_t n);

/// Of arguments that nobody has marked and that gain nothing the next dimension is tried, and
/// behind the last one they stay whole: the new value is computed as a shard, and a state, which
/// would have to be gathered in each step otherwise, is read as one, too. False if all gain.
bool divideOtherwise(mlir::func::FuncOp step, const StepPlacement &placement, int64_t n,
                     DividedArguments &divided);

/// `varying` differs from rank to rank before its reduction, `combined` is what is reduced.
UpdateShards findUpdateShards(const StepFlow &flow, const ReplicaGroup &ranks, const Config &config,
                              const llvm::DenseSet<mlir::Value> &varying,
                              const llvm::DenseSet<mlir::Value> &combined);

} // namespace ds

#endif // DS_TRANSFORMS_SHARD_UPDATESHARDS_H
