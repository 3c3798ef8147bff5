//===- FloatSources.h - Integers that floats decide -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_EXACT_FLOATSOURCES_H
#define DS_LIB_EXACT_FLOATSOURCES_H

#include "mlir/IR/Value.h"

namespace ds {

/// True if floats decide this boolean or integer: it is compared or converted from one, through
/// control flow and the bodies of tensor operations.
bool isDecidedByFloats(mlir::Value value);

/// True if this index is the value of a float, without bounds. A choice among several integers may
/// depend on floats, as the position of a maximum does.
bool isNumberOfFloat(mlir::Value index);

} // namespace ds

#endif // DS_LIB_EXACT_FLOATSOURCES_H
