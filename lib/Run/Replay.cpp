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

static bool isCarried(const Manifest &manifest, unsigned slot) {
  ArgumentRole role = manifest.arguments[slot].role;
  return role == ArgumentRole::parameter || role == ArgumentRole::state;
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
    if (Error error = judge())
      return error;
    if (!isRoot)
      return Error::success();
    for (const Line &line : held)
      tell(line);
    summarise();
    return run.dump.empty() ? Error::success() : writeNpz(run.dump, dumped);
  }

  bool equal() const { return verdict.equal; }

private:
  /// What was found about one result of a step.
  struct Line {
    int64_t number;
    unsigned slot;
    Difference difference;
  };

  void feed(Rank &to, int64_t number) const {
    for (const auto &[slot, array] : run.recording[number - 1].arguments)
      // Later steps take their parameters and states from the step before, whatever else was
      // recorded.
      if (number == 1 || !isCarried(manifest, slot))
        to.setWhole(slot, array);
  }

  Error playStep(int64_t number, const RecordedStep &step) {
    feed(rank, number);
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
      if (!run.dump.empty())
        dumped["step" + std::to_string(number) + "_res" + std::to_string(slot)] =
            std::move(*result);
    }
    if (differs)
      llvm::append_range(observations, seen);
    return Error::success();
  }

  /// Lines are told at once, up to the first that needs a second look.
  bool compare(int64_t number, unsigned slot, const Array &got, const Array &recorded) {
    Line line{number, slot,
              compareArrays(manifest.results[slot].name, got, recorded, run.tolerance)};
    total.include(line.difference);
    ++count;
    if (held.empty() && line.difference.acceptable())
      tell(line);
    else
      held.push_back(line);
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
    if (auto found = verdict.explained.find({number, slot}); found != verdict.explained.end()) {
      note =
          llvm::formatv("  within its conditioning, which moves it by {0:e2}", found->second.moves);
      object["moves"] = jsonNumber(found->second.moves);
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

  /// Where results lie beyond the tolerance, all ranks take part in finding out why.
  Error judge() {
    Diagnosis::Any any = [&](bool mine) -> Expected<bool> {
      StopRequest request{false, mine};
      auto values = run.metrics.exchange(
          rank.context(), request, [&](unsigned slot) { return rank.instance().result(slot); });
      if (!values)
        return values.takeError();
      return request.different;
    };
    auto differs = any(!observations.empty());
    if (!differs || !*differs)
      return differs.takeError();
    auto found = run.diagnosis.run(
        rank.rank(), rank.context(), observations,
        [&](Rank &to, int64_t number) { feed(to, number); }, any);
    if (!found)
      return found.takeError();
    verdict = std::move(*found);
    return Error::success();
  }

  void summarise() {
    std::string text =
        llvm::formatv("replay: {0} steps, {1} results on {2} {3}", run.recording.size(), count,
                      run.world.numRanks(), run.world.numRanks() == 1 ? "rank" : "ranks");
    if (count)
      text += llvm::formatv(
          ": largest error {0:e2}, worst '{1}' at {2:f3} of the tolerance: {3}{4}", total.absolute,
          total.name, total.scaled, verdict.equal ? "equal" : "DIFFERENT", verdict.reason);
    llvm::json::Object object{{"steps", int64_t(run.recording.size())},
                              {"results", count},
                              {"ranks", run.world.numRanks()},
                              {"worst", total.name},
                              {"error", jsonNumber(total.absolute)},
                              {"scaled", jsonNumber(total.scaled)},
                              {"equal", verdict.equal}};
    for (auto &[key, value] : verdict.json)
      object[key] = std::move(value);
    run.report.fact("replay", text, std::move(object));
  }

  const ReplayRun &run;
  const Manifest &manifest;
  Rank rank;
  bool isRoot;
  Difference total;
  int64_t count = 0;
  std::vector<Line> held;
  std::vector<Observation> observations; // of the steps with differing results
  Verdict verdict;
  NamedArrays dumped;
};
} // namespace

Expected<bool> replay(const ReplayRun &run) {
  bool equal = true;
  Error error = run.world.run([&](int64_t rank, dsrt_context *context) -> Error {
    ReplayLoop loop(run, rank, context);
    if (Error error = loop.play())
      return error;
    if (rank == 0)
      equal = loop.equal();
    return Error::success();
  });
  if (error)
    return error;
  return equal;
}

} // namespace ds
