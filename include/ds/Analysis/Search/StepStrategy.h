//===- StepStrategy.h - The cheapest way to shard a step --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search for a plan over the ranks of one axis: every operation takes one of its candidates,
// every argument enters replicated or as a shard, and where an operand is required in another
// placement than its value has, ranks move it. A move is paid for once, however many operations
// read its result.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_SEARCH_STEPSTRATEGY_H
#define DS_ANALYSIS_SEARCH_STEPSTRATEGY_H

#include "ds/Analysis/PlacementAnalysis.h"
#include "ds/Plan/StepCosts.h"
#include "ds/Plan/StrategySearch.h"

namespace ds {

/// The choices and the costs of a search.
struct StrategyTask {
  /// True if an annotation can express a move to this placement: blocks, of the whole or of the
  /// blocks that the first axis makes.
  bool canMark(const Placement &to) const {
    return !to.isSharded() || to.sharding.a == 1 || to.sharding.a == batchRanks;
  }

  StepCosts costs = {};
  /// Runs one pass of local moves, without a bound.
  bool quickly = false;
  /// The shards in which an argument may enter. Without an entry it enters replicated.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Sharding>> shards;
  /// Arguments that must enter as the first of their shards, or replicated if they have none.
  llvm::DenseSet<mlir::Value> pinned;
  /// States and the parameters of their type that they update. Sharding the two in different ways
  /// costs a nanosecond: of plans that are equal otherwise, one is chosen whose update the ranks of
  /// the batch can shard as well.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> updatedTogether;
  /// Picoseconds for each byte of an argument that a rank holds.
  int64_t heldByte = 0;
  /// The other ranks, which shard the batch: the values with samples, and those that they reduce.
  int64_t batchRanks = 1;
  llvm::DenseSet<mlir::Value> ofSamples;
  llvm::DenseSet<mlir::Value> combinedOverBatch;
  /// The part of the update that they shard: values of which each holds a shard, and how often a
  /// step gathers an argument among these.
  llvm::DenseSet<mlir::Value> ofUpdate;
  llvm::DenseMap<mlir::Value, int64_t> gathered;
};

struct StepStrategy {
  /// The placement in which each argument and each value with readers is made, and that in which
  /// each operand is read.
  llvm::DenseMap<mlir::Value, Placement> made;
  llvm::DenseMap<mlir::OpOperand *, Placement> taken;
  /// A placement to which a value is moved once for several operands, which may move it on from
  /// there.
  llvm::DenseMap<mlir::Value, Placement> second;
  llvm::DenseSet<mlir::OpOperand *> fromSecond;
  /// Values that are computed as shards although no operand requires it
  /// (`ShardingCandidate::onDemand`).
  llvm::DenseSet<mlir::Value> onDemand;
  int64_t cost = 0, bound = 0; // in nanoseconds per step
  int64_t holding = 0;         // the part of the cost for memory held
  unsigned variables = 0;
};

/// Returns none if every choice is forbidden.
std::optional<StepStrategy> findStrategy(const StepFlow &flow, const ReplicaGroup &ranks,
                                         const StrategyTask &task);

/// A placement in which a value may be made, and the best plan with it.
struct Alternative {
  Placement made;
  int64_t bound = 0;           // no plan with it costs less
  std::optional<int64_t> cost; // of the best known plan; none if it is forbidden
  bool isExact() const { return cost == bound; }
};

/// Returns the cost of each placement of a value. None for values without a reader, which are not
/// searched.
std::vector<std::vector<Alternative>> explainValues(const StepFlow &flow, const ReplicaGroup &ranks,
                                                    const StrategyTask &task,
                                                    llvm::ArrayRef<mlir::Value> values);

/// Returns the cost of a step with this placement, including its all-reduces, in the same
/// nanoseconds.
int64_t getCost(const StepFlow &flow, const StepPlacement &placement, const StrategyTask &task);

} // namespace ds

#endif // DS_ANALYSIS_SEARCH_STEPSTRATEGY_H
