//===- Accumulators.h - Values carried over microbatches --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_PREPARE_ACCUMULATORS_H
#define DS_TRANSFORMS_PREPARE_ACCUMULATORS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

#include <functional>

namespace ds {

/// A value that the loop carries from one microbatch to the next.
struct Carried {
  mlir::Value init;
  /// Creates the value after microbatch `round` from the value before it and the values of the
  /// body.
  std::function<mlir::Value(mlir::OpBuilder &, mlir::Value before, const mlir::IRMapping &body,
                            mlir::Value round)>
      next;
  /// Uses the loop's result, after the loop.
  std::function<void(mlir::OpBuilder &, mlir::Value result)> finish;
};

using Use = std::function<void(mlir::Value)>;

/// Carries the sum of `value`, divided by `divideBy` after the loop. 16-bit floats are added up in
/// f32. `start` is before the loop.
Carried carrySum(mlir::OpBuilder start, mlir::Value value, int64_t divideBy, Use use);

/// Carries the maximum or minimum of a float.
Carried carryExtreme(mlir::OpBuilder start, mlir::Value value, bool isMax, Use use);

/// Carries the rows of all microbatches along `dim`: those of a microbatch follow those of the one
/// before.
Carried carryRows(mlir::OpBuilder start, mlir::Value value, int64_t microbatches, int64_t dim,
                  Use use);

/// Carries a state of the step: each microbatch starts from the new value of the one before.
Carried carryState(mlir::Value state, mlir::Value value, Use use);

/// Gives `argument` the rows of all microbatches and returns it as [.., microbatch, row, ..].
mlir::Value splitMicrobatches(mlir::OpBuilder &b, mlir::Location loc, mlir::Value argument,
                              int64_t dim, int64_t microbatches);

/// Returns the rows of microbatch `round` of a result of `splitMicrobatches`.
mlir::Value sliceMicrobatch(mlir::OpBuilder &b, mlir::Value split, int64_t dim, mlir::Value round);

} // namespace ds

#endif // DS_TRANSFORMS_PREPARE_ACCUMULATORS_H
