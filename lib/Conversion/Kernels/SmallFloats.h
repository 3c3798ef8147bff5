//===- SmallFloats.h - Convert to and from floats of 8 bits -----*- C++ -*-===//
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

/// True for a signed float type of 8 bits: numbers are converted to and from it, but it has no
/// arithmetic.
bool isSmallFloat(mlir::Type type);

/// Adds patterns that convert scalars to and from such types by integer arithmetic.
void populateSmallFloatPatterns(mlir::RewritePatternSet &patterns);

} // namespace ds

#endif // DS_CONVERSION_KERNELS_SMALLFLOATS_H
