//===- LowerStep.h - From a step on tensors to the LLVM dialect -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What targets have in common. Each calls what it needs, with passes of its own before, between or
// behind.
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

/// How much is done to make a step fast.
enum class Effort {
  Full,
  Quick, ///< LLVM does not optimise kernels: they compile faster and run slower
  None,  ///< nor does ds: each operation is a kernel of its own, as a reference for the others
};

struct LoweringOptions {
  std::string entry;   // empty: the only public function
  std::string dumpDir; // numbered IR stages are written here when not empty
  Effort effort = Effort::Full;
  bool forGpu = false; // products are a GPU's library's; its target sets it
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
/// calls and its kernels. Fills `executable` with what a running step needs besides its code. Fails
/// with one located sentence.
llvm::Error lowerToDriver(mlir::ModuleOp module, const LoweringOptions &options, Stages &stages,
                          Executable &executable);

/// Reads the driver's arguments and arena again, once passes of a target have changed them.
void readDriverArguments(mlir::ModuleOp module, Executable &executable);
/// The same for what the driver calls of libraries.
void readLibraryCalls(mlir::ModuleOp module, Executable &executable);

/// Lowers driver and kernels to modules in the LLVM dialect: the driver first, then its kernels in
/// up to `numParts` parts. Takes what is in `module`.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> lowerToLLVM(mlir::ModuleOp module,
                                                              const LoweringOptions &options,
                                                              unsigned numParts, Stages &stages);

} // namespace ds

#endif // DS_COMPILER_LOWERSTEP_H
