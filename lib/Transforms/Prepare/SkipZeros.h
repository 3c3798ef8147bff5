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

/// Turns sums of products over an operand with zeros between its elements into sums over the
/// elements: a dilated kernel of a convolution is then read as it is stored.
void skipZeros(mlir::Operation *root);

} // namespace ds

#endif // DS_TRANSFORMS_PREPARE_SKIPZEROS_H
