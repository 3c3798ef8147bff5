//===- RowChain.h - Merge kernels that share their rows ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CONVERSION_GPU_ROWCHAIN_H
#define DS_LIB_CONVERSION_GPU_ROWCHAIN_H

#include "KernelBuilder.h"

namespace ds::gpu {

/// Marks a kernel of several operations that a block runs one after another for its rows; the value
/// is the number of rows. A gpu.barrier precedes an operation that may access elements which other
/// threads have accessed.
inline constexpr llvm::StringLiteral kRowChain = "ds.rows";

/// Returns the blocks of a launch of the kernel alone, by a scheme that canChain.
int64_t blocksAlone(const KernelLoops &loops, Scheme scheme);

/// Writes the kernel into `module`. Emits an error and fails if the loops of an operation have no
/// scheme.
llvm::FailureOr<Launch> buildRowChain(mlir::func::FuncOp kernel, mlir::gpu::GPUModuleOp module);

} // namespace ds::gpu

#endif // DS_LIB_CONVERSION_GPU_ROWCHAIN_H
