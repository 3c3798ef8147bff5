//===- Main.cpp - ds-plan as a function -----------------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The step goes through the passes with which ds-run compiles it. Values of `--explain` are
// searched again over the mesh that was chosen.
//
//===----------------------------------------------------------------------===//
#include "ds/Preview/Preview.h"

#include "AskedValues.h"

#include "ds/Compiler/RunPasses.h"
#include "ds/Preview/StepPreview.h"
#include "ds/Run/Program/Program.h"
#include "ds/Run/Ranks/Batch.h"
#include "ds/Run/Report/Report.h"
#include "ds/Support/Escape.h"
#include "ds/Support/File.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace ds {

/// Loads the program with the configuration in force. The default mode is a search, unless the
/// module or the user chooses another.
static Expected<std::unique_ptr<Program>> load(const PlanOptions &options) {
  std::vector<std::string> given = options.config;
  if (!options.mesh.empty())
    given.push_back("mesh=[" + options.mesh + "]");
  auto program = Program::load(options.step, options.entry, given);
  bool saysMode =
      program ? (*program)->config().isSet("parallel_mode")
              : llvm::any_of(given, [](StringRef text) { return text.contains("parallel_mode"); });
  if (saysMode || !options.exact.verify.empty()) // a certificate determines the mode
    return program;
  given.push_back("parallel_mode=auto_parallel");
  auto searched = Program::load(options.step, options.entry, given);
  // Some keys are valid in this mode only, so an error without it may not be one.
  if (program || searched) {
    llvm::consumeError(program.takeError());
    return searched;
  }
  llvm::consumeError(searched.takeError());
  return program;
}

static Error explain(Program &program, const PlanOptions &options, int64_t ranks,
                     StepPreview &preview) {
  std::vector<ExplainedValue> values;
  auto find = [&](mlir::ModuleOp module) -> Error {
    if (Error error =
            findAsked(module, options.entry, options.step, options.explain).moveInto(values))
      return error;
    return Error::success();
  };
  auto search = [&](mlir::ModuleOp module) -> Error {
    auto found = explainShardings(module, options.entry, meshKey(preview.manifest),
                                  preview.heldByte, values);
    if (failed(found))
      return userError(""); // a pass has reported why
    for (auto [number, asked] : llvm::enumerate(options.explain)) {
      auto &[name, ways] = preview.explained.emplace_back();
      name = asked;
      for (ValueOverAxis &value : *found)
        if (value.value == number)
          ways.push_back(std::move(value));
    }
    return Error::success();
  };
  Config settings;
  if (const std::optional<PlanFigures> &plan = preview.manifest.plan;
      plan && plan->optimizerLevel > 0) {
    llvm::cantFail(settings.set("enable_parallel_optimizer", true));
    llvm::cantFail(settings.set("optimizer_level", "level" + std::to_string(plan->optimizerLevel)));
  }
  return program.transform(ranks, settings, prepareSharding, find, search);
}

Expected<StepPreview> previewProgram(Program &program, const PlanOptions &options, int64_t ranks) {
  std::optional<StepPreview> found;
  auto check = [&](mlir::ModuleOp module) -> Error { // before a search, which takes its time
    return findAsked(module, options.entry, options.step, options.explain).takeError();
  };
  auto read = [&](mlir::ModuleOp module) -> Error {
    auto made = readPreview(module, options.entry);
    if (failed(made))
      return userError("");
    found = std::move(*made);
    return Error::success();
  };
  if (Error error = program.transform(ranks, {}, distribute, check, read))
    return error;
  if (!options.explain.empty()) {
    if (!found->manifest.plan)
      return userError("--explain shows the costs that a search has compared, expected "
                       "parallel_mode=auto_parallel and two ranks or more");
    if (Error error = explain(program, options, ranks, *found))
      return error;
  }
  if (options.exact.isAsked) {
    if (Error error =
            checkExactly(program, ranks, /*seed=*/0, options.exact).moveInto(found->check))
      return error;
  }
  return std::move(*found);
}

static Expected<StepPreview> preview(const PlanOptions &options) {
  auto program = load(options);
  if (!program)
    return program.takeError();
  auto ranks = resolveRanks((*program)->config(), options.ranks, std::nullopt);
  if (!ranks)
    return ranks.takeError();
  if (!options.ranks && !(*program)->config().deviceNum())
    return userError("the number of ranks is missing: give --ranks N or --mesh dp=2,tp=4");
  auto found = previewProgram(**program, options, *ranks);
  if (!found)
    return found;
  for (const std::string &warning : (*program)->takeWarnings())
    llvm::errs() << oneLine(warning) << "\n";
  return found;
}

static std::string toText(const StepPreview &preview) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  printPreview(stream, preview);
  return printable(text);
}

std::string toJsonText(const StepPreview &preview) {
  llvm::json::Object object = toJson(preview);
  object["text"] = toText(preview);
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(object)));
}

int planMain(const std::vector<std::string> &arguments) {
  auto options = parsePlanOptions(arguments);
  Expected<StepPreview> found =
      options ? preview(*options) : Expected<StepPreview>(options.takeError());
  if (!found)
    return answerWithError("ds-plan", found.takeError(),
                           options ? options->json : llvm::is_contained(arguments, "--json"));
  if (!options->json) {
    llvm::outs() << toText(*found);
    return 0;
  }
  llvm::outs() << toJsonText(*found);
  return 0;
}

} // namespace ds
