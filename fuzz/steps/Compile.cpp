//===- Compile.cpp - Programs and references from modules -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Compile.h"
#include "RandomShardings.h"

#include "Differential.h"
#include "ds/Analysis/Marks.h"
#include "ds/Analysis/PlacementAnalysis.h"
#include "ds/Analysis/StepRoles.h"
#include "ds/Compiler/OneDevice.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Rewrite/EraseMarks.h"
#include "ds/Rewrite/PerturbRounding.h"
#include "ds/Support/FirstError.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace ds::fuzz {

bool asksForMarks(StringRef message) {
  static constexpr StringLiteral asks[] = {
      "mark the gradient: %g = ds.gradient %dw of",
      "mark every gradient: %g = ds.gradient %dw of",
      "combine it: %c = ds.combine mean %loss",
      "mark its gradient with ds.gradient, or what decides about it with ds.combine",
  };
  return llvm::any_of(asks, [&](StringRef words) { return message.contains(words); });
}

namespace {

std::string &targetCpu() {
  static std::string name = kNativeCpu;
  return name;
}

/// Whether ds says, in one of the ways that docs/Testing.md lists, that it cannot distribute a
/// step. Anything else, such as a verifier's complaint in the middle of the pipeline, is a mistake
/// of ds.
bool isRefusal(StringRef text) {
  static constexpr StringLiteral known[] = {
      "cannot shard the batch over ",
      "cannot partition the step over the ",
      "cannot follow the samples of a rank here: ",
      "grad_accumulation_step",
      "update=delayed",
      "update=average_parameters",
  };
  return llvm::any_of(known, [&](StringRef start) { return text.starts_with(start); });
}

Distributed finish(OwningOpRef<ModuleOp> module, FirstError &error, Verify verify) {
  bool isMarked = hasMarks(getStep(*module, ""));
  if (succeeded(ds::distribute(*module, /*entry=*/"", verify)))
    return {std::move(module), false, ""};
  const std::string &text = error.message();
  return {{},
          isRefusal(text) || (!isMarked && asksForMarks(text)),
          text.empty() ? "a pass failed without a word" : text};
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

Distributed distribute(ModuleOp program, const Config &config, int64_t numRanks, Verify verify) {
  OwningOpRef<ModuleOp> module(program.clone());
  FirstError error(program.getContext(), FirstError::Others::dropped);
  Config settings = config;
  llvm::cantFail(settings.set("device_num", numRanks));
  setConfig(*module, settings);
  return finish(std::move(module), error, verify);
}

Distributed makeReference(ModuleOp marked, const Config &config, int64_t numRanks, Verify verify) {
  OwningOpRef<ModuleOp> module(marked.clone());
  FirstError error(marked.getContext(), FirstError::Others::dropped);
  eraseShardings(*module);
  if (config.batch() == BatchSemantics::Local) {
    Config settings = config;
    llvm::cantFail(settings.reset("mesh")); // it divides what one replica computes
    llvm::cantFail(settings.set("device_num", numRanks));
    setConfig(*module, settings);
    if (failed(cutForOneDevice(*module, config, numRanks, /*entry=*/"", verify)))
      return {{}, true, error.message()};
  }
  eraseMarks(*module);
  setConfig(*module, oneDeviceConfig(config));
  return finish(std::move(module), error, verify);
}

FieldStep compileOverField(Distributed &step, const ExactOptions &exact) {
  if (!step.module)
    return {};
  // LLVM leaves its kernels as they are: most of a seed's time is theirs.
  return take(ds::compileOverField(*step.module, exact, compileOptions(Effort::Quick)), step);
}

std::unique_ptr<CompiledStep> compileFloats(Distributed &step, Effort effort, bool perturbed,
                                            const std::string &target) {
  if (!step.module)
    return nullptr;
  if (perturbed)
    perturbRounding(getStep(*step.module, ""));
  CompileOptions options = compileOptions(effort);
  options.target = target;
  auto compiled = take(compileStep(*step.module, options), step);
  step.refused |= !compiled && StringRef(step.message).contains("has no code on a GPU");
  return compiled;
}

OwningOpRef<ModuleOp> makeProgram(ModuleOp marked, StringRef variant) {
  OwningOpRef<ModuleOp> program(marked.clone());
  FirstError error(marked.getContext(), FirstError::Others::dropped); // not for people
  eraseMarks(*program);
  if (variant.empty())
    return program;
  PassManager manager(program->getContext(), ModuleOp::getOperationName());
  if (failed(parsePassPipeline(variant, manager, llvm::errs())) || failed(manager.run(*program)))
    return {};
  return program;
}

} // namespace ds::fuzz
