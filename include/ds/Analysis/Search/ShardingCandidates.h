//===- ShardingCandidates.h - The ways to shard each operation -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choices of a search for a plan. The sharding rule of an operation gives the loops that may be
// sharded and the placements of its operands; the rule that places it decides whether that is
// possible, and the results. No operation is named here.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_SEARCH_SHARDINGCANDIDATES_H
#define DS_ANALYSIS_SEARCH_SHARDINGCANDIDATES_H

#include "ds/Analysis/PlacementAnalysis.h"

#include <unordered_map>

namespace ds {

/// One way to run an operation on n ranks.
struct ShardingCandidate {
  llvm::SmallVector<Placement> operands; // of `StepFlow::operands`, in the placements that are read
  llvm::SmallVector<Placement> results;
  bool dividesWork = false; // each rank does one n-th of the work
  /// Its operands do not determine it: each rank computes the part that is required
  /// (`propagateBackward`).
  bool onDemand = false;
};

/// True if ranks that read the operands `reads` in these placements do an n-th of the operation
/// each. A lookup in a sharded table costs as much as in the whole one.
bool dividesWork(mlir::Operation *op, llvm::ArrayRef<mlir::OpOperand *> reads,
                 llvm::ArrayRef<Placement> operands, llvm::ArrayRef<Placement> results);

class ShardingCandidates {
public:
  /// `arguments` are the shards in which an argument may enter the step, besides replicated.
  ShardingCandidates(const StepFlow &flow, const ReplicaGroup &ranks,
                     const llvm::DenseMap<mlir::Value, llvm::SmallVector<Sharding>> &arguments);

  /// Returns the candidates of an operation that is not control flow; the first one is replicated.
  llvm::ArrayRef<ShardingCandidate> of(mlir::Operation *op) const;
  /// Returns the possible placements of a value that control flow carries; the first one is
  /// replicated.
  llvm::SmallVector<Placement> ofTarget(mlir::Value target) const;

private:
  void addShard(mlir::Value value, const Sharding &sharding);
  void spread(mlir::Value value, const Sharding &sharding);
  void spreadOver(mlir::Operation *op, const ShardingRule &rule, mlir::AffineMap map,
                  const Sharding &sharding);
  const std::optional<ShardingRule> &ruleOf(mlir::Operation *op);
  bool mayComeAlike(mlir::Value left, mlir::Value right) const;
  mlir::Operation *findAlike(mlir::Operation *op);
  void findDivisions(mlir::Operation *op);
  void tryOperands(mlir::Operation *op, llvm::ArrayRef<Placement> operands);
  void tryLoop(mlir::Operation *op, const ShardingRule &rule, const ShardedLoop &loop);
  void tryOnDemand(mlir::Operation *op, const ShardingRule &rule, const ShardedLoop &loop);
  void tryTables(mlir::Operation *op);
  void tryPartial(mlir::Operation *op);
  bool mayBePartial(mlir::Value value) const { return partial.contains(value); }

  const StepFlow &flow;
  ReplicaGroup ranks;
  StepPlacement whole; // nothing sharded: to find values that are zero
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Sharding, 4>> shards;
  llvm::SmallVector<std::pair<mlir::Value, Sharding>> pending;
  std::unordered_map<mlir::Operation *, std::optional<ShardingRule>> rules; // with stable addresses
  llvm::DenseSet<mlir::Value> partial;
  llvm::DenseMap<mlir::Operation *, unsigned> triedPartial; // number of operands tried
  llvm::DenseMap<llvm::hash_code, llvm::SmallVector<mlir::Operation *, 1>> alike; // by computation
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<ShardingCandidate>> candidates;
};

} // namespace ds

#endif // DS_ANALYSIS_SEARCH_SHARDINGCANDIDATES_H
