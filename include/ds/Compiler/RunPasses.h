//===- RunPasses.h - Passes in their order, run on a module -----*- C++ -*-===//
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

/// Behind each pass the verifier takes three quarters of the instructions.
enum class Verify { never, atEnd, behindEachPass };

/// Runs what `build` adds. A crash names the pass that was running.
llvm::LogicalResult runPasses(mlir::ModuleOp module, Verify verify,
                              llvm::function_ref<void(mlir::OpPassManager &)> build,
                              const std::function<void(mlir::PassManager &)> &instrument = {});

/// The passes of `ds-data-parallel`, by the configuration that the module carries. `entry` is the
/// step, the module's only public function if empty.
llvm::LogicalResult distribute(mlir::ModuleOp module, llvm::StringRef entry, Verify verify);
/// Those of them before a step is sharded.
llvm::LogicalResult prepareSharding(mlir::ModuleOp module, llvm::StringRef entry, Verify verify);
/// Those that find the gradients of a step as it was written.
llvm::LogicalResult findGradients(mlir::ModuleOp module, llvm::StringRef entry, Verify verify);
/// Those that a function without updates needs, which runs on one device.
llvm::LogicalResult prepareFunction(mlir::ModuleOp module, llvm::StringRef entry, Verify verify);

} // namespace ds

#endif // DS_COMPILER_RUNPASSES_H
