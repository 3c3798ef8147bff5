//===- Compile.cpp - Programs and references from modules -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Compile.h"
#include "RandomShardings.h"

#include "ds/Analysis/Marks.h"
#include "ds/Analysis/PlacementAnalysis.h"
#include "ds/Analysis/Rewrite/LocalReference.h"
#include "ds/Analysis/Rewrite/PerturbRounding.h"
#include "ds/Analysis/StepRoles.h"
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

Distributed finish(OwningOpRef<ModuleOp> module, FirstError &error) {
  if (succeeded(runPasses(*module, "ds-data-parallel")))
    return {std::move(module), false, ""};
  return {
      {}, isRefusal(error.text), error.text.empty() ? "a pass failed without a word" : error.text};
}

CompileOptions compileOptions(Effort effort) {
  CompileOptions options;
  options.targetCpu = targetCpu();
  options.effort = effort;
  return options;
}

/// What was compiled; of a failure the message.
template <typename Result> Result take(llvm::Expected<Result> compiled, Distributed &step) {
  if (compiled)
    return std::move(*compiled);
  step.message = llvm::toString(compiled.takeError());
  return Result();
}

} // namespace

void setTargetCpu(const std::string &name) { targetCpu() = name; }

Distributed distribute(ModuleOp program, const Config &config, int64_t numRanks) {
  OwningOpRef<ModuleOp> module(program.clone());
  FirstError error(program.getContext());
  Config settings = config;
  llvm::cantFail(settings.set("device_num", numRanks));
  setConfig(*module, settings);
  return finish(std::move(module), error);
}

Distributed makeReference(ModuleOp marked, const Config &config, int64_t numRanks) {
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
      return {{}, true, error.text};
  }
  eraseMarks(*module);
  Config alone = config;
  llvm::cantFail(alone.reset("mesh"));
  llvm::cantFail(alone.set("parallel_mode", std::string("stand_alone")));
  llvm::cantFail(alone.set("device_num", int64_t(1)));
  setConfig(*module, alone);
  return finish(std::move(module), error);
}

FieldStep compileOverField(Distributed &step, const ExactOptions &exact) {
  if (!step.module)
    return {};
  // LLVM leaves its kernels as they are: most of a seed's time is theirs.
  return take(ds::compileOverField(*step.module, exact, compileOptions(Effort::Quick)), step);
}

std::unique_ptr<CompiledStep> compileFloats(Distributed &step, Effort effort, bool perturbed) {
  if (!step.module)
    return nullptr;
  if (perturbed)
    perturbRounding(getStep(*step.module, ""));
  return take(CompiledStep::compile(*step.module, compileOptions(effort)), step);
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
