//===- ShardedUpdate.h - Place the shards of an update ----------*- C++ -*-===//
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

/// Places the update of a step of which every rank holds shards of some arguments. Values that
/// differ between ranks are varying; all others are replicated until shards are required.
class ShardedUpdate {
public:
  /// `varying` are the values that differ between ranks. `combined` are those of them that will be
  /// reduced before they are read but have no all-reduce yet.
  ShardedUpdate(const StepFlow &flow, const ReplicaGroup &ranks,
                const llvm::DenseSet<mlir::Value> &varying,
                const llvm::DenseSet<mlir::Value> &combined = {});
  ShardedUpdate(const ShardedUpdate &) = delete;

  /// Places the update. Arguments that gain nothing are sharded along another dimension or stay
  /// replicated; `sharded` is updated.
  void place(ShardedArguments &sharded);

  StepPlacement &placement() { return placements; }

  /// Writes the all-reduces of the partial values that ranks compute from their shards, and the
  /// moves between placements.
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
  /// Operations whose results are placed by their operands, not by requirements.
  llvm::DenseSet<mlir::Operation *> placedByRule;
  /// Shards required of values that are reduced first.
  llvm::DenseMap<mlir::OpOperand *, Placement> requiredOfReduced;
};

/// The changes that `ds-shard-optimizer` will make to a step, for a search that runs before it.
struct UpdateShards {
  ShardedArguments arguments;
  /// Values of which a rank holds one shard: values of the update, gradients after a
  /// reduce-scatter, and arguments.
  llvm::DenseSet<mlir::Value> values;
  /// Parameters that are gathered, and how often per step.
  llvm::DenseMap<mlir::Value, int64_t> gathered;
};
UpdateShards findUpdateShards(const StepFlow &flow, const ReplicaGroup &ranks, const Config &config,
                              const llvm::DenseSet<mlir::Value> &varying,
                              const llvm::DenseSet<mlir::Value> &combined);

} // namespace ds

#endif // DS_TRANSFORMS_SHARD_SHARDEDUPDATE_H
