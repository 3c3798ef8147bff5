//===- RefuseOperations.h - Operations that no step may hold ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DS_LIB_TRANSFORMS_PREPARE_REFUSEOPERATIONS_H
#define DS_LIB_TRANSFORMS_PREPARE_REFUSEOPERATIONS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

namespace ds {

/// Returns the value that the loaded global has in every step; null if a step may change it, or it
/// stands outside of the module.
mlir::TypedAttr constantOfGlobal(mlir::Operation *load);

/// Refuses operations by name whose meaning would be lost on the way through upstream's passes.
llvm::LogicalResult refuseOperations(mlir::ModuleOp module);

} // namespace ds

#endif // DS_LIB_TRANSFORMS_PREPARE_REFUSEOPERATIONS_H
