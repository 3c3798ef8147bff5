//===- InitialInputs.cpp - The values that a training begins with *- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InitialInputs.h"

#include "ds/Data/Checksum.h"
#include "ds/Run/Ranks/Interrupt.h"
#include "ds/Run/Report/Output.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

namespace ds {

using llvm::Error;
using llvm::Twine;

static std::string initPath(const RunOptions &options,
                            const std::optional<FoundCheckpoint> &found) {
  return found ? found->path : options.init;
}

/// Checks that a checkpoint is of this step: it has the step's parameters, or --init-missing allows
/// new ones.
static Error checkShared(const RunOptions &options, const Manifest &manifest,
                         const SafetensorsFile &checkpoint, llvm::StringRef path,
                         llvm::ArrayRef<std::string> missing) {
  int64_t parameters = llvm::count_if(manifest.arguments, [](const ArgumentSpec &argument) {
    return argument.role == ArgumentRole::parameter;
  });
  if (missing.empty())
    return Error::success();
  if (int64_t(missing.size()) == parameters) {
    std::string holds;
    for (const std::string &name : checkpoint.names())
      if (holds.size() < 60)
        holds += (holds.empty() ? "'" : ", '") + name + "'";
    return userError("'" + path + "' has none of the step's parameters, such as '" +
                     missing.front() + "'; it holds " + (holds.empty() ? "nothing" : holds));
  }
  if (options.initMissing)
    return Error::success();
  return userError("'" + path + "' lacks " + Twine(missing.size()) + " of the step's " +
                   Twine(parameters) + " parameters, such as '" + missing.front() +
                   "'; --init-missing=ok initialises them");
}

/// Checks that each schedule's values fit the type of their argument.
static Error checkSchedules(const RunOptions &options, const Manifest &manifest) {
  for (const ArgumentSpec &argument : manifest.arguments) {
    auto found = options.schedules.find(argument.name);
    if (argument.role != ArgumentRole::hyperparameter || found == options.schedules.end())
      continue;
    if (found->second.interpolates() && !isFloat(toDataType(argument.type)))
      return userError("--arg " + argument.name + " goes through fractions, but '" + argument.name +
                       "' is " + toString(argument.type) + ", expected a type of floats");
    for (double value : found->second.values())
      if (auto converted = filledWith(argument, value); !converted)
        return converted.takeError();
  }
  return Error::success();
}

/// Finds the checkpoint to continue from, if there is one. Every rank searches; rank 0 prints
/// warnings.
static Error findCheckpoint(const RunOptions &options, const RanksHere &ranks, Report &report,
                            Inputs &inputs) {
  auto newest = findNewest(options.save, [&](const std::string &why) {
    if (ranks.first == 0)
      tell("ds-run: warning: " + why + "; --resume passes it over", interruptRequested);
  });
  if (!newest)
    return newest.takeError();
  inputs.found = std::move(*newest);
  if (inputs.found)
    inputs.foundMetadata = inputs.found->contents.metadata();
  else
    report.fact("note", "no checkpoint of '" + options.save + "' is there yet");
  return Error::success();
}

Error loadInitial(const RunOptions &options, const Manifest &manifest, const RanksHere &ranks,
                  bool fromRoot, Report &report, Inputs &inputs) {
  std::optional<FoundCheckpoint> &found = inputs.found;
  if (options.resume && !found && !fromRoot)
    if (Error error = findCheckpoint(options, ranks, report, inputs))
      return error;
  bool needsFile = !fromRoot || llvm::any_of(manifest.arguments, [](const ArgumentSpec &argument) {
    return argument.isCarried() && !argument.isShared();
  });
  std::optional<SafetensorsFile> checkpoint;
  std::string path = initPath(options, found);
  if (found) {
    checkpoint = found->contents;
  } else if (!options.init.empty() && needsFile) {
    auto contents = SafetensorsFile::open(options.init);
    if (!contents)
      return contents.takeError();
    if (Error error = checkSeal(*contents, options.init))
      return error;
    checkpoint = std::move(*contents);
  }
  auto values = initialValues(manifest, checkpoint ? &*checkpoint : nullptr, path, options.seed,
                              options.arguments, fromRoot);
  if (!values)
    return values.takeError();
  if (checkpoint && !fromRoot)
    if (Error error = checkShared(options, manifest, *checkpoint, path, values->notInCheckpoint))
      return error;
  if (Error error = checkSchedules(options, manifest))
    return error;
  inputs.initial = std::move(*values);
  InitialValues &initial = inputs.initial;
  if (found)
    inputs.done = initial.firstStep;
  if (!initial.notInCheckpoint.empty())
    report.fact("note", "not in '" + path +
                            "', so initialised: " + llvm::join(initial.notInCheckpoint, ", "));
  if (initial.firstStep > 0)
    report.fact("note",
                "going on from step " + std::to_string(initial.firstStep) + " of '" + path + "'");
  return Error::success();
}

} // namespace ds
