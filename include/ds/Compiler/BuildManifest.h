//===- BuildManifest.h - Roles of a step as plain data ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_COMPILER_BUILDMANIFEST_H
#define DS_COMPILER_BUILDMANIFEST_H

#include "ds/Step/Manifest.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ds {

/// Reads the attributes of the step's arguments and results and the module's configuration; on
/// tensors, before lowering. Reports an error for a type or role that cannot be executed.
llvm::FailureOr<Manifest> buildManifest(mlir::func::FuncOp step);

/// Returns the exchanges that the step starts, once starts are separate operations.
std::vector<StartSpec> readStarts(mlir::func::FuncOp step);

} // namespace ds

#endif // DS_COMPILER_BUILDMANIFEST_H
