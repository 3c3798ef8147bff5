//===- AssignShardings.h - Search how to shard over one axis ----*- C++ -*-===//
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

/// True if the ranks divide the batch evenly.
bool dividesBatch(mlir::func::FuncOp step, int64_t ranks);

/// The values of a step that are sharded along the first axis, those of its update included where
/// the configuration enables a parallel optimizer.
struct BatchSharding {
  StrategyTask task;
  ShardedArguments arguments;
};
BatchSharding shardByBatch(const StepFlow &flow, const Config &config);

/// Estimates the time in ns of a step that is sharded over the first axis alone.
int64_t getTimeUnsharded(const StepFlow &flow, const Config &config, StrategyTask task);

/// Searches how to shard a partly annotated step, one axis after another.
class ShardingSearch {
public:
  /// Arguments that are annotated now stay as they are. `heldByte` is the price of memory, in ps
  /// for each byte that a rank holds.
  ShardingSearch(mlir::func::FuncOp step, const Config &config, int64_t heldByte = 0);

  /// Called for each axis that was searched, before its plan is written.
  using Listener = std::function<void(const StepFlow &, const ReplicaGroup &, const StrategyTask &,
                                      const StepStrategy &)>;
  void setListener(Listener tell) { listener = std::move(tell); }

  /// Writes the cheapest plan for one axis as `ds.sharding` of arguments and
  /// `ds.sharding_constraint` of values.
  void assign(const ReplicaGroup &ranks);
  /// Takes the cost of the step, as it is placed by the annotations, as the cost of the plan. A
  /// plan that costs more than the search estimated shows up as a gap. It may cost less where ranks
  /// take shards on demand, which no annotation can express; the bound holds for plans that
  /// annotations express.
  void check(const StepFlow &flow, const StepPlacement &placement);

  /// Returns the time in ns of a step over the axis that was searched last, or, before any search,
  /// of the step sharded over the first axis alone.
  int64_t time() const;
  /// The same without a sharded optimizer: every rank updates all parameters. Only for
  /// recursive_programming.
  int64_t timeUpdatedWhole() const;
  /// Returns a lower bound of the cost of every plan, the price of its memory included. None if
  /// several axes were searched: each is searched in the step that the axes before it have left.
  std::optional<int64_t> bound() const;

private:
  mlir::func::FuncOp step;
  const Config &config;
  int64_t heldByte;
  unsigned axes = 0;               // searched so far
  llvm::DenseSet<unsigned> marked; // numbers of arguments
  StrategyTask task;
  StepStrategy strategy;
  Listener listener;
  int64_t costUpdatedWhole = 0;
};

} // namespace ds

#endif // DS_TRANSFORMS_SEARCH_ASSIGNSHARDINGS_H
