//===- Compile.cpp - Programs and references from modules -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Compile.h"
#include "RandomShardings.h"

#include "ds/Analysis/LocalReference.h"
#include "ds/Analysis/Marks.h"
#include "ds/Analysis/PerturbRounding.h"
#include "ds/Analysis/ReductionPlan.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Fuzz/Differential.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace ds::fuzz {
namespace {

std::string &targetCpu() {
  static std::string name = kNativeCpu;
  return name;
}

/// Keeps the first error.
class FirstError {
public:
  explicit FirstError(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error && text.empty())
            text = StringRef(diagnostic.str()).split('\n').first.str();
          return success();
        }) {}
  std::string text;

private:
  ScopedDiagnosticHandler handler;
};

LogicalResult runPasses(ModuleOp module, StringRef pipeline) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  if (failed(parsePassPipeline(pipeline, manager, llvm::errs())))
    return module.emitError() << "the pipeline '" << pipeline << "' is not known";
  return manager.run(module);
}

/// Whether ds says, in one of the ways that docs/Testing.md lists, that it cannot distribute a
/// step. Anything else, such as a verifier's complaint in the middle of the pipeline, is a mistake
/// of ds.
bool isRefusal(StringRef text) {
  static constexpr StringLiteral known[] = {
      "cannot divide the batch over ",
      "cannot divide the step over the ",
      "cannot follow the samples of a rank here: ",
  };
  return llvm::any_of(known, [&](StringRef start) { return text.starts_with(start); });
}

Compiled finish(ModuleOp module, FirstError &error, Effort effort, bool perturbed = false) {
  Compiled result;
  if (failed(runPasses(module, "ds-data-parallel"))) {
    result.refused = isRefusal(error.text);
    result.message = error.text.empty() ? "a pass failed without a word" : error.text;
    return result;
  }
  if (perturbed)
    perturbRounding(getStep(module, ""));
  module.walk([&](AllReduceOp op) {
    result.bucketsActivations |= op.getZone() == Zone::Activation && op->getNumOperands() > 1;
  });
  CompileOptions options;
  options.targetCpu = targetCpu();
  options.effort = effort;
  auto compiled = CompiledStep::compile(module, options);
  if (compiled)
    result.step = std::move(*compiled);
  else
    result.message = llvm::toString(compiled.takeError());
  return result;
}

} // namespace

void setTargetCpu(const std::string &name) { targetCpu() = name; }

Compiled compileProgram(ModuleOp program, const Config &config, int64_t numRanks, Effort effort) {
  OwningOpRef<ModuleOp> module(program.clone());
  FirstError error(program.getContext());
  Config settings = config;
  llvm::cantFail(settings.set("device_num", numRanks));
  setConfig(*module, settings);
  return finish(*module, error, effort);
}

Compiled compileReference(ModuleOp marked, const Config &config, int64_t numRanks, bool perturbed) {
  OwningOpRef<ModuleOp> module(marked.clone());
  FirstError error(marked.getContext());
  eraseShardings(*module);
  if (config.batch() == BatchSemantics::Local) {
    Config settings = config;
    llvm::cantFail(settings.reset("mesh")); // it divides what one replica computes
    llvm::cantFail(settings.set("device_num", numRanks));
    setConfig(*module, settings);
    if (failed(runPasses(*module, "ds-detect-gradients")) ||
        failed(buildLocalReference(*module, numRanks)))
      return {nullptr, true, error.text};
  }
  eraseMarks(*module);
  Config alone = config;
  llvm::cantFail(alone.reset("mesh"));
  llvm::cantFail(alone.set("parallel_mode", std::string("stand_alone")));
  llvm::cantFail(alone.set("device_num", int64_t(1)));
  setConfig(*module, alone);
  return finish(*module, error, Effort::None, perturbed);
}

OwningOpRef<ModuleOp> makeProgram(ModuleOp marked, StringRef variant) {
  OwningOpRef<ModuleOp> program(marked.clone());
  FirstError error(marked.getContext()); // not for people
  eraseMarks(*program);
  if (!variant.empty() && failed(runPasses(*program, variant)))
    return {};
  return program;
}

} // namespace ds::fuzz
