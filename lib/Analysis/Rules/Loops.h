//===- Loops.h - Placement of loop nests ------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One implementation for linalg and for every operation with a `ShardingRule`: finds the loop that
// a sharded operand shards, and places the results accordingly. Facts that only a body knows are
// virtual.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_ANALYSIS_RULES_LOOPS_H
#define DS_LIB_ANALYSIS_RULES_LOOPS_H

#include "ds/Analysis/BodyLinearity.h"
#include "ds/Analysis/Placement.h"

#include <variant>

namespace ds {

/// The one loop that all sharded operands shard; none if no operand is sharded; a reason if they
/// disagree.
using LoopOrReason = std::variant<std::optional<ShardedLoop>, std::string>;

class Loops {
public:
  using Reads = llvm::ArrayRef<mlir::OpOperand *>;
  using ShardingView = llvm::function_ref<std::optional<Sharding>(mlir::OpOperand &)>;

  Loops(mlir::Operation *op, ShardingRule rule, int64_t numRanks)
      : op(op), rule(std::move(rule)), n(numRanks) {}
  virtual ~Loops() = default;

  void place(PlacementRule &placement) const;
  /// The rule in its printed form.
  ShardingRuleAttr describe() const;
  bool demand(Sharding sharding, llvm::DenseMap<mlir::OpOperand *, Sharding> &wants) const;

  /// `reads` is the result of `getReadOperands` for the operation.
  LoopOrReason findShardedLoop(Reads reads, ShardingView shardingOf) const;
  /// Finds that loop for an operation that was sharded and is about to be rewritten: any operand
  /// determines it. A position that was traced through other operations cannot be traced in those
  /// of one rank.
  std::optional<ShardedLoop> findLocalLoop(Reads reads, ShardingView shardingOf) const;

protected:
  bool isOwn(mlir::OpOperand &operand) const { return operand.getOwner() == op; }
  mlir::AffineMap mapOf(mlir::OpOperand &own) const {
    return rule.operands[own.getOperandNumber()];
  }

  /// False for an operand of which only the shape is read.
  virtual bool readsData(mlir::OpOperand &) const { return true; }
  /// An init whose values are ignored takes any shape; an ignored input keeps its own.
  virtual bool isIgnoredInit(mlir::OpOperand &) const { return false; }
  /// Returns the loop that runs over all of dimension `dim` of a value that the body captures.
  virtual std::optional<unsigned> findLoopOfCapture(mlir::OpOperand &, int64_t) const { return {}; }
  /// If only tables that are read at positions from data are sharded, places the operation so that
  /// each rank reads its own rows. Returns false if that is not so, or costs more than gathering
  /// the tables.
  virtual bool placeByOwner(PlacementRule &) const { return false; }
  virtual std::optional<ReductionKind> combinerOf(unsigned) const { return rule.combiner; }
  /// Returns the operand that a result accumulates into.
  virtual mlir::OpOperand *initOf(unsigned) const { return nullptr; }
  /// The value by which the body reads an operand, and the value that it computes for a result.
  virtual mlir::Value elementOf(mlir::OpOperand &operand) const { return operand.get(); }
  virtual mlir::Value computedOf(unsigned result) const { return op->getResult(result); }
  /// Returns the kinds of the results, given those of the operands.
  virtual llvm::SmallVector<Linearity>
  kindsOf(Reads reads, llvm::function_ref<Linearity(mlir::OpOperand &)> operandKind) const;

private:
  std::optional<ShardedLoop> findLoopOf(mlir::OpOperand &operand, const Sharding &sharding) const;
  LoopUse findUse(mlir::AffineMap map, mlir::Value value, const ShardedLoop &loop) const;
  mlir::AffineMap mapOfCapture(mlir::OpOperand &operand) const;
  bool isDiagonal(mlir::OpOperand &operand, const ShardedLoop &loop) const;
  /// The reason why a value sharded along a dimension without a loop cannot stay sharded.
  std::string obstacleOr(llvm::StringRef reason) const;
  bool readsOtherSamples(const LoopOrReason &loop, PlacementRule &placement) const;
  bool makesWhatIsMarked(const ShardedLoop &loop, const ReplicaGroup &ranks) const;
  void gatherOtherSamples(PlacementRule &placement) const;
  void placeOperands(ShardedLoop loop, PlacementRule &placement) const;
  void placeReduction(unsigned result, PlacementRule &placement) const;
  void placeSharded(ShardedLoop loop, PlacementRule &placement) const;
  void placeLinear(PlacementRule &placement) const;

  mlir::Operation *op;
  ShardingRule rule;
  int64_t n;
};

} // namespace ds

#endif // DS_LIB_ANALYSIS_RULES_LOOPS_H
