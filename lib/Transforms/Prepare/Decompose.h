//===- Decompose.h - Write operations by simpler ones -----------*- C++ -*-===//
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

/// Rewrites operations without a rule of ds by the operations that define them: those with the
/// interface of aggregates, gathers and scatters, constants of the module, integer powers, complex
/// numbers within a body, allocations of tensors. Emits an error and fails if a global of the
/// module is a state that is no argument of the step.
llvm::LogicalResult decompose(mlir::ModuleOp module);

} // namespace ds

#endif // DS_TRANSFORMS_PREPARE_DECOMPOSE_H
