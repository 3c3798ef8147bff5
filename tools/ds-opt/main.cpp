//===- main.cpp - ds-opt: mlir-opt with the ds dialect ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ds/Pipelines/Registration.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  ds::registerDialects(registry);
  mlir::registerAllPasses();
  ds::registerPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "ds optimizer: steps for one device, made steps for n ranks\n", registry));
}
