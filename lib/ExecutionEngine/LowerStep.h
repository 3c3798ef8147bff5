//===- LowerStep.h - From a step on tensors to the LLVM dialect -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_EXECUTIONENGINE_LOWERSTEP_H
#define DS_LIB_EXECUTIONENGINE_LOWERSTEP_H

#include "ds/ExecutionEngine/CompiledStep.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace ds {

/// Runs one stage, timed and dumped.
class Stages {
public:
  Stages(const CompileOptions &options, mlir::ModuleOp module, std::vector<StageTime> &times)
      : options(options), module(module), times(times) {}

  llvm::LogicalResult run(llvm::StringRef name, llvm::function_ref<llvm::LogicalResult()> body);

private:
  const CompileOptions &options;
  mlir::ModuleOp module;
  std::vector<StageTime> &times;
};

/// Lowers the step to modules in the LLVM dialect: the driver first, then its kernels in up to
/// `numParts` parts. Fills `executable` with what a running step needs besides its code.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> lowerStep(mlir::ModuleOp module,
                                                            const CompileOptions &options,
                                                            unsigned numParts, Stages &stages,
                                                            Executable &executable);

} // namespace ds

#endif // DS_LIB_EXECUTIONENGINE_LOWERSTEP_H
