//===- ScalarBodies.h - Bodies of kernels compute scalars -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_UTILS_SCALARBODIES_H
#define DS_TRANSFORMS_UTILS_SCALARBODIES_H

#include "mlir/IR/Operation.h"

namespace ds {

/// Rewrites computations on tensors of rank 0 in bodies of kernels to computations on their
/// elements. Reducers that call functions on such tensors have this form after inlining.
void makeBodiesScalar(mlir::Operation *root);

} // namespace ds

#endif // DS_TRANSFORMS_UTILS_SCALARBODIES_H
