//===- BodyLinearity.h - Is a body linear in its partial operands -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One forward walk over a scalar body (of a linalg operation, or one elementwise operation) gives
// every value a kind. A body that is linear in a partial operand may run on the partial values, and
// the reduction follows later. Kinds decide placement only and never fold anything: `zero * x` is
// zero here although x may be NaN.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_BODYLINEARITY_H
#define DS_ANALYSIS_BODYLINEARITY_H

#include "ds/Dialect/IR/Ds.h"

#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <functional>

namespace ds {

enum class Linearity {
  Zero,       ///< every element is zero on every rank
  Replicated, ///< the same on every rank
  Linear,     ///< a per-rank addend of the true value
  NonLinear,  ///< differs per rank, and is not such an addend
};

class BodyLinearity {
public:
  /// `outer` gives the kind of a value defined outside the body (block arguments included).
  using Outer = std::function<Linearity(mlir::Value)>;
  explicit BodyLinearity(Outer outer) : outer(std::move(outer)) {}

  /// Walks a block and everything nested in it.
  void walk(mlir::Block &block);
  /// Computes the kinds of the results of one operation, given its operands' kinds.
  void walk(mlir::Operation *op);
  Linearity of(mlir::Value value) const;
  /// True if an operation that was walked defines the value.
  bool hasWalked(mlir::Value value) const { return kinds.contains(value); }

private:
  Linearity classify(mlir::OpResult result) const;
  Outer outer;
  llvm::SmallDenseMap<mlir::Value, Linearity, 8> kinds;
};

/// Returns the values that an operation of a body, with everything nested in it, reads from
/// outside.
llvm::SmallSetVector<mlir::Value, 4> readsOf(mlir::Operation *statement);

/// Returns the kind of x + y.
Linearity addLinearity(Linearity x, Linearity y);

/// True if a value of that kind is rank-local.
bool differsPerRank(Linearity kind);

/// Wraps each replicated addend of a rank-local value, on the way to `use` (to result `index`), in
/// `ds.replicated_to_partial`, so that it counts on one rank only. A replicated factor of a
/// rank-local value is never wrapped, nor is an addend inside a factor. `kinds` must have walked
/// the operations on the way.
void maskAddends(mlir::OpOperand &use, BodyLinearity &kinds);
void maskAddends(mlir::Operation *op, unsigned index, BodyLinearity &kinds);

/// Returns the reduction by which the body accumulates into its output argument `out`, which the
/// terminator yields at position `index`; none if it is not a known one (a "set", an argmax, a
/// doubled use).
std::optional<ReductionKind> findCombiner(mlir::Block &block, mlir::BlockArgument out,
                                          unsigned index);

} // namespace ds

#endif // DS_ANALYSIS_BODYLINEARITY_H
