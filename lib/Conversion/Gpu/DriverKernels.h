//===- DriverKernels.h - Kernels that a GPU's driver gains ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel in a branch has a guard as its last argument: memory of an i32 that is 0 where the
// branch is not taken. The kernel then does nothing.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CONVERSION_GPU_DRIVERKERNELS_H
#define DS_LIB_CONVERSION_GPU_DRIVERKERNELS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

namespace ds::gpu {

/// Creates a kernel without a body that takes `operands`.
mlir::func::FuncOp startKernel(mlir::Location loc, mlir::ValueRange operands);
/// Ends it with an operation that writes the result of `value` to the one element of `out`. Moves
/// it into the module.
mlir::func::FuncOp
finishKernel(mlir::ModuleOp module, mlir::func::FuncOp kernel, mlir::Value out,
             llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location)> value);
/// Moves a kernel into the module under a name made from its text; returns the present one if there
/// is one.
mlir::func::FuncOp addKernel(mlir::ModuleOp module, mlir::func::FuncOp kernel);
/// Calls a kernel that copies a buffer; `guard` may be null.
void callCopy(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value from, mlir::Value to,
              mlir::Value guard);
/// The same between a dense buffer and the elements that `viewed` describes in the other one: from
/// there, or `back`.
void callStridedCopy(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value from, mlir::Value to,
                     mlir::MemRefType viewed, bool back);
/// Returns an element of a buffer, as a buffer.
mlir::Value elementOf(mlir::OpBuilder &builder, mlir::Value buffer, mlir::ValueRange at);

/// Adds a guard to a kernel and to the operands of its call, unless `guard` is null.
void addGuard(mlir::func::FuncOp kernel, mlir::Value guard,
              llvm::SmallVectorImpl<mlir::Value> &operands);
/// Returns the guard of a kernel, or null.
mlir::BlockArgument guardOf(mlir::func::FuncOp kernel);
/// Creates a branch that is taken if the word in `guard` is not 0.
mlir::scf::IfOp buildGuard(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value guard);

} // namespace ds::gpu

#endif // DS_LIB_CONVERSION_GPU_DRIVERKERNELS_H
