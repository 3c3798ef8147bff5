//===- LowerToLLVM.cpp - Kernels and drivers to the LLVM dialect -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions become arithmetic, and reductions are declared reorderable, while kernels are linalg
// operations: in loops the sums can no longer be distinguished. bf16 and f16 stay as they are: the
// code generator expands them for its target.
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
  // On the module: starting the canonicalizer for each kernel costs more than its work there.
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  if (optimize) // only after it does LLVM vectorise half of the loops
    pm.addPass(createCanonicalizerPass());
}
