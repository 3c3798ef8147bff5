//===- main.cpp - ds-reduce: mlir-reduce with the ds dialect ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Compiler/Registration.h"
#include "ds/Support/ToolMain.h"
#include "ds/Support/Version.h"
#include "steps/ReduceStep.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  ds::registerDialects(registry);
  mlir::registerAllPasses();
  ds::registerPasses();
  ds::fuzz::registerReduceStepPass();
  ds::setVersionPrinter("ds-reduce");
  mlir::MLIRContext context(registry);
  return ds::toolMain("ds-reduce",
                      [&] { return int(failed(mlir::mlirReduceMain(argc, argv, context))); });
}
