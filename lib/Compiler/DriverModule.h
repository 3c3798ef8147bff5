//===- DriverModule.h - Reading and splitting a lowered module --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_COMPILER_DRIVERMODULE_H
#define DS_LIB_COMPILER_DRIVERMODULE_H

#include "ds/Step/Executable.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace ds {

/// Makes the function `entry`, or the only public one, the only public function; null after
/// reporting an error.
mlir::func::FuncOp selectEntry(mlir::ModuleOp module, llvm::StringRef entry);

/// Reports the first operation of the driver that is neither a call, nor control flow, nor scalar
/// code.
llvm::LogicalResult checkDriver(mlir::ModuleOp module);

/// Reads sizes, argument order, kernel names and library calls from the driver.
void readDriver(mlir::ModuleOp module, Executable &executable);

/// Moves everything into a module of modules: the driver first, then the kernels in up to
/// `numParts` parts.
mlir::OwningOpRef<mlir::ModuleOp> splitDriver(mlir::ModuleOp module, unsigned numParts);
} // namespace ds

#endif // DS_LIB_COMPILER_DRIVERMODULE_H
