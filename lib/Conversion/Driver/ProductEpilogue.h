//===- ProductEpilogue.h - Kernels that a library absorbs -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CONVERSION_DRIVER_PRODUCTEPILOGUE_H
#define DS_LIB_CONVERSION_DRIVER_PRODUCTEPILOGUE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace ds {

/// A kernel that fills the result of a product with a row of memory, right before it.
struct RowFill {
  mlir::linalg::GenericOp fill;       // null: there is none
  mlir::Value row;                    // its memory
  llvm::SmallVector<int64_t> strides; // of the row, per loop of the product
};
RowFill findRowFill(mlir::linalg::GenericOp product);

/// A kernel that computes max(z, 0) of a product z without other readers, or rounds z, into memory
/// that is free where the product is computed.
struct LastStep {
  mlir::linalg::GenericOp kernel; // null: there is none
  bool isMaximum = false;
  mlir::Type type; // element type
};
LastStep findLastStep(mlir::linalg::GenericOp product);
/// Moves the allocation of that kernel's result before the product.
void makeAvailable(const LastStep &last, mlir::linalg::GenericOp product);

} // namespace ds

#endif // DS_LIB_CONVERSION_DRIVER_PRODUCTEPILOGUE_H
