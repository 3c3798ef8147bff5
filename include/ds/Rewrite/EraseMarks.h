//===- EraseMarks.h - A step without annotations ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_REWRITE_ERASEMARKS_H
#define DS_REWRITE_ERASEMARKS_H

#include "mlir/IR/Operation.h"

namespace ds {

/// Replaces every `ds.gradient` and `ds.combine` below `root` by its operand.
void eraseMarks(mlir::Operation *root);

} // namespace ds

#endif // DS_REWRITE_ERASEMARKS_H
