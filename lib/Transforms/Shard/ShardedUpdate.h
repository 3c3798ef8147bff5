//===- ShardedUpdate.h - Which values of an update are shards ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_SHARD_SHARDEDUPDATE_H
#define DS_TRANSFORMS_SHARD_SHARDEDUPDATE_H

#include "ShardedArguments.h"

#include "ds/Analysis/Cut/ReductionPlan.h"

namespace ds {

/// The update of a step whose every rank holds shards of some arguments. What differs between ranks
/// varies; everything else they have alike, until shards are required.
class ShardedUpdate {
public:
  /// `varying` differs from rank to rank. `combined` are those that are reduced before they are
  /// read, where the step does not say so yet by an all-reduce.
  ShardedUpdate(const StepFlow &flow, const ReplicaGroup &ranks,
                const llvm::DenseSet<mlir::Value> &varying,
                const llvm::DenseSet<mlir::Value> &combined = {});
  ShardedUpdate(const ShardedUpdate &) = delete;

  /// Places the update. Arguments that gain nothing are sharded otherwise, or not (`sharded` says
  /// so then).
  void place(ShardedArguments &sharded);

  StepPlacement &placement() { return placements; }

  /// Writes the all-reduces of what ranks compute of their shards, and moves between placements.
  void writeMoves();

private:
  void demand(const ShardedArguments &sharded);
  void placeArgument(mlir::BlockArgument argument, const Sharding &sharding);
  void follow();
  bool placeByRule(mlir::Operation *op);
  std::optional<Sharding> findScattered(mlir::Value value) const;
  Placement taken(mlir::OpOperand &operand) const;

  const StepFlow &flow;
  const llvm::DenseSet<mlir::Value> &varying, &combined;
  ReductionPlan plan;
  StepPlacement &placements;
  /// Operations whose results are placed as their operands are, not as they are required.
  llvm::DenseSet<mlir::Operation *> placedByRule;
  /// Shards that are required of what is combined first.
  llvm::DenseMap<mlir::OpOperand *, Placement> requiredOfReduced;
};

/// What `ds-shard-optimizer` will make of a step, for a search that runs before.
struct UpdateShards {
  ShardedArguments arguments;
  /// Values of which a rank has one shard: of the update, gradients that leave their reduction as
  /// shards, and arguments.
  llvm::DenseSet<mlir::Value> values;
  /// Parameters that are read whole, and how often a step gathers them.
  llvm::DenseMap<mlir::Value, int64_t> gathered;
};
UpdateShards findUpdateShards(const StepFlow &flow, const ReplicaGroup &ranks, const Config &config,
                              const llvm::DenseSet<mlir::Value> &varying,
                              const llvm::DenseSet<mlir::Value> &combined);

} // namespace ds

#endif // DS_TRANSFORMS_SHARD_SHARDEDUPDATE_H
