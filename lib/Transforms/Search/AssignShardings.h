//===- AssignShardings.h - Search how an axis divides a step ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_SEARCH_ASSIGNSHARDINGS_H
#define DS_TRANSFORMS_SEARCH_ASSIGNSHARDINGS_H

#include "LiveBytes.h"
#include "Shard/ShardedUpdate.h"

#include <functional>

namespace ds {

/// Whether each of the ranks gets as many samples as the others.
bool dividesBatch(mlir::func::FuncOp step, int64_t ranks);

/// What the ranks along the first axis divide of a step, and what of its update where the
/// configuration enables a parallel optimizer.
struct BatchSharding {
  StrategyTask task;
  ShardedArguments arguments;
};
BatchSharding shardByBatch(const StepFlow &flow, const Config &config);

/// Nanoseconds of a step that no axis but the first divides.
int64_t getTimeUnsharded(const StepFlow &flow, const Config &config, StrategyTask task);

/// Searches how axes divide a step that is marked in part, one after another.
class ShardingSearch {
public:
  /// Arguments that are marked now stay as they are. `heldByte` is the price of what a rank holds,
  /// in picoseconds for each byte.
  ShardingSearch(mlir::func::FuncOp step, const Config &config, int64_t heldByte = 0);

  /// Is told of each axis that was searched, before the plan of it is written.
  using Listener = std::function<void(const StepFlow &, const ReplicaGroup &, const StrategyTask &,
                                      const StepStrategy &)>;
  void setListener(Listener tell) { listener = std::move(tell); }

  /// Writes the cheapest plan for one axis as `ds.sharding` of arguments and
  /// `ds.sharding_constraint` of values.
  void assign(const ReplicaGroup &ranks);
  /// The step has been placed by these marks, and what that costs is what the plan costs. A plan
  /// that costs more than the search said shows a gap. Less is possible where ranks take shards on
  /// demand that no mark can say; the bound holds for what marks say.
  void check(const StepFlow &flow, const StepPlacement &placement);

  /// Nanoseconds of a step over the axis that was searched last, or of one that no axis but the
  /// first divides.
  int64_t time() const;
  /// The same where every rank of the batch updates all that `time` divides between them; for
  /// recursive_programming alone.
  int64_t timeUpdatedWhole() const;
  /// What no plan goes below, the price of what it holds included. None unless one axis was
  /// searched at most: of several each is searched in what those behind it have left.
  std::optional<int64_t> bound() const;

private:
  mlir::func::FuncOp step;
  const Config &config;
  int64_t heldByte;
  unsigned axes = 0;               // that were searched
  llvm::DenseSet<unsigned> marked; // numbers of arguments
  StrategyTask task;
  StepStrategy strategy;
  Listener listener;
  int64_t costUpdatedWhole = 0;
};

} // namespace ds

#endif // DS_TRANSFORMS_SEARCH_ASSIGNSHARDINGS_H
