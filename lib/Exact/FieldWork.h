//===- FieldWork.h - How much a step over a field computes ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_EXACT_FIELDWORK_H
#define DS_LIB_EXACT_FIELDWORK_H

#include "mlir/IR/BuiltinOps.h"

namespace ds {

/// Operations on scalars that the functions of a module do, in loops whose bounds are constants as
/// often as these run.
double countFieldWork(mlir::ModuleOp module);

} // namespace ds

#endif // DS_LIB_EXACT_FIELDWORK_H
