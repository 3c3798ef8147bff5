//===- Passes.h - The passes of ds in MLIR's C API ----------------*- C -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The included headers declare for each pass mlirCreateDs<Group><Name>Pass and
// mlirRegisterDs<Group><Name>Pass, as those of upstream do.
//
//===----------------------------------------------------------------------===//
#ifndef DS_C_MLIR_PASSES_H
#define DS_C_MLIR_PASSES_H

#include "ds/Conversion/Collectives/Passes.capi.h.inc"
#include "ds/Conversion/Passes.capi.h.inc"
#include "ds/Transforms/Passes.capi.h.inc"

#include "mlir-c/Pass.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Registers every pass and pipeline of ds, for mlirParsePassPipeline, as mlirRegisterAllPasses
/// does those of upstream. Later calls have no effect.
MLIR_CAPI_EXPORTED void mlirRegisterDsPasses(void);

/// Adds the passes that turn a step for one device into the step of one of n ranks: `config` are
/// keys as of mlirDsConfigAttrGet, `entry` is the step, or empty for the only public function.
MLIR_CAPI_EXPORTED void mlirDsAddDataParallelPipeline(MlirOpPassManager manager,
                                                      MlirStringRef config, MlirStringRef entry);

#ifdef __cplusplus
}
#endif

#endif // DS_C_MLIR_PASSES_H
