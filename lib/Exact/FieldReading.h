//===- FieldReading.h - what a scalar operation means over a field -*- C++ -*-===//
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

/// A scalar operation, taken before types change: which operands and results are floats.
struct FloatOperation {
  mlir::Operation *op;
  llvm::SmallBitVector operands, results;
  bool isOpaque = false; // found by `readOperation`: an arbitrary function of its operands
};

/// The results of the operation over the field, its operands being elements where they were floats;
/// none if it is of no kind that has a reading.
std::optional<llvm::SmallVector<mlir::Value>> readOperation(FieldBuilder &b, FloatOperation &read);

/// The reduction of two elements; sums, products, maxima and minima.
mlir::Value reduceElements(FieldBuilder &b, ReductionKind kind, mlir::Value x, mlir::Value y);

} // namespace ds

#endif // DS_LIB_EXACT_FIELDREADING_H
