//===- Plugin.cpp - ds for a stock mlir-opt ---------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ds/Compiler/Registration.h"
#include "ds/Support/Version.h"

#include "mlir/Config/mlir-config.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "ds", DS_VERSION_STRING,
          [](mlir::DialectRegistry *registry) { ds::registerDsDialect(*registry); }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "ds", DS_VERSION_STRING, [] { ds::registerPasses(); }};
}
