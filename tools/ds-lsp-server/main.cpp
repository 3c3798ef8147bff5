//===- main.cpp - MLIR's language server with the ds dialect --------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An editor starts it and speaks the Language Server Protocol over standard input and output.
//
//===----------------------------------------------------------------------===//
#include "ds/Compiler/Registration.h"
#include "ds/Support/Version.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  ds::registerDialects(registry);
  ds::setVersionPrinter("ds-lsp-server");
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry)) ? 1 : 0;
}
