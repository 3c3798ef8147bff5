//===- Replay.cpp - A recording run on n ranks ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All ranks gather every result, because gathering is collective; rank 0 compares and prints one
// line per result.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Replay.h"

#include "ds/Data/Npy.h"
#include "ds/Run/Interrupt.h"
#include "ds/Run/Rank.h"

#include "llvm/Support/FormatVariadic.h"

namespace ds {

using llvm::Error;
using llvm::Expected;

static llvm::json::Value jsonNumber(double value) {
  return std::isfinite(value) ? llvm::json::Value(value) : llvm::json::Value("infinite");
}

namespace {
class ReplayLoop {
public:
  ReplayLoop(const ReplayRun &run, int64_t rank, dsrt_context *context)
      : run(run), manifest(run.step.manifest()),
        rank(run.step, rank, run.world.numRanks(), context), isRoot(rank == 0) {}

  Error play() {
    for (size_t number = 1; number <= run.recording.size(); ++number)
      if (Error error = playStep(number, run.recording[number - 1]))
        return error;
    if (isRoot && !run.dump.empty())
      return writeNpz(run.dump, dumped);
    return Error::success();
  }

  const Difference &worst() const { return total; }
  int64_t compared() const { return count; }

private:
  Error playStep(int64_t number, const RecordedStep &step) {
    for (const auto &[slot, array] : step.arguments) {
      ArgumentRole role = manifest.arguments[slot].role;
      // Later steps take their parameters and states from the step before, whatever else was
      // recorded.
      if (number == 1 || (role != ArgumentRole::parameter && role != ArgumentRole::state))
        rank.setWhole(slot, array);
    }
    if (Error error = rank.run())
      return error;
    StopRequest stop;
    auto values = run.metrics.exchange(rank.context(), stop,
                                       [&](unsigned slot) { return rank.instance().result(slot); });
    if (!values)
      return values.takeError();
    std::map<unsigned, Array> metrics;
    if (!manifest.global)
      metrics = metricArrays(manifest, *values);
    for (unsigned slot = 0; slot < manifest.results.size(); ++slot) {
      auto result = rank.gather(slot);
      if (!result)
        return result.takeError();
      if (auto combined = metrics.find(slot); combined != metrics.end())
        result = combined->second;
      if (!isRoot)
        continue;
      if (auto recorded = step.results.find(slot); recorded != step.results.end())
        compare(number, slot, *result, recorded->second);
      if (!run.dump.empty())
        dumped["step" + std::to_string(number) + "_res" + std::to_string(slot)] =
            std::move(*result);
    }
    return Error::success();
  }

  void compare(int64_t number, unsigned slot, const Array &got, const Array &recorded) {
    const std::string &name = manifest.results[slot].name;
    Difference difference = compareArrays(name, got, recorded, run.tolerance);
    total.include(difference);
    ++count;
    run.report.fact("result",
                    llvm::formatv("step {0}  {1,-48}  largest error {2:e2}  {3:f3} of the "
                                  "tolerance{4}",
                                  number, name, difference.absolute, difference.scaled,
                                  difference.acceptable() ? "" : "  DIFFERENT")
                        .str(),
                    llvm::json::Object{{"step", number},
                                       {"result", slot},
                                       {"name", name},
                                       {"error", jsonNumber(difference.absolute)},
                                       {"scaled", jsonNumber(difference.scaled)}});
  }

  const ReplayRun &run;
  const Manifest &manifest;
  Rank rank;
  bool isRoot;
  Difference total;
  int64_t count = 0;
  NamedArrays dumped;
};
} // namespace

Expected<bool> replay(const ReplayRun &run) {
  bool equal = true;
  Error error = run.world.run([&](int64_t rank, dsrt_context *context) -> Error {
    ReplayLoop loop(run, rank, context);
    if (Error error = loop.play())
      return error;
    if (rank != 0)
      return Error::success();
    const Difference &worst = loop.worst();
    equal = worst.acceptable();
    std::string text = llvm::formatv("replay: {0} steps, {1} results on {2} {3}",
                                     run.recording.size(), loop.compared(), run.world.numRanks(),
                                     run.world.numRanks() == 1 ? "rank" : "ranks");
    if (loop.compared())
      text +=
          llvm::formatv(": largest error {0:e2}, worst '{1}' at {2:f3} of the tolerance: {3}",
                        worst.absolute, worst.name, worst.scaled, equal ? "equal" : "DIFFERENT");
    run.report.fact("replay", text,
                    llvm::json::Object{{"steps", int64_t(run.recording.size())},
                                       {"results", loop.compared()},
                                       {"ranks", run.world.numRanks()},
                                       {"worst", worst.name},
                                       {"error", jsonNumber(worst.absolute)},
                                       {"scaled", jsonNumber(worst.scaled)},
                                       {"equal", equal}});
    return Error::success();
  });
  if (error)
    return error;
  return equal;
}

} // namespace ds
