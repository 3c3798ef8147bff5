//===- Passes.h - From a step on tensors to a driver of calls ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes that lower one rank's step: every operation becomes a call of an outlined kernel, of a
// library contraction or of a collective, and all memory becomes one arena with static offsets.
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_PASSES_H
#define DS_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace ds {

#define GEN_PASS_DECL
#include "ds/Conversion/Passes.h.inc"

/// The step on tensors (after `ds-data-parallel`) to a driver of calls.
void buildLowerToDriverPipeline(mlir::OpPassManager &pm);
/// The same in two halves, split where the step is still on tensors. Without `optimize` every
/// operation becomes a kernel of its own: nothing is folded, fused or given to a library, so that
/// what these do can be compared with what was meant.
void buildPrepareTensorsPipeline(mlir::OpPassManager &pm, bool optimize = true);
void buildBufferizeToDriverPipeline(mlir::OpPassManager &pm, bool optimize = true);

/// A module of kernels, or of a driver and its collectives, to the LLVM dialect. Buffers travel as
/// bare pointers.
void buildKernelsToLLVMPipeline(mlir::OpPassManager &pm);
void buildDriverToLLVMPipeline(mlir::OpPassManager &pm);

/// Registers the passes above and the pipeline `ds-lower-to-driver`.
void registerConversionPipelines();

#define GEN_PASS_REGISTRATION
#include "ds/Conversion/Passes.h.inc"

} // namespace ds

#endif // DS_CONVERSION_PASSES_H
