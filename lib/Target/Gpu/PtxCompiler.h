//===- PtxCompiler.h - Kernels in the NVVM dialect to PTX -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_PTXCOMPILER_H
#define DS_LIB_TARGET_GPU_PTXCOMPILER_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace ds::gpu {

/// Returns an error that lists the chips there is code for, such as sm_90, for any other chip.
llvm::Error checkChip(llvm::StringRef chip);

/// Compiles a gpu.module of functions in the LLVM and NVVM dialects, and kernels that `addKernels`
/// adds to them. Needs no file of CUDA's.
llvm::Expected<std::string>
compileToPtx(mlir::Operation *kernels, llvm::StringRef chip,
             llvm::function_ref<void(llvm::Module &)> addKernels = nullptr);

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_PTXCOMPILER_H
