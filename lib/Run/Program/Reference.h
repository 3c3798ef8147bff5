//===- Reference.h - The step on one device that ranks are compared with --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_PROGRAM_REFERENCE_H
#define DS_RUN_PROGRAM_REFERENCE_H

#include "ds/Dialect/IR/Config.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace ds {

/// Ranks that have samples of their own: all, or those of a mesh's first axis.
int64_t replicasOf(const Config &config, int64_t numRanks);

/// The configuration of the same step on one device.
Config oneDeviceConfig(Config config);

/// In `local` one device runs the step cut at its gradients, with the rows of all ranks. `module`
/// has the configuration of `numRanks`; `run` takes it through a pipeline. Nothing else is changed.
mlir::LogicalResult
cutForOneDevice(mlir::ModuleOp module, const Config &config, int64_t numRanks,
                llvm::StringRef entry,
                llvm::function_ref<mlir::LogicalResult(mlir::ModuleOp, const std::string &)> run);

} // namespace ds

#endif // DS_RUN_PROGRAM_REFERENCE_H
