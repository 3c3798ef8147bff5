//===- Decompose.h - What upstream defines by other operations --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_PREPARE_DECOMPOSE_H
#define DS_TRANSFORMS_PREPARE_DECOMPOSE_H

#include "mlir/IR/BuiltinOps.h"

namespace ds {

/// Writes operations that no rule of ds is for by those that they are defined by: what has the
/// interface of aggregates, gathers and scatters, constants of the module, integer powers, complex
/// numbers within a body, allocations of tensors. Fails with an error where what the module holds
/// is a state that no argument has.
llvm::LogicalResult decompose(mlir::ModuleOp module);

} // namespace ds

#endif // DS_TRANSFORMS_PREPARE_DECOMPOSE_H
