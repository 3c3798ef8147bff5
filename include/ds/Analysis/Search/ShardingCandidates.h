//===- ShardingCandidates.h - The ways to divide each operation ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a search for a plan chooses from. Which loop of an operation may be sharded, and what that
// makes of its operands, its sharding rule says; whether it can be done, and what results, the rule
// that places it. No operation is named here.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_SEARCH_SHARDINGCANDIDATES_H
#define DS_ANALYSIS_SEARCH_SHARDINGCANDIDATES_H

#include "ds/Analysis/PlacementAnalysis.h"

#include <unordered_map>

namespace ds {

/// One way to run an operation on n ranks.
struct ShardingCandidate {
  llvm::SmallVector<Placement> operands; // of `StepFlow::operands`, as they are taken
  llvm::SmallVector<Placement> results;
  bool dividesWork = false; // each rank does one n-th
  /// Its operands say nothing of it: each rank computes what is required (`propagateBackward`).
  bool onDemand = false;
};

/// Whether ranks that take the operands `reads` like that do an n-th of the operation each. Who
/// looks rows up in a part of a table does as much as with the whole.
bool dividesWork(mlir::Operation *op, llvm::ArrayRef<mlir::OpOperand *> reads,
                 llvm::ArrayRef<Placement> operands, llvm::ArrayRef<Placement> results);

class ShardingCandidates {
public:
  /// `arguments` are the shards in which an argument may come in beside whole.
  ShardingCandidates(const StepFlow &flow, const ReplicaGroup &ranks,
                     const llvm::DenseMap<mlir::Value, llvm::SmallVector<Sharding>> &arguments);

  /// Of an operation that is not of control flow; the first one divides nothing.
  llvm::ArrayRef<ShardingCandidate> of(mlir::Operation *op) const;
  /// The placements that a value may have which control flow carries; the first one is replicated.
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
  StepPlacement whole; // nothing sharded: which values are zero
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Sharding, 4>> shards;
  llvm::SmallVector<std::pair<mlir::Value, Sharding>> pending;
  std::unordered_map<mlir::Operation *, std::optional<ShardingRule>> rules; // stay where they are
  llvm::DenseSet<mlir::Value> partial;
  llvm::DenseMap<mlir::Operation *, unsigned> triedPartial; // how many operands
  llvm::DenseMap<llvm::hash_code, llvm::SmallVector<mlir::Operation *, 1>> alike; // by what they do
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<ShardingCandidate>> candidates;
};

} // namespace ds

#endif // DS_ANALYSIS_SEARCH_SHARDINGCANDIDATES_H
