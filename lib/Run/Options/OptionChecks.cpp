//===- OptionChecks.cpp - Options with values of their own, and together --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What needs what, and what contradicts what, is asked when all options are read.
//
//===----------------------------------------------------------------------===//
#include "OptionChecks.h"

#include "ds/Support/UserError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

namespace ds {

using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

static Error checkLink(const RunOptions &options) {
  bool ofThreads = !options.launch && llvm::is_contained({"auto", "local"}, options.backend);
  if (options.link.empty() || ofThreads)
    return Error::success();
  return userError("--link models a link between ranks that are threads, so it cannot be given "
                   "with " +
                   (options.launch ? std::string("--launch") : "--backend=" + options.backend));
}

Error checkCombinations(const RunOptions &options) {
  if (!options.probeLink.empty()) {
    if (!options.step.empty() || options.launch)
      return userError(Twine("--probe-link measures ranks without a step, so ") +
                       (options.launch ? "--launch" : "STEP.mlir") +
                       " cannot be given with it; start processes by mpirun");
    return checkLink(options);
  }
  if (options.step.empty())
    return userError("no step is given, expected ds-run STEP.mlir; 'ds-run --help' shows examples");
  if (options.printConfig)
    return Error::success();
  if (options.epochs && options.steps)
    return userError("--epochs and --steps are both given, expected one of them");
  if (!options.eval.empty() && options.evalData.empty())
    return userError("--eval needs --eval-data");
  if (options.eval.empty() && !options.evalData.empty())
    return userError("--eval-data needs --eval");
  for (auto [given, name] : {std::pair(options.saveEvery.has_value(), "--save-every"),
                             std::pair(options.resume, "--resume")}) {
    if (given && options.save.empty())
      return userError(Twine(name) + " needs --save FILE, which names the checkpoints");
    if (given && options.data.empty())
      return userError(Twine(name) + " needs --data");
  }
  if (!options.keepBest.empty() && (options.save.empty() || options.data.empty()))
    return userError("--keep-best needs --data and --save FILE, beside which FILE-best is written");
  if (options.waitAfterEpoch && (options.save.empty() || !options.epochs))
    return userError("--wait-after-epoch needs --epochs and --save FILE, which holds the values "
                     "meanwhile");
  if (options.initMissing && options.init.empty())
    return userError("--init-missing needs --init");
  if (options.json && options.progress == ProgressForm::bar)
    return userError(
        "--json reports in lines of its own, so --progress=bar cannot be given with it");
  if (options.launch && options.ranks)
    return userError("--ranks are threads of one process and --launch starts processes, expected "
                     "one of them");
  if (options.launch && options.backend == "local")
    return userError("--launch starts processes, but --backend=local runs all ranks in one; give "
                     "--ranks instead");
  if (Error error = checkLink(options))
    return error;
  if (!options.profile.empty() && options.data.empty())
    return userError("--profile needs --data: it measures steps of a training");
  if (options.maxRestarts > 0 && (!options.launch || !options.resume))
    return userError("--max-restarts needs --launch and --resume: a job that is started again goes "
                     "on from its newest generation");
  if (options.resume && options.checkSteps)
    return userError("--check compares from the first step of a training, so --resume cannot be "
                     "given with it");
  if (!options.replay.empty()) {
    for (auto [given, name] :
         {std::pair(!options.data.empty(), "--data"), std::pair(!options.init.empty(), "--init"),
          std::pair(!options.eval.empty(), "--eval"),
          std::pair(options.checkSteps || options.exact.isAsked, "--check"),
          std::pair(options.checkReplicas.has_value(), "--check-replicas"),
          std::pair(options.epochs.has_value(), "--epochs"),
          std::pair(options.steps.has_value(), "--steps")})
      if (given)
        return userError(Twine("--replay takes everything from its recording, so ") + name +
                         " cannot be given with it");
    return Error::success();
  }
  if (options.data.empty()) {
    bool evaluates = !options.eval.empty() && !options.init.empty();
    if (!evaluates && !options.exact.isAsked)
      return userError("there is nothing to run: give --data to train, --replay to compare with a "
                       "recording, or --init with --eval to evaluate");
    if (options.checkSteps || options.checkReplicas || options.epochs || options.steps)
      return userError("--check, --check-replicas, --epochs and --steps need --data");
  }
  return Error::success();
}

Error readSaveEvery(StringRef text, RunOptions &options) {
  StringRef rest = text.trim();
  int64_t count;
  bool bad = rest.consumeInteger(10, count) || count < 1 || count > int64_t(1) << 40;
  rest = rest.trim();
  if (bad || !llvm::is_contained({"", "step", "steps", "epoch", "epochs"}, rest))
    return userError("--save-every is '" + text +
                     "', expected a number of steps or epochs, such as "
                     "500steps or 1epochs");
  options.saveEvery = count;
  options.saveEveryEpochs = rest.starts_with("epoch");
  return Error::success();
}

Error addArgument(StringRef text, RunOptions &options) {
  auto [before, value] = text.split('=');
  StringRef name = before.trim();
  double number;
  bool isSchedule = value.find_first_of(",:@") != StringRef::npos;
  if (name.empty() || value.trim().empty() || (!isSchedule && value.trim().getAsDouble(number)))
    return userError("--arg is '" + text + "', expected NAME=NUMBER");
  auto schedule = Schedule::parse(name, value.trim());
  if (!schedule)
    return schedule.takeError();
  if (!options.arguments.emplace(name.str(), schedule->first()).second)
    return userError("--arg gives '" + name + "' twice");
  if (!schedule->isConstant())
    options.schedules.emplace(name.str(), *schedule);
  return Error::success();
}

Error readKeepBest(StringRef text, RunOptions &options) {
  auto [name, direction] = text.rsplit(':');
  if (!llvm::is_contained({"min", "max"}, direction)) {
    name = text;
    direction = text.contains_insensitive("accuracy") ? "max" : "min";
  }
  if (name.trim().empty())
    return userError("--keep-best is '" + text + "', expected METRIC, METRIC:min or METRIC:max");
  options.keepBest = name.trim().str();
  options.bestIsLargest = direction == "max";
  return Error::success();
}

} // namespace ds
