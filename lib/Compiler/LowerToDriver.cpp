//===- LowerToDriver.cpp - The order of the lowering ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order matters. Transposes are folded before kernels are fused, or the update of a weight
// would read its gradient by columns. Destinations are set on tensors, where bufferization proves
// that writing in place is sound. There is no CSE between ds-split-empty-tensors and
// one-shot-bufferize.
//
//===----------------------------------------------------------------------===//
#include "ds/Compiler/Pipelines.h"
#include "ds/Compiler/RoundFactors.h"
#include "ds/Conversion/BlockAttention.h"
#include "ds/Conversion/Passes.h"
#include "ds/Conversion/Precision/Passes.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void ds::buildRoundFactorsPipeline(OpPassManager &pm, bool narrow) {
  pm.addPass(createCheckSizesPass());
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {})); // the passes below simplify
  pm.addPass(createSymbolDCEPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  OpPassManager &func = pm.nest<func::FuncOp>();
  func.addPass(createConvertElementwiseToLinalgPass());
  func.addPass(createLinalgGeneralizeNamedOpsPass());
  func.addPass(createRoundFactorsPass({narrow}));
}

void ds::buildPrepareTensorsPipeline(OpPassManager &pm, Lowering how) {
  const bool optimize = how.optimize;
  buildRoundFactorsPipeline(pm, /*narrow=*/optimize && how.forGpu);
  OpPassManager &func = pm.nest<func::FuncOp>();
  if (optimize) {
    func.addPass(createTightenWindowsPass());
    func.addPass(createLinalgFoldUnitExtentDimsPass());
    func.addPass(createExpandWindowsPass());
    func.addPass(createCanonicalizerPass());
    func.addPass(createCSEPass());
  }
  func.addPass(createWidenAccumulatorsPass({/*narrowFactors=*/optimize && how.forGpu}));
  if (optimize) {
    func.addPass(createFoldContractionsPass({/*resultsFirst=*/how.forGpu}));
    if (!how.forGpu)
      func.addPass(createBlockAttentionPass());
    func.addPass(createMergeContractionsPass());
    if (how.forGpu)
      func.addPass(createStartProductsPass());
    func.addPass(createChannelsLastPass({/*narrow=*/how.forGpu}));
    func.addPass(createFuseKernelsPass());
    func.addPass(createCanonicalizerPass());
    func.addPass(createMergeKernelsPass());
    func.addPass(createFuseSiblingsPass());
    func.addPass(createUnrollWindowsPass());
  }
  func.addPass(createOverlapPass()); // no later pass moves operations
  func.addPass(createStoreBooleanConstantsPass());
  func.addPass(createCutAliasesPass());
  func.addPass(createSetDestinationsPass());
}

/// Bytes of temporaries that do not share memory: less than the cache of a large GPU, and little of
/// its memory.
static constexpr int64_t apartOnGpu = int64_t(32) << 20;

void ds::buildBufferizeToDriverPipeline(OpPassManager &pm, Lowering how) {
  const bool optimize = how.optimize;
  pm.addNestedPass<func::FuncOp>(createSplitEmptyTensorsPass());
  pm.addNestedPass<func::FuncOp>(createReturnBuffersPass());
  if (optimize)
    pm.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  options.unknownTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  options.bufferAlignment = 64;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  OpPassManager &func = pm.nest<func::FuncOp>();
  func.addPass(createDropResultsPass());
  func.addPass(createCanonicalizerPass());
  func.addPass(createCSEPass());
  func.addPass(createNormalizeKernelsPass());
  func.addPass(createCanonicalizerPass());
  func.addPass(createShareReplicasPass());
  pm.addPass(createVerifyInFlightPass());
  pm.addPass(createConvertDsToRuntimePass());
  if (optimize)
    pm.addPass(createCallLibraryPass({/*epilogues=*/how.forGpu}));
  pm.addPass(createOutlineKernelsPass());
  pm.addNestedPass<func::FuncOp>(createPlanArenaPass({/*apart=*/how.forGpu ? apartOnGpu : 0}));
  pm.addPass(createVerifyInFlightPass());
  pm.addPass(createInsertProgressPass());
}

void ds::buildLowerToDriverPipeline(OpPassManager &pm, const LowerToDriverOptions &options) {
  Lowering how;
  how.forGpu = options.gpu;
  buildPrepareTensorsPipeline(pm, how);
  buildBufferizeToDriverPipeline(pm, how);
}
