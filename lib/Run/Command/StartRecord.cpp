//===- StartRecord.cpp - What a run of ds-run depends on --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Settings of the user come before their consequences: a key that differs makes another step, and
// the key is the part that the user can change.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Command/StartRecord.h"

#include "ds/Data/DataSpec.h"
#include "ds/Run/Feed/Inputs.h"
#include "ds/Run/Feed/OutOfRange.h"
#include "ds/Run/Ranks/Machine.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace ds {

static std::string textOf(const std::optional<int64_t> &number) {
  return number ? std::to_string(*number) : "not given";
}

static std::string textOf(const std::optional<LastBatch> &lastBatch) {
  return lastBatch ? textOf(*lastBatch) : "not given";
}

/// Returns the digits that distinguish every double from its neighbours.
static std::string exact(double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.17g", number);
  return text;
}

/// Records how numbers of files become those of the step; the files themselves may differ between
/// ranks.
static void addDataOptions(const RunOptions &options, StartRecord &record) {
  auto spec = specOfRank(options.data, 0, 1);
  auto sources = spec ? parseDataSpec(*spec) : spec.takeError();
  if (!sources) {
    llvm::consumeError(sources.takeError()); // reported by the code that loads them
    return;
  }
  for (const DataSource &source : *sources)
    record.emplace_back("the scale of --data " + source.argument,
                        source.scale ? exact(source.scale->numerator) + "/" +
                                           exact(source.scale->denominator)
                                     : "not given");
}

StartRecord describeStart(const RunOptions &options, const Program &program,
                          const Manifest &manifest) {
  StartRecord record;
  auto add = [&](std::string name, std::string value) {
    record.emplace_back(std::move(name), std::move(value));
  };
  addMachine(options.targetCpu, record);
  add("what is run", !options.replay.empty() ? "a recording"
                     : options.data.empty()  ? "an evaluation"
                                             : "a training");
  const Config config = program.settings(manifest.numRanks, "").config;
  for (llvm::StringRef key : configKeys()) {
    if (key == "global_rank" || key == "shard_id") // differs between ranks
      continue;
    std::optional<ConfigValue> value = llvm::cantFail(config.get(key));
    add("the key '" + key.str() + "'", value ? toText(*value) : "not set");
  }
  for (const auto &[name, value] : options.arguments)
    add("--arg " + name, exact(value));
  for (const auto &[name, schedule] : options.schedules)
    add("the schedule of --arg " + name, schedule.written());
  addDataOptions(options, record);
  add("--seed", std::to_string(options.seed));
  add("--epochs", textOf(options.epochs));
  add("--steps", textOf(options.steps));
  add("--last-batch", textOf(options.lastBatch));
  add("--check", options.exact.isAsked ? "exact" : textOf(options.checkSteps));
  add("--check-replicas", textOf(options.checkReplicas));
  add("--on-nan", options.onNan == OnNan::stop ? "stop" : "warn");
  add("--on-index", textOf(options.onIndex));
  add("--shares", options.shares == Shares::automatic ? "auto"
                  : options.shares == Shares::on      ? "on"
                                                      : "off");
  if (options.shares == Shares::on)
    add("--save-every", textOf(options.saveEvery) + (options.saveEveryEpochs ? " epochs" : ""));
  add("--dump-results", options.dumpResults.empty() ? "not given" : "given");
  add("--early-stopping", options.earlyStopping.metric.empty() ? "not given" : "given");
  add("--eval", options.eval.empty() ? "not given"
                : !options.evalEvery ? "after each epoch"
                : options.evalEveryEpochs
                    ? "every " + std::to_string(*options.evalEvery) + " epochs"
                    : "every " + std::to_string(*options.evalEvery) + " steps");
  add("the plan of buckets",
      manifest.bucketPlan ? "one with hash " + manifest.bucketPlan->hash : "not there");
  add("the step", "one with hash " + program.stepHash());
  return record;
}

} // namespace ds
