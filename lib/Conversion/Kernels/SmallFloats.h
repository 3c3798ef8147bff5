//===- SmallFloats.h - To and from floats of 8 bits -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_KERNELS_SMALLFLOATS_H
#define DS_CONVERSION_KERNELS_SMALLFLOATS_H

#include "mlir/IR/PatternMatch.h"

namespace ds {

/// A type of 8 bits with a sign, to and from which numbers are converted. There is no arithmetic in
/// it.
bool isSmallFloat(mlir::Type type);

/// Conversions of scalars to and from such types as integer arithmetic.
void populateSmallFloatPatterns(mlir::RewritePatternSet &patterns);

} // namespace ds

#endif // DS_CONVERSION_KERNELS_SMALLFLOATS_H
