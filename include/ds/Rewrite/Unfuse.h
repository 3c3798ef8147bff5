//===- Unfuse.h - Bodies of linalg operations in parts ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_REWRITE_UNFUSE_H
#define DS_REWRITE_UNFUSE_H

#include "mlir/IR/Operation.h"

namespace ds {

/// Unfuses the body of a linalg operation: an operation for each of its statements that can
/// stand alone. False if it cannot.
bool unfuse(mlir::Operation *op);
/// Whether a linalg.generic has such statements.
bool canUnfuse(mlir::Operation *op);

} // namespace ds

#endif // DS_REWRITE_UNFUSE_H
