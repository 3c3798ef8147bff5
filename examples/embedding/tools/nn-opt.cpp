//===- nn-opt.cpp - The optimizer of the embedding compiler -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "nn/Nn.h"

#include "ds/Compiler/Registration.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  ds::registerDialects(registry); // those of upstream, too
  registry.insert<nn::NnDialect>();
  ds::registerPasses();
  nn::registerPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "nn optimizer\n", registry));
}
