//===- Pipeline.cpp - ds's pipeline as a part of nn's -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ds distributes the operations of nn as they are, because they are easier to divide before they
// are loops; then they are lowered in the shapes of one rank.
//
//===----------------------------------------------------------------------===//
#include "nn/Nn.h"

#include "ds/Compiler/Pipelines.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

void nn::buildDistributePipeline(mlir::OpPassManager &manager, const DistributeOptions &options) {
  ds::DataParallelOptions dataParallel;
  dataParallel.config = "batch=" + options.batch + ",device_num=" + std::to_string(options.ranks);
  ds::buildDataParallelPipeline(manager, dataParallel);
  manager.addPass(createLowerPass());
}

void nn::registerPasses() {
  mlir::registerPass(createLowerPass);
  mlir::PassPipelineRegistration<DistributeOptions>(
      "nn-distribute", "Distribute a step of nn over ranks with ds, and lower it",
      buildDistributePipeline);
}
