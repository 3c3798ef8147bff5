//===- ShardingRule.h - How an operation may be sharded ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operation says of itself: the loops that it is, which of them runs over which dimension
// of its operands and results, and in what each result is linear. Placement, demand, gathering and
// addends that count once follow from it. It does not depend on the number of ranks.
//
// A position is an affine expression. A loop alone runs over the whole dimension; `i * 8 + j`, with
// 8 rounds of j, is a dimension that a reshape merges: its digits are loops, and what divides it
// divides one of them. `i - 2` is the part of loop i that begins with round 2. A constant is a
// dimension that is not sharded.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_SHARDINGRULE_H
#define DS_ANALYSIS_SHARDINGRULE_H

#include "ds/Analysis/ScalarRule.h"
#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/AffineMap.h"

namespace ds {

/// Dimension `dim` has size a * n * b and is read as [a, n, b]; the middle index is the rank. a = 1
/// is `block`, b = 1 is `cyclic`. A rank holds a * b elements of the dimension.
struct Sharding {
  int64_t dim = 0;
  int64_t a = 1;
  int64_t b = 1;
  bool operator==(const Sharding &o) const { return dim == o.dim && a == o.a && b == o.b; }
  bool operator!=(const Sharding &o) const { return !(*this == o); }
  /// The same factors on another dimension.
  Sharding on(int64_t newDim) const { return {newDim, a, b}; }
  int64_t localSize() const { return a * b; }
};

/// A loop whose rounds are sharded.
struct ShardedLoop {
  unsigned loop = 0;
  Sharding factors; // `dim` has no meaning here
};

/// What a value has of a loop that is sharded.
struct LoopUse {
  enum Kind {
    Absent,   ///< nothing: it is read whole in every round
    Sharded,  ///< one dimension, with the shard `sharding`
    Compound, ///< a dimension that has no such shard, or several
  };
  Kind kind = Absent;
  Sharding sharding;
};

struct ShardingRule {
  llvm::SmallVector<mlir::utils::IteratorType, 4> loops;
  /// The rounds of each loop. Empty: not known; then only what is a loop alone is sharded.
  llvm::SmallVector<int64_t, 4> sizes;
  /// From the loops to a position in each operand and each result.
  llvm::SmallVector<mlir::AffineMap, 4> operands;
  llvm::SmallVector<mlir::AffineMap, 1> results;
  /// How the rounds of the loops that are reductions come together.
  std::optional<ReductionKind> combiner = ReductionKind::Sum; // none: by no reduction
  /// In what each result is linear; empty: in nothing.
  llvm::SmallVector<ScalarRule, 0> terms;
  /// A loop whose rounds are other ranks, which nothing divides.
  std::optional<unsigned> overRanks;
  /// Why samples that lie where no loop runs cannot be sharded, if there is more to say than that.
  llvm::StringRef obstacle;

  /// The loops that some result does not run over are reductions. `terms` are those of the first
  /// result.
  static ShardingRule of(llvm::ArrayRef<mlir::AffineMap> operands,
                         llvm::ArrayRef<mlir::AffineMap> results, ScalarRule terms = {},
                         ReductionKind combiner = ReductionKind::Sum);

  /// The loop that n ranks divide with the dimension at position `expr`; none if they divide no
  /// single loop.
  std::optional<ShardedLoop> findLoop(mlir::AffineExpr expr, const Sharding &sharding,
                                      int64_t n) const;
  /// What a value of shape `shape` at the positions `map` has of that loop.
  LoopUse findUse(mlir::AffineMap map, llvm::ArrayRef<int64_t> shape, const ShardedLoop &loop,
                  int64_t n) const;
};

/// The dimension of `size` elements at the position `expr`, as an attribute has it.
struct RuleDim;
RuleDim getRuleDim(mlir::AffineExpr expr, int64_t size, llvm::ArrayRef<int64_t> sizes);

/// The `ds.sharding_rule` of an operation, or null.
ShardingRuleAttr getWrittenRule(mlir::Operation *op);

/// Element by element: the loops run over every tensor alike.
ShardingRule ruleOfElements(mlir::Operation *op);

/// The rule of an operation: its `ds::PlacementOpInterface`, its `ds.sharding_rule`, or what its
/// traits say.
std::optional<ShardingRule> getShardingRule(mlir::Operation *op);

/// The rule as it is printed, with the sizes of loops, captures, and what a body is linear in; null
/// for an operation without one.
ShardingRuleAttr describeShardingRule(mlir::Operation *op);

/// In what the result is linear: by its scalar rule, or by the sharding rule of its operation.
ScalarRule getTerms(mlir::OpResult result);

} // namespace ds

#endif // DS_ANALYSIS_SHARDINGRULE_H
