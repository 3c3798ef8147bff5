//===- Passes.cpp - The passes in MLIR's C API ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds-c/mlir/Passes.h"

#include "ds/Compiler/Pipelines.h"
#include "ds/Compiler/Registration.h"
#include "ds/Conversion/Collectives/Passes.h"
#include "ds/Conversion/Passes.h"
#include "ds/Transforms/Passes.h"

#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;
using namespace ds;

extern "C" {
#include "ds/Conversion/Collectives/Passes.capi.cpp.inc"
#include "ds/Conversion/Passes.capi.cpp.inc"
#include "ds/Transforms/Passes.capi.cpp.inc"

void mlirRegisterDsPasses(void) { registerPasses(); }

void mlirDsAddDataParallelPipeline(MlirOpPassManager manager, MlirStringRef config,
                                   MlirStringRef entry) {
  DataParallelOptions options;
  options.config = unwrap(config).str();
  options.entry = unwrap(entry).str();
  buildDataParallelPipeline(*unwrap(manager), options);
}
} // extern "C"
