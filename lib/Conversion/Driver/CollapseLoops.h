//===- CollapseLoops.h - Join neighbouring loops of a kernel ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_DRIVER_COLLAPSELOOPS_H
#define DS_CONVERSION_DRIVER_COLLAPSELOOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ds {

/// Returns the kernel on buffers with neighbouring loops joined where the dimensions of all
/// operands are contiguous in memory: for example, rows and columns of an image to which a bias per
/// channel is added.
mlir::linalg::GenericOp collapseLoops(mlir::linalg::GenericOp op, mlir::RewriterBase &rewriter);

} // namespace ds

#endif // DS_CONVERSION_DRIVER_COLLAPSELOOPS_H
