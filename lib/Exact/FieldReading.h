//===- FieldReading.h - scalar operations over a field -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_EXACT_FIELDREADING_H
#define DS_LIB_EXACT_FIELDREADING_H

#include "FieldBuilder.h"

#include "ds/Dialect/IR/Ds.h"

#include <optional>

namespace ds {

/// A scalar operation, recorded before types change, with the operands and results that are floats.
struct FloatOperation {
  mlir::Operation *op;
  llvm::SmallBitVector operands, results;
  bool isOpaque = false; // found by `readOperation`: an arbitrary function of its operands
};

/// Returns the results of the operation over the field, where its float operands are elements; none
/// if its kind has no reading.
std::optional<llvm::SmallVector<mlir::Value>> readOperation(FieldBuilder &b, FloatOperation &read);

/// The reduction of two elements; sums, products, maxima and minima.
mlir::Value reduceElements(FieldBuilder &b, ReductionKind kind, mlir::Value x, mlir::Value y);

} // namespace ds

#endif // DS_LIB_EXACT_FIELDREADING_H
