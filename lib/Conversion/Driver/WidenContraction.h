//===- WidenContraction.h - Sum a contraction of 16 bits in f32 -*- C++ -*-===//
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

/// Makes a contraction in 16 bits alone, on buffers, sum in f32, in separate memory, and rounds the
/// sums once into its result. `fill` sets that result to zero before the contraction; if it is
/// null, the sums start from the present values.
void widenContraction(mlir::linalg::GenericOp op, mlir::Operation *fill);

} // namespace ds

#endif // DS_CONVERSION_DRIVER_WIDENCONTRACTION_H
