//===- Replay.cpp - A recording run on n ranks ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All ranks gather every result, because gathering is collective; rank 0 compares and prints one
// line per result. An element beyond the tolerance is compared with the effect of rounding on it:
// rank 0 runs the step on one device again, with other rounding errors each time, until they
// explain the difference or the number of samples is reached.
//
// A later step starts from the rounded results of the step before. Divisions in optimizers and
// decisions of ReLUs increase the difference from step to step, until no range of samples covers
// it. So if a later step differs, the second run starts each step from the recorded results of the
// step before.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Train/Replay.h"

#include "ds/Data/Convert.h"
#include "ds/Data/Npy.h"
#include "ds/Run/Ranks/RunTimes.h"
#include "ds/Run/Report/Rounding.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstring>

namespace ds {

using llvm::Error;
using llvm::Expected;

static llvm::json::Value jsonNumber(double value) {
  return std::isfinite(value) ? llvm::json::Value(value) : llvm::json::Value("infinite");
}

static const char *ending(size_t count) { return count == 1 ? "" : "s"; }

namespace {
/// A recorded result, in a step with results beyond the tolerance.
struct Observation {
  int64_t step; // from 1
  unsigned slot;
  Array got, expected;
  Spread spread = {};
  Explanation found = {};
};

/// The last line of the report.
struct LastLine {
  std::string text;
  llvm::json::Object object;
};

class ReplayLoop {
public:
  ReplayLoop(const ReplayRun &run, int64_t rank, dsrt_context *context,
             std::shared_ptr<SharedMemory> shared)
      : run(run), manifest(run.step.manifest()),
        rank(run.step, rank, run.world.numRanks(), context, std::move(shared)), isRoot(rank == 0) {}

  Error play() {
    if (Error error = playSteps())
      return error;
    if (Error error = judge())
      return error;
    if (!isRoot)
      return Error::success();
    for (const Line &line : llvm::ArrayRef(lines).drop_front(told))
      tell(line);
    summarise();
    return run.dump.empty() ? Error::success() : writeNpz(run.dump, dumped);
  }

  bool equal() const { return isEqual; }
  void give(RunTimes &times) { times.take(rank); }
  LastLine takeLastLine() { return std::move(lastLine); }

private:
  /// The comparison of one result of a step.
  struct Line {
    int64_t number;
    unsigned slot;
    Difference difference;
  };

  /// Returns, for each step, the recorded results that the next one starts from, by argument; empty
  /// if any is missing.
  std::vector<std::map<unsigned, Array>> recordedStarts() const {
    std::vector<std::map<unsigned, Array>> starts;
    for (const RecordedStep &step : llvm::ArrayRef(run.recording).drop_back()) {
      auto &values = starts.emplace_back();
      for (auto [slot, result] : llvm::enumerate(manifest.results)) {
        if (!result.updates)
          continue;
        auto recorded = step.results.find(slot);
        if (recorded == step.results.end())
          return {};
        auto value = convertArray(recorded->second, manifest.arguments[*result.updates].type);
        if (!value) {
          llvm::consumeError(value.takeError());
          return {};
        }
        values[*result.updates] = std::move(*value);
      }
    }
    return starts;
  }

  void feed(Rank &to, int64_t number) const {
    if (number > 1 && !starts.empty())
      for (const auto &[slot, array] : starts[number - 2])
        to.setWhole(slot, array);
    for (const auto &[slot, array] : run.recording[number - 1].arguments)
      // Later steps take parameters and states from the step before, even if others are recorded.
      if (number == 1 || !manifest.arguments[slot].isCarried())
        to.setWhole(slot, array);
  }

  Error playSteps() {
    lines.clear();
    observations.clear();
    total = {};
    for (size_t number = 1; number <= run.recording.size(); ++number)
      if (Error error = playStep(number, run.recording[number - 1]))
        return error;
    return Error::success();
  }

