//===- DegreeBound.h - The degree of a step ---------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_EXACT_DEGREEBOUND_H
#define DS_LIB_EXACT_DEGREEBOUND_H

#include "ds/Exact/FieldFacts.h"

#include "mlir/IR/BuiltinOps.h"

namespace ds {

/// Returns the largest degrees of the results of a step, as quotients of polynomials in the inputs
/// and in the results of arbitrary functions; infinite if a loop has no known end. `module` is of
/// floats, its linalg operations generic.
Degree boundDegree(mlir::ModuleOp module);

} // namespace ds

#endif // DS_LIB_EXACT_DEGREEBOUND_H
