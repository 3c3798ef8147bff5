//===- WidenContraction.h - Sums of 16 bits that no library makes -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_DRIVER_WIDENCONTRACTION_H
#define DS_CONVERSION_DRIVER_WIDENCONTRACTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ds {

/// Lets a contraction in 16 bits alone, on buffers, sum in f32, in memory of its own, and rounds
/// the sums once to where they belong. `fill` is what sets its result to zero in front of it; null:
/// the sums start from what is there.
void widenContraction(mlir::linalg::GenericOp op, mlir::Operation *fill);

} // namespace ds

#endif // DS_CONVERSION_DRIVER_WIDENCONTRACTION_H
