//===- StrategyCosts.h - Costs of sharded operations and moves --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_SEARCH_STRATEGYCOSTS_H
#define DS_ANALYSIS_SEARCH_STRATEGYCOSTS_H

#include "ds/Analysis/Reshard.h"
#include "ds/Analysis/Search/StepStrategy.h"

namespace ds {

/// All costs are per step, in nanoseconds.
class StrategyCosts {
public:
  StrategyCosts(const StepFlow &flow, const ReplicaGroup &ranks, const StrategyTask &task)
      : flow(flow), ranks(ranks), n(ranks.size), task(task) {}

  int64_t ofMove(mlir::Value value, const Placement &from, const Placement &to) const;
  /// Cost of an operation whose operands and results have these placements.
  int64_t ofWork(mlir::Operation *op, llvm::ArrayRef<Placement> operands,
                 llvm::ArrayRef<Placement> results, bool sharded) const;
  /// Cost of the all-reduce of a value with this placement over the ranks of the batch. It shares a
  /// bucket with others, so latency is not counted.
  int64_t ofBatch(mlir::Value value, const Placement &made) const;
  int64_t ofHolding(mlir::Value argument, const Placement &made) const;
  /// Cost of gathering an argument that the ranks of the batch shard, where the step reads it
  /// replicated.
  int64_t ofGathers(mlir::Value argument, const Placement &made) const;

private:
  bool isScattered(mlir::Value value) const;
  int64_t batchParts(mlir::Value value) const;
  int64_t bytesOf(mlir::Value value, const Placement &placement) const;
  int64_t ofOthers(CollectiveOpInterface op) const;

  const StepFlow &flow;
  ReplicaGroup ranks;
  int64_t n;
  const StrategyTask &task;
  mutable mlir::Value moved; // last
  mutable int64_t movedBytes = 0, movedTrips = 1;
  mutable mlir::Operation *worked = nullptr; // last
  mutable std::optional<int64_t> workedFlops;
  mutable int64_t workedTrips = 1;
};

} // namespace ds

#endif // DS_ANALYSIS_SEARCH_STRATEGYCOSTS_H
