//===- BodyLinearity.h - Is a body linear in its partial operands -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One forward walk over a scalar body (of a linalg operation, or one elementwise operation) gives
// every value a kind. A body that is linear in a partial operand may run on the partial values; the
// reduction then comes later. Kinds decide placement only and never fold anything: `zero * x` is
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
  NonLinear,  ///< per rank, and not such an addend
};

class BodyLinearity {
public:
  /// `outer` gives the kind of a value defined outside of the body (block arguments included).
  using Outer = std::function<Linearity(mlir::Value)>;
  explicit BodyLinearity(Outer outer) : outer(std::move(outer)) {}

  /// Walks a block and everything nested in it.
  void walk(mlir::Block &block);
  /// The kinds of the results of one operation, given its operands' kinds.
  void walk(mlir::Operation *op);
  Linearity of(mlir::Value value) const;
  /// Whether an operation that was walked makes the value.
  bool hasWalked(mlir::Value value) const { return kinds.contains(value); }

private:
  Linearity classify(mlir::OpResult result) const;
  Outer outer;
  llvm::SmallDenseMap<mlir::Value, Linearity, 8> kinds;
};

/// What an operation of a body, with everything nested in it, reads from outside of itself.
llvm::SmallSetVector<mlir::Value, 4> readsOf(mlir::Operation *statement);

/// The kind of x + y.
Linearity addLinearity(Linearity x, Linearity y);

/// Whether a value of that kind is each rank's own.
bool differsPerRank(Linearity kind);

/// Wraps what is replicated and added to something of each rank's own, on the way to `use` (to
/// result `index`), in `ds.replicated_to_partial`, so that it counts on one rank only. What is
/// replicated in a product with something of the rank's own is never wrapped, nor what is added
/// inside of a factor. `kinds` must have walked what leads there.
void maskAddends(mlir::OpOperand &use, BodyLinearity &kinds);
void maskAddends(mlir::Operation *op, unsigned index, BodyLinearity &kinds);

/// How the body accumulates into its output argument `out`, which the terminator yields at position
/// `index`: the reduction if it is known to be one, else none (a "set", an argmax, a doubled use).
std::optional<ReductionKind> findCombiner(mlir::Block &block, mlir::BlockArgument out,
                                          unsigned index);

} // namespace ds

#endif // DS_ANALYSIS_BODYLINEARITY_H
