//===- Registration.cpp - everything ds adds to a tool ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ds/Compiler/Registration.h"

#include "ds/Analysis/Rules/Rules.h"
#include "ds/Compiler/Pipelines.h"
#include "ds/Compiler/Upstream.h"
#include "ds/Conversion/BlockAttention.h"
#include "ds/Conversion/Collectives/Passes.h"
#include "ds/Conversion/Gpu/Passes.h"
#include "ds/Conversion/Passes.h"
#include "ds/Conversion/Precision/Passes.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Exact/Passes.h"
#include "ds/Transforms/Passes.h"

#include "mlir/Pass/PassRegistry.h"

void ds::registerDsDialect(mlir::DialectRegistry &registry) {
  registry.insert<DsDialect>();
  registerBufferizableOpInterfaceExternalModels(registry);
  registerPlacementModels(registry);
}

void ds::registerDialects(mlir::DialectRegistry &registry) {
  registerUpstreamDialects(registry);
  registerDsDialect(registry);
}

void ds::registerPasses() {
  // Two plugins in one tool may both call this.
  [[maybe_unused]] static const bool registered = [] {
    registerDsTransformsPasses();
    registerDsExactPasses();
    registerPipelines();
    registerDsConversionPasses();
    registerDsCollectiveConversionPasses();
    registerDsGpuConversionPasses();
    registerDsPrecisionConversionPasses();
    mlir::registerPass(createBlockAttentionPass);
    mlir::registerPass(createCutAliasesPass);
    mlir::registerPass(createMergeKernelsPass);
    mlir::registerPass(createReturnBuffersPass);
    return true;
  }();
}