  Error playStep(int64_t number, const RecordedStep &step) {
    // Ranks that still compare the step before may read the memory that is written now.
    dsrt_barrier(rank.context(), DSRT_WORLD);
    feed(rank, number);
    if (Error error = rank.run())
      return error;
    StopRequest stop;
    auto values = run.metrics.exchange(
        rank.context(), stop, [&](unsigned slot) { return rank.instance().readResult(slot); });
    if (!values)
      return values.takeError();
    std::map<unsigned, Array> metrics;
    if (!manifest.global)
      metrics = metricArrays(manifest, *values);
    std::vector<Observation> seen;
    bool differs = false;
    for (unsigned slot = 0; slot < manifest.results.size(); ++slot) {
      auto result = rank.gather(slot);
      if (!result)
        return result.takeError();
      if (auto combined = metrics.find(slot); combined != metrics.end())
        result = combined->second;
      if (!isRoot)
        continue;
      if (auto recorded = step.results.find(slot); recorded != step.results.end()) {
        differs |= !compare(number, slot, *result, recorded->second);
        seen.push_back({number, slot, *result, recorded->second});
      }
      if (!run.dump.empty() && starts.empty())
        dumped["step" + std::to_string(number) + "_res" + std::to_string(slot)] =
            std::move(*result);
    }
    if (differs)
      llvm::append_range(observations, seen);
    return Error::success();
  }

  /// Compares a result. Lines are reported at once, up to the first that needs the second run.
  bool compare(int64_t number, unsigned slot, const Array &got, const Array &recorded) {
    Line line{number, slot,
              compareArrays(manifest.results[slot].name, got, recorded, run.tolerance)};
    total.include(line.difference);
    if (starts.empty() && told == lines.size() && line.difference.acceptable()) {
      tell(line);
      ++told;
    }
    lines.push_back(line);
    return line.difference.acceptable();
  }

  void tell(const Line &line) {
    const auto &[number, slot, difference] = line;
    llvm::json::Object object{{"step", number},
                              {"result", slot},
                              {"name", difference.name},
                              {"error", jsonNumber(difference.absolute)},
                              {"scaled", jsonNumber(difference.scaled)}};
    std::string note;
    auto seen = llvm::find_if(observations, [&](const Observation &each) {
      return each.step == number && each.slot == slot;
    });
    if (!difference.acceptable() && seen != observations.end() && seen->found.beyond > 0 &&
        seen->found.unexplained == 0) {
      note = llvm::formatv("  rounding moves it by {0:e2}", seen->found.moves);
      object["moves"] = jsonNumber(seen->found.moves);
    } else if (!difference.acceptable()) {
      note = "  DIFFERENT";
    }
    run.report.fact("result",
                    llvm::formatv("step {0}  {1,-48}  largest error {2:e2}  {3:f3} of the "
                                  "tolerance{4}",
                                  number, difference.name, difference.absolute, difference.scaled,
                                  note)
                        .str(),
                    std::move(object));
  }

  /// Returns whether `mine` is true on any rank. Collective.
  Expected<bool> any(bool mine) {
    return run.metrics.any(rank.context(), mine,
                           [&](unsigned slot) { return rank.instance().readResult(slot); });
  }

  /// Runs all ranks again if a later step differs; rank 0 alone then searches for the cause.
  Error judge() {
    auto differsLater = any(!observations.empty() && observations.back().step > 1);
    if (!differsLater)
      return differsLater.takeError();
    if (*differsLater) {
      starts = recordedStarts();
      if (Error error = starts.empty() ? Error::success() : playSteps())
        return error;
    }
    return observations.empty() ? Error::success() : explainByRounding();
  }

  Error explainByRounding() {
    auto compiled = run.perturbed();
    if (!compiled)
      return compiled.takeError();
    Rank sampled(**compiled, 0, 1, nullptr);
    unsigned last = (*compiled)->manifest().arguments.size() - 1; // the number of the sample
    bool isExplained = false;
    for (int32_t sample = 0; sample <= mostSamples && !isExplained; ++sample) {
      isExplained = true;
      for (int64_t number = 1; number <= observations.back().step; ++number) {
        feed(sampled, number);
        sampled.instance().write(last,
                                 [&](char *bytes) { std::memcpy(bytes, &sample, sizeof sample); });
        llvm::cantFail(sampled.run()); // no collective can fail
        for (Observation &seen : observations)
          if (seen.step == number)
            isExplained &= include(seen, sampled.instance().readResult(seen.slot));
      }
    }
    auto wrong = llvm::find_if(observations,
                               [](const Observation &seen) { return seen.found.unexplained > 0; });
    isEqual = wrong == observations.end();
    reason = isEqual ? describeRounding() : describeError(*wrong);
    return Error::success();
  }

