//===- EmitStep.h - The code of a step, as text or object file --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_EXECUTIONENGINE_EMITSTEP_H
#define DS_EXECUTIONENGINE_EMITSTEP_H

#include "ds/ExecutionEngine/CompiledStep.h"

#include "llvm/Support/raw_ostream.h"

namespace ds {

enum class CodeForm { llvmIR, assembly, object };

/// Writes the code that CompiledStep::compile makes of `module`: driver and kernels, optimised for
/// `options.targetCpu`, which this machine need not be. The module is consumed. Fails with one
/// located sentence, and also where the code needs a function that no machine is sure to hold.
llvm::Error emitStep(mlir::ModuleOp module, const CompileOptions &options, CodeForm form,
                     llvm::raw_ostream &stream);

} // namespace ds

#endif // DS_EXECUTIONENGINE_EMITSTEP_H
