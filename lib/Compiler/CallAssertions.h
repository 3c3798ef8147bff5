//===- CallAssertions.h - A failed assertion ends the step ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_COMPILER_CALLASSERTIONS_H
#define DS_COMPILER_CALLASSERTIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace ds {

/// Lowers each `cf.assert` of the module to a branch that calls `ds_assertion_failed` with the
/// place and the message, and does not return. Upstream's lowering ends the process.
void callAssertions(mlir::ModuleOp module);

} // namespace ds

#endif // DS_COMPILER_CALLASSERTIONS_H
