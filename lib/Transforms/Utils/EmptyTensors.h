//===- EmptyTensors.h - Tensors without elements ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_UTILS_EMPTYTENSORS_H
#define DS_TRANSFORMS_UTILS_EMPTYTENSORS_H

#include "mlir/IR/Operation.h"

namespace ds {

/// Drops computations of tensors without elements and loops without iterations: a sum over no
/// elements is its initial value.
void dropEmptyTensors(mlir::Operation *root);

} // namespace ds

#endif // DS_TRANSFORMS_UTILS_EMPTYTENSORS_H
