//===- LowerToNVVM.cpp - A driver's kernels for a GPU -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions become arithmetic while kernels are linalg operations, as for a CPU. Equal values are
// merged before products are fused, because fusion depends on whether a product has other readers.
//
//===----------------------------------------------------------------------===//
#include "ds/Compiler/Pipelines.h"
#include "ds/Conversion/Gpu/Passes.h"
#include "ds/Conversion/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void ds::buildMapToGpuPipeline(OpPassManager &pm) {
  ExpandMathPassOptions functions;
  functions.libm = false; // a GPU has no libm
  pm.addPass(createExpandMathPass(functions));
  pm.addPass(createPackOperandsPass());
  pm.addPass(createDeviceScalarsPass());
  pm.addPass(createCSEPass()); // one value for each view of a buffer
  pm.addPass(createChainRowsPass());
  pm.addPass(createMapKernelsPass());
  pm.addPass(createMergeLaunchesPass());
}

void ds::buildKernelsToNVVMPipeline(OpPassManager &pm, unsigned indexBits) {
  OpPassManager &kernels = pm.nest<mlir::gpu::GPUModuleOp>();
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createDeviceMathPass());
  kernels.addPass(arith::createArithExpandOpsPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createSCFToControlFlowPass());
  ConvertGpuOpsToNVVMOpsOptions options;
  options.useBarePtrCallConv = true;
  options.indexBitwidth = indexBits;
  kernels.addPass(createConvertGpuOpsToNVVMOps(options));
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
}
