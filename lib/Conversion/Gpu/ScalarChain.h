//===- ScalarChain.h - Consecutive kernels of one point ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CONVERSION_GPU_SCALARCHAIN_H
#define DS_LIB_CONVERSION_GPU_SCALARCHAIN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace ds::gpu {

/// True if each operation of the kernel computes one point, and has no assertion.
bool isScalar(mlir::func::FuncOp kernel);

/// Writes a function of one thread that runs the kernel's operations in order.
void buildScalarChain(mlir::func::FuncOp kernel, mlir::gpu::GPUModuleOp module);

} // namespace ds::gpu

#endif // DS_LIB_CONVERSION_GPU_SCALARCHAIN_H
