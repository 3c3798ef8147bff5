//===- MergedKernel.h - Several kernels in one launch -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CONVERSION_GPU_MERGEDKERNEL_H
#define DS_LIB_CONVERSION_GPU_MERGEDKERNEL_H

#include "KernelBuilder.h"

namespace ds::gpu {

/// One kernel of a launch and its operands.
struct KernelCall {
  mlir::gpu::GPUFuncOp kernel;
  int64_t blocks, threadsX, threadsY;
  llvm::SmallVector<mlir::Value> operands;
};

/// A kernel that runs several tracks: the blocks of each track follow those of the track before.
struct MergedKernel {
  mlir::gpu::GPUFuncOp kernel;
  llvm::SmallVector<mlir::Value> operands;
  int64_t blocks = 0, threads = 1;
};

/// Merges kernels. Those of one track have one block each and run one after another. Constants
/// among the operands become part of the kernel. Equal kernels of a module are shared.
MergedKernel mergeKernels(llvm::ArrayRef<llvm::SmallVector<KernelCall>> tracks,
                          mlir::gpu::GPUModuleOp module);

} // namespace ds::gpu

#endif // DS_LIB_CONVERSION_GPU_MERGEDKERNEL_H
