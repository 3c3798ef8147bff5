//===- RowChain.h - Kernels that share their rows, as one -------*- C++ -*-===//
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

/// Marks a kernel of several operations that a block goes through for its rows, one after another;
/// its value is their number. A gpu.barrier stands where an operation may touch what other threads
/// touched before.
inline constexpr llvm::StringLiteral kRowChain = "ds.rows";

/// Blocks of a launch of the kernel alone, by a scheme that canChain.
int64_t blocksAlone(const KernelLoops &loops, Scheme scheme);

/// Writes the kernel into `module`. Fails where the loops of an operation have no scheme, with an
/// error.
llvm::FailureOr<Launch> buildRowChain(mlir::func::FuncOp kernel, mlir::gpu::GPUModuleOp module);

} // namespace ds::gpu

#endif // DS_LIB_CONVERSION_GPU_ROWCHAIN_H
