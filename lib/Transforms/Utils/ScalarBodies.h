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

/// What bodies of kernels compute on tensors of rank 0 they compute on the elements: reducers that
/// call functions on such tensors look like this once these are inlined.
void makeBodiesScalar(mlir::Operation *root);

} // namespace ds

#endif // DS_TRANSFORMS_UTILS_SCALARBODIES_H
