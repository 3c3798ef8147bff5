//===- CollapseLoops.h - Neighbouring loops that are one --------*- C++ -*-===//
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

/// The kernel on buffers with neighbouring loops made one wherever all of its operands lie in
/// memory as one dimension: rows and columns of an image that is added a bias per channel.
mlir::linalg::GenericOp collapseLoops(mlir::linalg::GenericOp op, mlir::RewriterBase &rewriter);

} // namespace ds

#endif // DS_CONVERSION_DRIVER_COLLAPSELOOPS_H
