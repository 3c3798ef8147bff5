//===- FieldWork.h - The work of a step over a field ------------*- C++ -*-===//
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

/// Counts the scalar operations that the functions of a module execute; loops with constant bounds
/// count as often as they run.
double countFieldWork(mlir::ModuleOp module);

} // namespace ds

#endif // DS_LIB_EXACT_FIELDWORK_H
