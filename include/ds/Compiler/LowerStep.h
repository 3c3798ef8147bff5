//===- LowerStep.h - From a step on tensors to the LLVM dialect -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages shared by all targets. Each target calls those that it needs, with its own passes before,
// between or after them.
//
//===----------------------------------------------------------------------===//
#ifndef DS_COMPILER_LOWERSTEP_H
#define DS_COMPILER_LOWERSTEP_H

#include "ds/Step/Executable.h"
#include "ds/Support/StageTimer.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <string>
#include <vector>

namespace mlir {
class PassManager;
} // namespace mlir

namespace ds {

/// How much work is done to make a step fast.
enum class Effort {
  Full,
  Quick, ///< LLVM does not optimise kernels: they compile faster and run slower
  None,  ///< nor does ds: each operation is its own kernel, as a reference for the others
};

struct LoweringOptions {
  std::string entry;   // empty: the only public function
  std::string dumpDir; // numbered IR stages are written here when not empty
  Effort effort = Effort::Full;
  bool forGpu = false; // a GPU's library computes products; set by its target
  /// Called for every pass manager before it runs, to time or print its passes.
  std::function<void(mlir::PassManager &)> instrument;
};

/// Runs one stage, timed and dumped.
class Stages {
public:
  Stages(const LoweringOptions &options, mlir::ModuleOp module, std::vector<StageTime> &times)
      : options(options), module(module), times(times) {}

  llvm::LogicalResult run(llvm::StringRef name, llvm::function_ref<llvm::LogicalResult()> body);

private:
  const LoweringOptions &options;
  mlir::ModuleOp module;
  std::vector<StageTime> &times;
};

/// Lowers `module` (the step after the `ds-data-parallel` pipeline, on tensors) to a driver of
/// calls and its kernels. Fills `executable` with all that a running step needs besides its code.
/// Fails with one located sentence.
llvm::Error lowerToDriver(mlir::ModuleOp module, const LoweringOptions &options, Stages &stages,
                          Executable &executable);

/// Reads the driver's arguments and arena again, after passes of a target have changed them.
void readDriverArguments(mlir::ModuleOp module, Executable &executable);
/// The same for the driver's library calls.
void readLibraryCalls(mlir::ModuleOp module, Executable &executable);

/// Lowers driver and kernels to modules in the LLVM dialect: the driver first, then its kernels in
/// up to `numParts` parts. Moves the contents out of `module`.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> lowerToLLVM(mlir::ModuleOp module,
                                                              const LoweringOptions &options,
                                                              unsigned numParts, Stages &stages);

} // namespace ds

#endif // DS_COMPILER_LOWERSTEP_H
