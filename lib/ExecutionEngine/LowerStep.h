//===- LowerStep.h - From a step on tensors to the LLVM dialect -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_EXECUTIONENGINE_LOWERSTEP_H
#define DS_LIB_EXECUTIONENGINE_LOWERSTEP_H

#include "StepImpl.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"

namespace ds {

/// Keeps the first error as one sentence; remarks and warnings go on to whoever else listens.
class FirstError {
public:
  explicit FirstError(mlir::MLIRContext *context)
      : handler(context, [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
            return mlir::failure();
          if (text.empty()) {
            llvm::raw_string_ostream stream(text);
            if (auto at = diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>())
              stream << at.getFilename().getValue() << ":" << at.getLine() << ":" << at.getColumn()
                     << ": error: ";
            stream << diagnostic;
          }
          return mlir::success();
        }) {}

  llvm::Error take(const llvm::Twine &otherwise) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   text.empty() ? otherwise : llvm::Twine(text));
  }

private:
  std::string text;
  mlir::ScopedDiagnosticHandler handler;
};

/// Runs one stage, timed and dumped.
class Stages {
public:
  Stages(CompiledStep::Impl &impl, const CompileOptions &options, mlir::ModuleOp module)
      : impl(impl), options(options), module(module) {}

  llvm::LogicalResult run(llvm::StringRef name, llvm::function_ref<llvm::LogicalResult()> body);

private:
  void dump(llvm::StringRef name);

  CompiledStep::Impl &impl;
  const CompileOptions &options;
  mlir::ModuleOp module;
};

/// Lowers the step to modules in the LLVM dialect: the driver first, then its kernels in up to
/// `numParts` parts. Fills `impl` with what a running step needs besides its code.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> lowerStep(mlir::ModuleOp module,
                                                            const CompileOptions &options,
                                                            unsigned numParts,
                                                            CompiledStep::Impl &impl);

} // namespace ds

#endif // DS_LIB_EXECUTIONENGINE_LOWERSTEP_H
