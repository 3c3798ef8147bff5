//===- StartReport.cpp - The report before the first step -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Program/Execute.h"

#include "ds/Dialect/IR/Precision.h"
#include "ds/Run/Program/Program.h"
#include "ds/Run/Ranks/World.h"
#include "ds/Run/Report/BucketReport.h"
#include "ds/Run/Train/Moves.h"
#include "ds/Support/Memory.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"

#include <cstdlib>
#include <map>

namespace ds {

ReportStyle styleOf(const RunOptions &options) {
  if (options.json)
    return ReportStyle::json;
  if (options.progress != ProgressForm::automatic)
    return options.progress == ProgressForm::bar ? ReportStyle::terminal : ReportStyle::lines;
  const char *terminal = std::getenv("TERM");
  if (terminal && llvm::StringRef(terminal) == "dumb") // it cannot overwrite a line
    return ReportStyle::lines;
  // Launchers give ranks terminals of their own, and write their output to a log.
  int32_t rank = 0, size = 1;
  bool displayed = llvm::sys::Process::StandardOutIsDisplayed();
  return displayed && !dsrt_launched(&rank, &size) ? ReportStyle::terminal : ReportStyle::lines;
}

/// Returns the bytes that a rank holds, by purpose. Buckets lie in the scratch memory, because
/// gradients are computed in the memory that they are sent from.
static llvm::json::Object memoryByHolder(const CompiledStep &step) {
  std::map<llvm::StringRef, int64_t> bytes;
  for (const ArgumentSpec &argument : step.manifest().arguments) {
    llvm::StringRef holder = argument.role == ArgumentRole::parameter ? "parameters"
                             : argument.role == ArgumentRole::state   ? "states"
                             : argument.role == ArgumentRole::batch   ? "samples"
                                                                      : "other arguments";
    bytes[holder] += elementCount(argument.shape) * byteSize(argument.type);
  }
  for (const ResultSpec &result : step.manifest().results)
    if (!result.updates)
      bytes["results"] += elementCount(result.shape) * byteSize(result.type);
  bytes["scratch memory and buckets"] = static_cast<int64_t>(step.arenaBytes());
  llvm::json::Object holders;
  for (const auto &[holder, size] : bytes)
    holders[holder] = size;
  return llvm::json::Object{{"bytes", std::move(holders)}};
}

void reportMove(Report &report, const Moves &moves, const World &world, int64_t step,
                ReportStyle style) {
  report.speak(style);
  const int64_t processes = world.numProcesses();
  std::string line = std::to_string(processes) +
                     (processes == 1 ? " process holds" : " processes hold") + " the " +
                     std::to_string(world.numRanks()) + " ranks, which go on after step " +
                     std::to_string(step);
  if (moves.values.isEmpty())
    line += step > 0 ? ", that of the newest checkpoint: no later values are left"
                     : ", from the start: no later values are left";
  if (moves.values.lostStep() >= 0)
    line += ", those after step " + std::to_string(moves.values.lostStep()) +
            " were on processes that ended at once";
  if (!moves.why.empty())
    line += " (" + moves.why + ")";
  report.fact("moved", line, llvm::json::Object{{"processes", processes}, {"step", step}});
}

void logCollectives(Report &report, const Program &program) {
  auto collectives = llvm::json::parse(program.collectives());
  if (collectives && collectives->getAsObject())
    report.logOnly("collectives", *collectives->getAsObject());
  else
    llvm::consumeError(collectives.takeError());
}

int showSettings(Report &report, const Program &program, int64_t numRanks, bool givesRanks) {
  Settings settings = program.settings(numRanks, givesRanks     ? "--ranks"
                                                 : numRanks > 1 ? "the launcher"
                                                                : "default");
  report.fact("config", describeSettings(settings),
              llvm::json::Object{{"keys", settingsObject(settings)}});
  return 0;
}

void reportStart(Report &report, const Program &program, const CompiledStep &step,
                 const World &world, const BatchFacts &facts, int64_t numRanks) {
  const Manifest &manifest = step.manifest();
  const Config &config = program.config();
  std::string line = describeRun(manifest, facts, numRanks);
  report.fact("start", line,
              llvm::json::Object{{"in_force", line},
                                 {"ranks", numRanks},
                                 {"samples_per_step", facts.rowsPerStep}});
  if (std::string device = step.describeDevice(); !device.empty()) {
    llvm::json::Object fields{{"device", device}};
    if (std::optional<bool> registered = world.registersMemory()) {
      device += *registered ? ", registered with NCCL" : ", not registered with NCCL";
      fields["registered"] = *registered;
    }
    report.fact("device", device, std::move(fields));
  }
  if (roundsFactors(config))
    report.fact("precision", kRoundsFactors.str(), llvm::json::Object{{"factors", "bf16"}});
  if (const std::optional<PlanFigures> &plan = manifest.plan)
    report.fact("plan", describePlan(manifest, step.memoryBytes()),
                planToJson(*plan, step.memoryBytes()));
  if (const std::optional<BucketFigures> &plan = manifest.bucketPlan)
    report.fact("buckets", describeBuckets(*plan), bucketsToJson(*plan));
  report.logOnly("memory", memoryByHolder(step));
  bool byOptimizer = config.enableParallelOptimizer();
  if (CarriedBytes bytes = carriedBytes(manifest, numRanks); bytes.held < bytes.whole)
    report.fact(byOptimizer ? "parallel_optimizer" : "sharded",
                std::string(byOptimizer ? "parallel optimizer" : "sharded") + ": each rank holds " +
                    bytesToString(bytes.held) + " of parameters and states, of " +
                    bytesToString(bytes.whole),
                llvm::json::Object{{"bytes", bytes.held}, {"bytes_global", bytes.whole}});
  if (std::string staging = world.describeStaging(); !staging.empty() && program.isOnHost()) {
    if (std::optional<int64_t> largest = config.largestMessage())
      staging += llvm::formatv("; buckets hold {0} MiB at most", *largest >> 20);
    report.fact("backend", staging, llvm::json::Object{{"staging", staging}});
  }
}

} // namespace ds
