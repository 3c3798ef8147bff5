//===- RunPasses.cpp - Runs passes in order on a module ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Compiler/RunPasses.h"

#include "ds/Compiler/Pipelines.h"
#include "ds/Support/NamePasses.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace ds {

LogicalResult runPasses(ModuleOp module, Verify verify,
                        llvm::function_ref<void(OpPassManager &)> build,
                        const std::function<void(PassManager &)> &instrument) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  namePasses(manager);
  if (instrument)
    instrument(manager);
  manager.enableVerifier(verify == Verify::behindEachPass);
  build(manager);
  if (failed(manager.run(module)))
    return failure();
  return verify == Verify::atEnd ? mlir::verify(module) : success();
}

template <typename Build>
static LogicalResult runOrder(ModuleOp module, StringRef entry, Verify verify, Build build) {
  DataParallelOptions options;
  options.entry = entry.str();
  return runPasses(module, verify, [&](OpPassManager &manager) { build(manager, options); });
}

LogicalResult distribute(ModuleOp module, StringRef entry, Verify verify) {
  return runOrder(module, entry, verify, buildDataParallelPipeline);
}

LogicalResult prepareSharding(ModuleOp module, StringRef entry, Verify verify) {
  return runOrder(module, entry, verify, buildPrepareShardingPipeline);
}

LogicalResult findGradients(ModuleOp module, StringRef entry, Verify verify) {
  return runOrder(module, entry, verify, buildDetectionPipeline);
}

LogicalResult prepareFunction(ModuleOp module, StringRef entry, Verify verify) {
  return runOrder(module, entry, verify, buildPrepareFunctionPipeline);
}

} // namespace ds
