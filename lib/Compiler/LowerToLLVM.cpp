//===- LowerToLLVM.cpp - Kernels and drivers to the LLVM dialect -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions become arithmetic, and reductions say that they have no order, while kernels are linalg
// operations: loops no longer tell which sum is whose. bf16 and f16 stay what they are: the code
// generator takes them apart for its target.
//
//===----------------------------------------------------------------------===//
#include "ds/Compiler/Pipelines.h"
#include "ds/Conversion/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void ds::buildToLLVMPipeline(OpPassManager &pm, bool optimize) {
  pm.addPass(createExpandMathPass());
  OpPassManager &func = pm.nest<func::FuncOp>();
  func.addPass(createRelaxReductionsPass());
  func.addPass(createLowerKernelsPass());
  func.addPass(arith::createArithExpandOpsPass());
  // On the module: a canonicalizer that starts for each kernel costs more than what it does there.
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  if (optimize) // LLVM vectorises half of the loops only behind it
    pm.addPass(createCanonicalizerPass());
}
