//===- Plugin.cpp - nn for a stock mlir-opt ---------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It carries ds within itself, so that it works alone. Where ds's own plugin is loaded as well, the
// first of the two gives both their ds.
//
//===----------------------------------------------------------------------===//
#include "nn/Nn.h"

#include "ds/Compiler/Registration.h"

#include "mlir/Config/mlir-config.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "nn", "1.0", [](mlir::DialectRegistry *registry) {
            ds::registerDsDialect(*registry);
            registry->insert<nn::NnDialect>();
          }};
}

extern "C" mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "nn", "1.0", [] {
            ds::registerPasses();
            nn::registerPasses();
          }};
}
