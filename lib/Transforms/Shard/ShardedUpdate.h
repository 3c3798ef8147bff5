//===- ShardedUpdate.h - Which values of an update are shards ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_SHARD_SHARDEDUPDATE_H
#define DS_TRANSFORMS_SHARD_SHARDEDUPDATE_H

#include "ds/Analysis/Cut/ReductionPlan.h"

#include "llvm/ADT/MapVector.h"

namespace ds {

/// A parameter or state of which every rank holds one block.
struct DividedArgument {
  Sharding sharding;
  bool marked; // by ds.sharding; what is not may stay whole
  bool isParameter;
};
using DividedArguments = llvm::MapVector<mlir::BlockArgument, DividedArgument>;

/// Whether the placements of the results of an operation follow from those of its operands.
bool followsOperands(const StepFlow &flow, const StepPlacement &placement, mlir::Operation *op);

/// Whether the user of a shard makes something small of it that ranks add up, like a norm, or other
/// shards of which only such things are made.
bool canConsumeShard(const StepFlow &flow, const StepPlacement &placement, mlir::OpOperand &use,
                     const Sharding &sharding);

/// Wants the new values of divided arguments as shards, and from there what they are made of.
/// `placement` says what varies from rank to rank; all else they have alike.
void placeUpdate(const StepFlow &flow, const DividedArguments &divided, StepPlacement &placement);

/// The update of a step whose every rank holds shards of some arguments. What differs between ranks
/// varies, as all that samples go into; everything else they have alike, until shards are wanted.
class ShardedUpdate {
public:
  ShardedUpdate(const StepFlow &flow, const ReplicaGroup &ranks, const DividedArguments &divided);
  ShardedUpdate(const ShardedUpdate &) = delete;

  StepPlacement &placement() { return plan.placement; }
  /// Writes the all-reduces of what ranks compute of their shards, and moves between placements.
  void writeMoves();

private:
  void setVarying();
  void follow();
  bool place(mlir::Operation *op);
  Placement taken(mlir::OpOperand &operand) const;

  const StepFlow &flow;
  ReductionPlan plan;
  StepPlacement &placements;
  /// Operations whose results are placed as their operands are, not as they are wanted.
  llvm::DenseSet<mlir::Operation *> placedByRule;
  /// Shards that are wanted of what is combined first.
  llvm::DenseMap<mlir::OpOperand *, Placement> wantedOfCombined;
};

} // namespace ds

#endif // DS_TRANSFORMS_SHARD_SHARDEDUPDATE_H
