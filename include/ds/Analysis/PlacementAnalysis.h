//===- PlacementAnalysis.h - Placements of a whole step ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One forward sweep over a step gives every value its placement, with partial values kept partial
// as long as the rules allow. A backward sweep turns replicated values whose uses all want one
// shard into that shard. A value that control flow carries takes the join of its sources, and the
// forward sweep is repeated until no join changes. The cut (ReductionPlan.h) decides afterwards
// which partial values are reduced: shapes depend on shardings only, so no placement is redone.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_PLACEMENTANALYSIS_H
#define DS_ANALYSIS_PLACEMENTANALYSIS_H

#include "ds/Analysis/Placement.h"
#include "ds/Analysis/StepFlow.h"

#include "llvm/ADT/SetVector.h"

namespace ds {

/// An operation that cannot be sharded, and the reason.
struct PlacementConflict {
  mlir::Operation *op;
  std::string reason;
};

/// Decisions of sweeps that depend on intermediate placements. A value that control flow joins
/// keeps its earlier placements, so a placement that an operation seemed to make before its own
/// operands had theirs must not reach it; and when the step is placed again with its reductions, no
/// sweep may see that placement at all.
struct LoopCarriedJoins {
  /// Operations that are not sharded, with the reasons.
  llvm::DenseMap<mlir::Operation *, std::string> whole;
  /// Operations whose operands are gathered instead of their results.
  llvm::DenseSet<mlir::Operation *> gathered;
  /// Values of control flow whose partial sources are reduced first.
  llvm::DenseSet<mlir::Value> reduced;
  /// Values of control flow that are sharded.
  llvm::DenseMap<mlir::Value, Sharding> sharded;
};

/// Placements of all values of a step.
struct StepPlacement {
  /// The ranks of the placements.
  ReplicaGroup ranks = 1;
  llvm::DenseMap<mlir::Value, Placement> placements;
  /// Operands that are required in another placement than their value has; a partial one is
  /// replicated once the cut is made (ReductionPlan.h).
  llvm::DenseMap<mlir::OpOperand *, Placement> required;
  /// Partial operands that stay partial, with the result that is linear in them.
  llvm::SmallVector<std::pair<mlir::OpOperand *, mlir::Value>> kept;
  /// Values that become partial where they are defined.
  llvm::SetVector<mlir::Value> partialSources;
  llvm::SmallVector<PlacementConflict> conflicts;
  /// Operations that every rank runs on all samples, and the reasons why they cannot be sharded.
  llvm::SmallVector<PlacementConflict> unsharded;
  LoopCarriedJoins decided;

  Placement of(mlir::Value value) const { return placements.lookup(value); }
  bool wantsWhole(mlir::OpOperand &operand) const {
    auto it = required.find(&operand);
    return it != required.end() && it->second.isReplicated();
  }

  /// Adds the results of an operation's rule.
  void record(const PlacementRule &rule);
  /// Drops the records of operations, and keeps the placements of values.
  void forgetOperations();
};

/// Returns the placement of a value that control flow takes from `x` in one case and from `y` in
/// another. Replicated gives way to sharded (a slice is free) and to a partial sum (the value
/// counts once); a partial value beside a sharded one is reduced and sliced; everything gives way
/// to varying. None: two different shards.
std::optional<Placement> joinPlacements(Placement x, Placement y);

/// Joins one more source, whose placement is `at`, into a value of control flow. Returns true if
/// that changed the value's placement.
bool joinTarget(mlir::OpOperand &source, mlir::Value target, Placement at,
                StepPlacement &placement);

/// Records the placement in which the source is taken, once no join changes.
void recordSource(mlir::OpOperand &source, mlir::Value target, Placement at,
                  StepPlacement &placement);

/// True if an interface or a trait gives how the operation is sharded.
bool hasPlacementRule(mlir::Operation *op);

/// Applies the rule of one operation: its interface, the elementwise rule, or, for a pure operation
/// on numbers, "all operands replicated".
void placeOperation(mlir::Operation *op, PlacementRule &rule);

/// The placements at the ends of a sweep.
struct StepBoundary {
  /// Arguments that are not replicated.
  llvm::DenseMap<mlir::Value, Sharding> arguments;
  /// From a placement for which reductions were planned, when the step is placed again with them.
  LoopCarriedJoins decided;
  /// Results (by number) that leave the step in shards; the others leave it replicated.
  llvm::DenseMap<unsigned, Sharding> results;
  /// If samples are sharded: results that the next step reads. The others leave the step in their
  /// shards.
  llvm::DenseSet<unsigned> carried;
};
StepPlacement placeStep(const StepFlow &flow, const ReplicaGroup &ranks,
                        const StepBoundary &boundary);

/// Turns replicated values whose uses all want the same shard into that shard, if their operation
/// can compute it from replicated operands. One reverse sweep: all users of a value come after it.
/// A use that wants no shard but `canConsume` the shard of the others does not prevent it.
using CanConsumeShard = llvm::function_ref<bool(mlir::OpOperand &use, const Sharding &sharding)>;
void propagateBackward(
    const StepFlow &flow, StepPlacement &placement,
    CanConsumeShard canConsume = [](mlir::OpOperand &, const Sharding &) { return false; });

/// The arguments of a step that hold samples, states among them, and their dimension of samples.
struct BatchArgument {
  mlir::BlockArgument argument;
  int64_t dim;
  bool isWeight; // the weight of a sample
  bool apart;    // declares that the entries of a sample are apart
  int64_t size() const;
};
llvm::SmallVector<BatchArgument> getBatchArguments(mlir::func::FuncOp step);
/// Returns its name, or `#2`.
std::string getLabel(mlir::func::FuncOp step, const BatchArgument &argument);

/// Returns the samples of a step (`countSamples`), at least one. An argument of a multiple holds
/// several entries for each sample; any other is replicated.
int64_t getSampleSize(llvm::ArrayRef<BatchArgument> batch);

/// Checks that the step has batch arguments, none of them empty, and that its states hold entries
/// for all samples. Emits an error otherwise.
mlir::LogicalResult checkBatchArguments(mlir::func::FuncOp step);

/// Sweeps a step whose samples are sharded over `ranks`. Tries the layouts cyclic, block, and the
/// other divisors of B / n, and both orders of several entries per sample. Among those without a
/// conflict, one that shards every operation is better, then one that gathers fewer bytes, then an
/// earlier one. If all have conflicts, returns the sweep of the first layout with its own; they are
/// recorded, not emitted. An operation that reads rows of other samples gets all of them, and one
/// that cannot be sharded at all is run on all samples by every rank. `returnsWhole`: results that
/// the next step reads leave this one replicated, or in the shards in which it holds samples.
struct ShardedStep {
  int64_t block = 1; // contiguous rows of a rank
  StepPlacement placement;
};
ShardedStep shardStep(const StepFlow &flow, const ReplicaGroup &ranks, bool returnsWhole = true);

/// Returns the bytes that all ranks together receive for gathered operands, of one operation or of
/// all.
int64_t getGatheredBytes(const StepFlow &flow, const StepPlacement &placement,
                         mlir::Operation *of = nullptr);

/// Emits the first conflict of a step that no layout can shard, and fails.
mlir::LogicalResult checkSharded(const StepPlacement &placement);

} // namespace ds

#endif // DS_ANALYSIS_PLACEMENTANALYSIS_H
