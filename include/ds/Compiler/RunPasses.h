//===- RunPasses.h - Runs passes in order on a module -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_COMPILER_RUNPASSES_H
#define DS_COMPILER_RUNPASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>
#include <string>

namespace mlir {
class OpPassManager;
class PassManager;
} // namespace mlir

namespace ds {

/// After each pass, the verifier would take three quarters of the instructions.
enum class Verify { never, atEnd, behindEachPass };

/// Runs the passes that `build` adds. A crash report names the running pass.
llvm::LogicalResult runPasses(mlir::ModuleOp module, Verify verify,
                              llvm::function_ref<void(mlir::OpPassManager &)> build,
                              const std::function<void(mlir::PassManager &)> &instrument = {});

/// Runs the passes of `ds-data-parallel`, by the configuration that the module carries. `entry` is
/// the step; if empty, the module's only public function.
llvm::LogicalResult distribute(mlir::ModuleOp module, llvm::StringRef entry, Verify verify);
/// Runs those before a step is sharded.
llvm::LogicalResult prepareSharding(mlir::ModuleOp module, llvm::StringRef entry, Verify verify);
/// Runs those that find the gradients of a step as it was written.
llvm::LogicalResult findGradients(mlir::ModuleOp module, llvm::StringRef entry, Verify verify);
/// Runs those for a function without updates on one device.
llvm::LogicalResult prepareFunction(mlir::ModuleOp module, llvm::StringRef entry, Verify verify);

} // namespace ds

#endif // DS_COMPILER_RUNPASSES_H