  /// Adds a sample. True if rounding explains this result, by the samples so far.
  bool include(Observation &seen, HostView result) {
    seen.spread.include(Array::view(seen.got.type, seen.got.shape, std::move(result)));
    seen.found = explain(seen.got, seen.expected, seen.spread, run.tolerance);
    return seen.found.unexplained == 0;
  }

  std::string describeRounding() const {
    const Observation *worst = nullptr;
    for (const Observation &seen : observations)
      if (seen.found.beyond && (!worst || seen.found.moves > worst->found.moves))
        worst = &seen;
    return llvm::formatv(" but for rounding, which moves {0} value{1} of '{2}' by up to {3:e2}",
                         worst->found.beyond, ending(worst->found.beyond),
                         manifest.results[worst->slot].name, worst->found.moves);
  }

  std::string describeError(const Observation &seen) const {
    return llvm::formatv(", '{0}' of step {1} is {2:e6}, expected {3:e6}, which rounding moves by "
                         "{4:e1}",
                         manifest.results[seen.slot].name, seen.step, seen.found.got,
                         seen.found.expected, seen.found.moves);
  }

  void summarise() {
    std::string text = llvm::formatv(
        "replay: {0} step{1}{2}, {3} result{4} on {5} rank{6}", run.recording.size(),
        ending(run.recording.size()), starts.empty() ? "" : ", each from recorded values",
        lines.size(), ending(lines.size()), run.world.numRanks(), ending(run.world.numRanks()));
    if (!lines.empty())
      text += llvm::formatv(
          ": largest error {0:e2}, worst '{1}' at {2:f3} of the tolerance: {3}{4}", total.absolute,
          total.name, total.scaled, isEqual ? "equal" : "DIFFERENT", reason);
    llvm::json::Object object{{"steps", int64_t(run.recording.size())},
                              {"from_recorded", !starts.empty()},
                              {"results", int64_t(lines.size())},
                              {"ranks", run.world.numRanks()},
                              {"worst", total.name},
                              {"error", jsonNumber(total.absolute)},
                              {"scaled", jsonNumber(total.scaled)},
                              {"equal", isEqual}};
    lastLine = {std::move(text), std::move(object)};
  }

  const ReplayRun &run;
  const Manifest &manifest;
  Rank rank;
  bool isRoot;
  Difference total;
  LastLine lastLine;
  std::vector<Line> lines; // one for each result
  size_t told = 0;         // reported lines, before the first that needs the second run
  std::vector<Observation> observations;         // in steps with differing results
  std::vector<std::map<unsigned, Array>> starts; // in the second run, of all steps but the first
  bool isEqual = true;
  std::string reason; // at the end of the last line
  NamedArrays dumped;
};
} // namespace

Expected<bool> replay(const ReplayRun &run) {
  bool equal = true;
  LastLine lastLine;
  RunTimes times(run.world);
  std::shared_ptr<SharedMemory> shared = run.step.makeShared();
  Error error = run.world.run([&](int64_t rank, dsrt_context *context) -> Error {
    ReplayLoop loop(run, rank, context, shared);
    if (Error error = loop.play())
      return error;
    if (rank == 0) {
      equal = loop.equal();
      lastLine = loop.takeLastLine();
    }
    loop.give(times);
    return Error::success();
  });
  if (error)
    return error;
  if (Error error = times.tell(run.report, run.step.manifest(), /*profile=*/""))
    return error;
  // Reported last, because readers of the report take the outcome from its last line.
  if (run.world.hasRoot())
    run.report.fact("replay", lastLine.text, std::move(lastLine.object));
  return equal;
}

} // namespace ds
