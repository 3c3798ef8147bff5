//===- StepStrategy.h - The cheapest way to divide a step -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search for a plan over the ranks of one axis: every operation takes one of its divisions,
// every argument comes in whole or as a shard, and where an operand is required in another
// placement than its value has, ranks move it. A value that is moved is paid for once, whoever
// reads it.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_SEARCH_STEPSTRATEGY_H
#define DS_ANALYSIS_SEARCH_STEPSTRATEGY_H

#include "ds/Analysis/PlacementAnalysis.h"
#include "ds/Plan/StepCosts.h"
#include "ds/Plan/StrategySearch.h"

namespace ds {

/// What a search may do and what it has to pay.
struct StrategyTask {
  /// Whether a mark can say that a value is moved there: blocks, of the whole or of the blocks that
  /// the first axis makes.
  bool canMark(const Placement &to) const {
    return !to.isSharded() || to.sharding.a == 1 || to.sharding.a == batchRanks;
  }

  StepCosts costs = {};
  /// One pass of local moves, without a bound.
  bool quickly = false;
  /// The shards in which an argument may come in. Without an entry it comes in whole.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Sharding>> shards;
  /// Arguments that must come in as the first of their shards, or whole if they have none.
  llvm::DenseSet<mlir::Value> pinned;
  /// States and the parameters of their type that they update. To divide the two in different ways
  /// costs a nanosecond: of plans that are equal otherwise one is taken whose update the ranks of
  /// the batch can divide as well.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> updatedTogether;
  /// Picoseconds for each byte that a rank holds of an argument.
  int64_t heldByte = 0;
  /// The other ranks, which divide the batch: where samples lie, and what they combine.
  int64_t batchRanks = 1;
  llvm::DenseSet<mlir::Value> ofSamples;
  llvm::DenseSet<mlir::Value> combinedOverBatch;
  /// What they divide of the update: values of which each holds a shard, and how often a step
  /// gathers an argument of these.
  llvm::DenseSet<mlir::Value> ofUpdate;
  llvm::DenseMap<mlir::Value, int64_t> gathered;
};

struct StepStrategy {
  /// How each argument and each value that is read is made, and how each operand is taken.
  llvm::DenseMap<mlir::Value, Placement> made;
  llvm::DenseMap<mlir::OpOperand *, Placement> taken;
  /// Where a value is moved to once for several operands, which may move it on from there.
  llvm::DenseMap<mlir::Value, Placement> second;
  llvm::DenseSet<mlir::OpOperand *> fromSecond;
  /// Values that are computed as shards although no operand says so
  /// (`ShardingCandidate::onDemand`).
  llvm::DenseSet<mlir::Value> onDemand;
  int64_t cost = 0, bound = 0; // in nanoseconds, of a step
  int64_t holding = 0;         // the part of the cost that is the price of what is held
  unsigned variables = 0;
};

/// None if nothing that is allowed can be done.
std::optional<StepStrategy> findStrategy(const StepFlow &flow, const ReplicaGroup &ranks,
                                         const StrategyTask &task);

/// The choices that a search has: a variable for each operation, argument and value that moves.
StrategyModel getChoices(const StepFlow &flow, const ReplicaGroup &ranks, const StrategyTask &task);

/// A way in which a value may be made, and the best plan that makes it so.
struct Alternative {
  Placement made;
  int64_t bound = 0;           // no plan that has it costs less
  std::optional<int64_t> cost; // of the best one that is known; none if it is forbidden
  bool isExact() const { return cost == bound; }
};

/// What each way costs to make a value. None for what is not searched: values without a reader.
std::vector<std::vector<Alternative>> explainValues(const StepFlow &flow, const ReplicaGroup &ranks,
                                                    const StrategyTask &task,
                                                    llvm::ArrayRef<mlir::Value> values);

/// What a step costs that is placed like this and has its all-reduces, in the same nanoseconds.
int64_t getCost(const StepFlow &flow, const StepPlacement &placement, const StrategyTask &task);

} // namespace ds

#endif // DS_ANALYSIS_SEARCH_STEPSTRATEGY_H
