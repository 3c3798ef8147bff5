//===- RowForm.h - Kernels that work row by row -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CONVERSION_GPU_ROWFORM_H
#define DS_LIB_CONVERSION_GPU_ROWFORM_H

#include "KernelLoops.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ds::gpu {

/// Returns the only operation of a kernel that may be part of a row chain; null for other kernels.
mlir::linalg::GenericOp chainableOp(mlir::func::FuncOp kernel);

/// True if a block can compute the results of some rows by this scheme exactly as a separate launch
/// would.
bool canChain(Scheme scheme);

/// An access of a kernel to one of its arguments. Row r of `rows` is the points [r * n, (r + 1) *
/// n) of its parallel loops, in their order.
struct RowTouch {
  unsigned argument = 0;
  bool writes = false;
  /// Row r accesses only bytes [r * rowBytes, (r + 1) * rowBytes) of the argument. None: any bytes.
  std::optional<int64_t> rowBytes;
};

/// Returns all accesses of the kernel of `loops`; `rows` divides its points.
llvm::SmallVector<RowTouch> touchesOf(mlir::func::FuncOp kernel, const KernelLoops &loops,
                                      int64_t rows);

} // namespace ds::gpu

#endif // DS_LIB_CONVERSION_GPU_ROWFORM_H
