//===- Loops.h - Placement of what is a nest of loops -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One implementation for linalg and for every operation with a `LoopRule`: which loop a sharded
// operand divides, and what that makes of the results. What only a body can tell is virtual.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_ANALYSIS_RULES_LOOPS_H
#define DS_LIB_ANALYSIS_RULES_LOOPS_H

#include "ds/Analysis/BodyLinearity.h"
#include "ds/Analysis/LoopRule.h"
#include "ds/Analysis/Placement.h"

#include <variant>

namespace ds {

struct ShardedLoop {
  unsigned loop = 0;
  Sharding factors; // `dim` has no meaning here
};

/// How a map uses a loop: not, alone as one of its results, or inside of an expression.
enum class LoopUse { Absent, Pure, Compound };
LoopUse findLoop(mlir::AffineMap map, unsigned loop);
/// The result of the map that is the loop alone.
std::optional<int64_t> positionOf(mlir::AffineMap map, unsigned loop);

/// The one loop that all sharded operands divide; none if no operand is sharded; a reason if they
/// disagree.
using LoopOrReason = std::variant<std::optional<ShardedLoop>, std::string>;

class Loops {
public:
  using Reads = llvm::ArrayRef<mlir::OpOperand *>;
  using ShardingView = llvm::function_ref<std::optional<Sharding>(mlir::OpOperand &)>;

  Loops(mlir::Operation *op, LoopRule rule) : op(op), rule(std::move(rule)) {}
  virtual ~Loops() = default;

  void place(PlacementRule &placement) const;
  bool demand(unsigned result, Sharding sharding,
              llvm::DenseMap<mlir::OpOperand *, Sharding> &wants) const;

  /// `reads` is what `getReadOperands` says of the operation.
  LoopOrReason findShardedLoop(Reads reads, ShardingView shardingOf) const;
  /// That loop of an operation that was divided and is about to be rewritten: any operand tells. A
  /// position that was followed through other operations is not found again in those of one rank.
  std::optional<ShardedLoop> findLocalLoop(Reads reads, ShardingView shardingOf) const;

protected:
  bool isOwn(mlir::OpOperand &operand) const { return operand.getOwner() == op; }
  mlir::AffineMap mapOf(mlir::OpOperand &own) const {
    return rule.operands[own.getOperandNumber()];
  }

  /// False for an operand of which the shape alone is read.
  virtual bool readsData(mlir::OpOperand &) const { return true; }
  /// An init whose values are ignored takes any shape; an input that is ignored keeps its own.
  virtual bool isIgnoredInit(mlir::OpOperand &) const { return false; }
  /// The loop that runs over all of dimension `dim` of a value that the body captures.
  virtual std::optional<unsigned> loopOfCapture(mlir::OpOperand &, int64_t) const { return {}; }
  virtual std::optional<ReductionKind> combinerOf(unsigned) const { return rule.combiner; }
  /// What a result accumulates into.
  virtual mlir::OpOperand *initOf(unsigned) const { return nullptr; }
  /// The kinds of the results, given those of the operands.
  virtual llvm::SmallVector<Linearity>
  kindsOf(Reads reads, llvm::function_ref<Linearity(mlir::OpOperand &)> operandKind) const;

private:
  std::optional<unsigned> findLoopOf(mlir::OpOperand &operand, int64_t dim) const;
  bool isDiagonal(mlir::OpOperand &operand, unsigned loop) const;
  bool readsOtherSamples(const LoopOrReason &loop, PlacementRule &placement) const;
  void gatherOtherSamples(PlacementRule &placement) const;
  void placeOperands(ShardedLoop loop, PlacementRule &placement) const;
  void placeReduction(unsigned result, PlacementRule &placement) const;
  void placeSharded(ShardedLoop loop, PlacementRule &placement) const;

  mlir::Operation *op;
  LoopRule rule;
};

/// The kinds of the results of one operation by its scalar rule.
llvm::SmallVector<Linearity>
kindsOfResults(mlir::Operation *op, llvm::function_ref<Linearity(mlir::OpOperand &)> operandKind);

/// Without a sharded operand: which partial sums among `reads` stay partial, and what that makes of
/// the results. The largest stay so first: of a product of two the smaller one is reduced.
void placeLinear(PlacementRule &placement, Loops::Reads reads,
                 llvm::function_ref<
                     llvm::SmallVector<Linearity>(llvm::function_ref<Linearity(mlir::OpOperand &)>)>
                     kindsOf);

} // namespace ds

#endif // DS_LIB_ANALYSIS_RULES_LOOPS_H
