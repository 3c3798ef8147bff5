//===- SkipZeros.h - Sums do not read zeros between elements ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_PREPARE_SKIPZEROS_H
#define DS_TRANSFORMS_PREPARE_SKIPZEROS_H

#include "mlir/IR/Operation.h"

namespace ds {

/// Sums of products over an operand that is spread with zeros become sums over its elements: a
/// dilated kernel of a convolution is read as it is.
void skipZeros(mlir::Operation *root);

} // namespace ds

#endif // DS_TRANSFORMS_PREPARE_SKIPZEROS_H
