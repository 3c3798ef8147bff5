//===- ShardingRule.h - How an operation may be sharded ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Describes an operation: its loops, the loop that runs over each dimension of its operands and
// results, and the operands in which each result is linear. Placement, demand, gathering and
// addends that count once follow from it. It does not depend on the number of ranks.
//
// A position is an affine expression. A single loop runs over the whole dimension; `i * 8 + j`,
// with 8 rounds of j, is a dimension that a reshape merges: its digits are loops, and sharding it
// shards one of them. `i - 2` is the part of loop i that begins with round 2. A constant is a
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
  /// Returns the same factors on another dimension.
  Sharding on(int64_t newDim) const { return {newDim, a, b}; }
  int64_t localSize() const { return a * b; }
};

/// A loop whose iterations are sharded.
struct ShardedLoop {
  unsigned loop = 0;
  Sharding factors; // `dim` has no meaning here
};

/// How a value uses a loop that is sharded.
struct LoopUse {
  enum Kind {
    Absent,   ///< not at all: it is read whole in every iteration
    Sharded,  ///< in one dimension, with the shard `sharding`
    Compound, ///< in a dimension without such a shard, or in several
  };
  Kind kind = Absent;
  Sharding sharding;
};

struct ShardingRule {
  llvm::SmallVector<mlir::utils::IteratorType, 4> loops;
  /// The iterations of each loop. Empty: unknown; then only a single loop can be sharded.
  llvm::SmallVector<int64_t, 4> sizes;
  /// From the loops to a position in each operand and each result.
  llvm::SmallVector<mlir::AffineMap, 4> operands;
  llvm::SmallVector<mlir::AffineMap, 1> results;
  /// How the iterations of the reduction loops are combined.
  std::optional<ReductionKind> combiner = ReductionKind::Sum; // none: not by a reduction
  /// The terms in which each result is linear; empty: none.
  llvm::SmallVector<ScalarRule, 0> terms;
  /// A loop whose iterations are other ranks, which cannot be sharded.
  std::optional<unsigned> overRanks;
  /// The reason why samples in a dimension without a loop cannot be sharded, if there is a more
  /// specific one.
  llvm::StringRef obstacle;

  /// Makes a rule in which the loops that some result does not run over are reductions. `terms` are
  /// those of the first result.
  static ShardingRule of(llvm::ArrayRef<mlir::AffineMap> operands,
                         llvm::ArrayRef<mlir::AffineMap> results, ScalarRule terms = {},
                         ReductionKind combiner = ReductionKind::Sum);

  /// Returns the loop that n ranks shard with the dimension at position `expr`; none if it is not a
  /// single loop.
  std::optional<ShardedLoop> findLoop(mlir::AffineExpr expr, const Sharding &sharding,
                                      int64_t n) const;
  /// Returns how a value of shape `shape` at the positions `map` uses that loop.
  LoopUse findUse(mlir::AffineMap map, llvm::ArrayRef<int64_t> shape, const ShardedLoop &loop,
                  int64_t n) const;
};

/// Returns the dimension of `size` elements at the position `expr` in the form of the attribute.
struct RuleDim;
RuleDim getRuleDim(mlir::AffineExpr expr, int64_t size, llvm::ArrayRef<int64_t> sizes);

/// Returns the `ds.sharding_rule` of an operation, or null.
ShardingRuleAttr getWrittenRule(mlir::Operation *op);

/// Returns the elementwise rule: the loops run over every tensor alike.
ShardingRule ruleOfElements(mlir::Operation *op);

/// Returns the rule of an operation, from its `ds::PlacementOpInterface`, its `ds.sharding_rule`,
/// or its traits.
std::optional<ShardingRule> getShardingRule(mlir::Operation *op);

/// Returns the rule in its printed form, with the sizes of loops, captures, and the terms in which
/// a body is linear; null for an operation without one.
ShardingRuleAttr describeShardingRule(mlir::Operation *op);

/// Returns the terms in which the result is linear: by its scalar rule, or by the sharding rule of
/// its operation.
ScalarRule getTerms(mlir::OpResult result);

} // namespace ds

#endif // DS_ANALYSIS_SHARDINGRULE_H
