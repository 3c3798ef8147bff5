//===- OneDevice.h - The same step on one device ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_COMPILER_ONEDEVICE_H
#define DS_COMPILER_ONEDEVICE_H

#include "ds/Compiler/RunPasses.h"
#include "ds/Dialect/IR/Config.h"

namespace ds {

/// Returns the number of ranks along the first axis of the mesh, which shards the batch.
int64_t replicasOf(const Config &config, int64_t numRanks);

/// Returns the configuration of the same step on one device, without the keys that distribute it.
Config oneDeviceConfig(Config config);

/// In `local`, one device computes the step cut at its gradients, on the rows of all `replicas`; in
/// `global`, the step itself, unchanged. The module carries the configuration of the ranks.
llvm::LogicalResult cutForOneDevice(mlir::ModuleOp module, const Config &config, int64_t replicas,
                                    llvm::StringRef entry, Verify verify);

/// Gives the step on one device an argument that moves rounded values (PerturbRounding.h). Factors
/// that `precision` rounds are moved by units of the type that they are rounded to.
void perturbForOneDevice(mlir::ModuleOp module, const Config &config, llvm::StringRef entry);

} // namespace ds

#endif // DS_COMPILER_ONEDEVICE_H
