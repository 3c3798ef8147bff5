//===- EmitStep.cpp - The code of a step, as text or object file -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same stages as those of CompiledStep, but driver and kernels become one module. What only a
// running step has (plans of the library, the runtime) stays outside, as functions that the code
// calls.
//
//===----------------------------------------------------------------------===//
#include "ds/ExecutionEngine/EmitStep.h"

#include "DriverModule.h"
#include "LowerStep.h"
#include "ObjectCompiler.h"
#include "StepImpl.h"
#include "Symbols.h"

using namespace mlir;
using namespace ds;

llvm::Error ds::emitStep(ModuleOp module, const CompileOptions &options, CodeForm form,
                         llvm::raw_ostream &stream) {
  auto target = findTargetCpu(options.targetCpu);
  if (!target)
    return target.takeError();
  Executable executable;
  std::vector<StageTime> times;
  Stages stages(options, module, times);
  auto parts = lowerStep(module, options, /*numParts=*/1, stages, executable);
  if (!parts)
    return parts.takeError();
  llvm::SmallVector<ModuleOp> modules((*parts)->getOps<ModuleOp>());
  auto complete = [&](llvm::Module &driver) {
    completeDriver(driver, executable, options.profile);
  };
  llvm::SmallString<0> code;
  llvm::raw_svector_ostream buffer(code);
  if (llvm::Error error = compileTogether(modules, *target, complete, form, buffer))
    return error;
  if (form == CodeForm::object) {
    std::vector<NamedFunction> given = runtimeFunctions();
    llvm::append_range(given, libraryFunctions());
    if (llvm::Error error = checkSymbols(llvm::MemoryBufferRef(code, "step"), given))
      return error;
  }
  stream << code;
  return llvm::Error::success();
}
