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

/// Unfuses the body of a linalg operation: each of its statements that can stand alone becomes an
/// operation. False if there is none.
bool unfuse(mlir::Operation *op);

} // namespace ds

#endif // DS_REWRITE_UNFUSE_H
