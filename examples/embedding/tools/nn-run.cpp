//===- nn-run.cpp - Train with a step of nn ---------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ds-run, with the operations of nn in its steps.
//
//===----------------------------------------------------------------------===//
#include "nn/Nn.h"

#include "ds/Run/Command/Run.h"

#include "mlir/Pass/PassManager.h"

int main(int argc, char **argv) {
  ds::Embedding embedding;
  embedding.registerDialects = [](mlir::DialectRegistry &registry) {
    registry.insert<nn::NnDialect>();
  };
  embedding.buildLowering = [](mlir::OpPassManager &manager) {
    manager.addPass(nn::createLowerPass());
  };
  return ds::runMain({argv + 1, argv + argc}, embedding);
}
