//===- Diagnosis.cpp - Whether a difference is rounding, and where it starts --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank 0 does the sampling; the others ask after each sample whether it is still at it, so nobody
// waits longer than for one step. Samples are taken until they explain everything: a range only
// grows. A difference that is none costs a few steps, a real one `mostSamples` times the steps.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Diagnosis.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstring>

namespace ds {

using llvm::Error;
using llvm::Expected;

namespace {
/// Where a difference starts.
struct Start {
  int64_t step;
  std::string value;  // "the gradient of 'w'"
  std::string seenIn; // the result that shows it, if it is another one
  RoundingCheck check;
};
} // namespace

static Array viewResult(StepInstance &instance, const ResultSpec &result, unsigned slot) {
  Array array;
  array.type = toDataType(result.type);
  array.shape = result.shape;
  array.data = static_cast<const uint8_t *>(instance.result(slot));
  return array;
}

/// Whether it is time to judge after this sample; the first, number 0, moves nothing. Judging costs
/// as much as a step of a small model.
static bool isJudged(int sample) { return sample > 0 && sample % fewestSamples == 0; }

static bool updates(const Manifest &manifest, unsigned slot) {
  return manifest.results[slot].updates.has_value();
}

/// The perturbed one-device step.
struct Diagnosis::Samples {
  Samples(GradientStep compiled)
      : program(std::move(compiled)), manifest(program.step->manifest()),
        rank(*program.step, 0, 1, nullptr) {}

  void run(int32_t number) {
    memcpy(rank.instance().argument(manifest.arguments.size() - 1), &number, sizeof(number));
    llvm::cantFail(rank.run()); // it has no collectives
  }
  Array result(unsigned slot) { return viewResult(rank.instance(), manifest.results[slot], slot); }
  const ReturnedGradients &gradients() const { return program.gradients; }

  GradientStep program;
  const Manifest &manifest;
  Rank rank;
};

/// What one rank does in a diagnosis.
struct Diagnosis::Walk {
  Diagnosis &diagnosis;
  int64_t rank;
  dsrt_context *context;
  llvm::ArrayRef<Observation> observations;
  const Feed &feed;
  const Any &any;
  std::optional<Samples> samples; // of rank 0
  std::set<int64_t> steps;        // with differing results
  std::optional<Start> start;
  Verdict verdict;

  bool isRoot() const { return rank == 0; }
  /// The result that is the gradient behind the new value of a parameter.
  std::optional<unsigned> gradientOfParameter(unsigned slot) const;

  /// The others wait while rank 0 calls `more`, which returns false when it is done.
  Error whileRootWorks(llvm::function_ref<bool()> more) {
    for (;;) {
      auto working = any(isRoot() && more());
      if (!working || !*working)
        return working.takeError();
    }
  }

  Error explainResults();
  Error compareGradients(const GradientStep &step);
  Error compareGradients(int64_t number, const GradientStep &step, Rank &ranks,
                         const std::map<unsigned, Array> &before);
  void findStart(const std::vector<bool> &wrong, llvm::ArrayRef<RoundingCheck> checks);
  void conclude();
};

std::optional<unsigned> Diagnosis::Walk::gradientOfParameter(unsigned slot) const {
  auto updated = samples->manifest.results[slot].updates;
  bool isParameter =
      updated && samples->manifest.arguments[*updated].role == ArgumentRole::parameter;
  return isParameter ? samples->gradients().gradientOf[slot] : std::nullopt;
}

/// Free runs of the one-device step from the recorded start, against the results of all steps.
Error Diagnosis::Walk::explainResults() {
  struct Gradient {
    Array value;
    Spread spread;
  };
  std::map<std::pair<int64_t, unsigned>, Gradient> gradients; // by step and result
  for (const Observation &seen : observations)
    if (auto gradient = gradientOfParameter(seen.slot))
      gradients[{seen.step, *gradient}];
  std::vector<Spread> spreads(observations.size());
  std::vector<Explanation> explanations(observations.size());
  std::vector<RoundingCheck> checks(observations.size());
  std::vector<bool> wrong;
  int sample = 0;
  auto more = [&] {
    for (int64_t number = 1; number <= *steps.rbegin(); ++number) {
      feed(samples->rank, number);
      samples->run(sample);
      for (auto [i, seen] : llvm::enumerate(observations))
        if (seen.step == number)
          spreads[i].include(samples->result(seen.slot));
      for (auto &[where, gradient] : gradients) {
        if (where.first != number)
          continue;
        Array value = samples->result(where.second);
        gradient.spread.include(value);
        if (sample == 0)
          gradient.value = Array::copy(value.type, value.shape, value.data);
      }
    }
    if (!isJudged(sample++))
      return true;
    wrong.assign(observations.size(), false);
    for (auto [i, seen] : llvm::enumerate(observations)) {
      if (auto gradient = gradientOfParameter(seen.slot)) {
        const Gradient &its = gradients[{seen.step, *gradient}];
        spreads[i].leaveSignsOpen(its.value, its.spread);
      }
      explanations[i] = explain(seen.got, seen.expected, spreads[i], diagnosis.tolerance);
      checks[i] = checkRounding(seen.got, seen.expected, spreads[i], diagnosis.tolerance.rtol);
      wrong[i] = explanations[i].unexplained > 0 ||
                 (updates(samples->manifest, seen.slot) && !checks[i].acceptable());
    }
    return sample <= mostSamples && llvm::is_contained(wrong, true);
  };
  if (Error error = whileRootWorks(more))
    return error;
  if (!isRoot())
    return Error::success();
  for (auto [i, seen] : llvm::enumerate(observations))
    if (explanations[i].beyond && !wrong[i])
      verdict.explained[{seen.step, seen.slot}] = explanations[i];
  findStart(wrong, checks);
  return Error::success();
}

/// Of the first step with wrong results the one whose value, or whose gradient, is ready first.
void Diagnosis::Walk::findStart(const std::vector<bool> &wrong,
                                llvm::ArrayRef<RoundingCheck> checks) {
  const ReturnedGradients &gradients = samples->gradients();
  auto readyAt = [&](unsigned slot) {
    return llvm::find(gradients.readiness, gradients.gradientOf[slot].value_or(slot)) -
           gradients.readiness.begin();
  };
  std::optional<size_t> first;
  for (auto [i, seen] : llvm::enumerate(observations)) {
    if (!wrong[i])
      continue;
    if (!first || std::pair(seen.step, readyAt(seen.slot)) <
                      std::pair(observations[*first].step, readyAt(observations[*first].slot)))
      first = i;
  }
  if (!first)
    return;
  const Observation &seen = observations[*first];
  const std::string &name = samples->manifest.results[seen.slot].name;
  if (auto gradient = gradients.gradientOf[seen.slot])
    start =
        Start{seen.step,
              "the gradient of '" + gradients.parameters[*gradient - gradients.ownResults] + "'",
              name, checks[*first]};
  else
    start = Start{seen.step, "'" + name + "'", "", checks[*first]};
}

/// The ranks' steps again, with their gradients.
Error Diagnosis::Walk::compareGradients(const GradientStep &step) {
  Rank ranks(*step.step, rank, diagnosis.numRanks, context);
  const Manifest &manifest = step.step->manifest();
  bool found = false;
  for (int64_t number = 1;; ++number) {
    auto goesOn = any(isRoot() && !found && number <= *steps.rbegin());
    if (!goesOn || !*goesOn)
      return goesOn.takeError();
    feed(ranks, number);
    if (Error error = ranks.collect())
      return error;
    std::map<unsigned, Array> before;
    if (isRoot() && steps.count(number))
      for (unsigned slot = 0; slot < manifest.arguments.size(); ++slot)
        if (manifest.arguments[slot].isCarried()) {
          Array value = ranks.whole(slot);
          before[slot] = Array::copy(value.type, value.shape, value.data);
        }
    if (Error error = ranks.run())
      return error;
    auto compares = any(isRoot() && steps.count(number));
    if (!compares)
      return compares.takeError();
    if (*compares)
      if (Error error = compareGradients(number, step, ranks, before))
        return error;
    found = start && start->seenIn.empty();
  }
}

/// One step from equal inputs.
Error Diagnosis::Walk::compareGradients(int64_t number, const GradientStep &step, Rank &ranks,
                                        const std::map<unsigned, Array> &before) {
  const ReturnedGradients &gradients = step.gradients;
  size_t count = gradients.parameters.size();
  std::vector<Spread> spreads(count);
  std::vector<Array> expected(count);
  std::vector<RoundingCheck> checks(count);
  int sample = 0;
  auto more = [&] {
    feed(samples->rank, number);
    for (const auto &[slot, array] : before)
      samples->rank.setWhole(slot, array);
    samples->run(sample);
    for (size_t i = 0; i < count; ++i) {
      Array result = samples->result(gradients.ownResults + i);
      spreads[i].include(result);
      if (sample == 0)
        expected[i] = Array::copy(result.type, result.shape, result.data);
    }
    if (!isJudged(sample++))
      return true;
    for (size_t i = 0; i < count; ++i) {
      unsigned slot = gradients.ownResults + i;
      checks[i] =
          checkRounding(viewResult(ranks.instance(), step.step->manifest().results[slot], slot),
                        expected[i], spreads[i], diagnosis.tolerance.rtol);
    }
    bool isWrong =
        llvm::any_of(checks, [](const RoundingCheck &check) { return !check.acceptable(); });
    return sample <= mostSamples && isWrong;
  };
  if (Error error = whileRootWorks(more))
    return error;
  if (!isRoot())
    return Error::success();
  for (unsigned slot : gradients.readiness) {
    if (slot < gradients.ownResults || checks[slot - gradients.ownResults].acceptable())
      continue;
    // Seen by itself: better than what results let suspect.
    if (!start || number <= start->step)
      start = Start{number,
                    "the gradient of '" + gradients.parameters[slot - gradients.ownResults] + "'",
                    "", checks[slot - gradients.ownResults]};
    break;
  }
  return Error::success();
}

void Diagnosis::Walk::conclude() {
  using llvm::formatv;
  verdict.equal = !start;
  if (start) {
    const RoundingCheck &check = start->check;
    verdict.reason = formatv(", from {0} of step {1} on: ", start->value, start->step);
    if (!start->seenIn.empty())
      verdict.reason += formatv("'{0}' is ", start->seenIn);
    verdict.reason += formatv("{0:e6}, expected {1:e6}, which rounding moves by {2:e1}", check.got,
                              check.expected, check.moves);
    verdict.json["starts"] = llvm::json::Object{{"step", start->step}, {"value", start->value}};
    return;
  }
  std::set<unsigned> slots;
  const Explanation *worst = nullptr;
  unsigned worstSlot = 0;
  for (const auto &[where, explanation] : verdict.explained) {
    slots.insert(where.second);
    if (!worst || explanation.difference > worst->difference) {
      worst = &explanation;
      worstSlot = where.second;
    }
  }
  if (!worst)
    return;
  const std::string &name = samples->manifest.results[worstSlot].name;
  bool one = worst->beyond == 1, alone = slots.size() == 1;
  std::string others =
      alone ? std::string()
            : formatv(" and {0} other result{1}", slots.size() - 1, slots.size() == 2 ? "" : "s");
  verdict.reason =
      formatv(" within its conditioning: {0} value{1} of '{2}'{3} move{4} by up to {5:e2} when "
              "rounding changes by one ulp (difference {6:e2})",
              worst->beyond, one ? "" : "s", name, others, one && alone ? "s" : "", worst->moves,
              worst->difference);
  verdict.json["conditioning"] = llvm::json::Object{{"worst", name},
                                                    {"results", int64_t(slots.size())},
                                                    {"moves", worst->moves},
                                                    {"difference", worst->difference}};
}

Expected<const GradientStep *> Diagnosis::gradientStep() {
  std::lock_guard<std::mutex> lock(compiling);
  if (!ranksStep && refused.empty()) {
    auto compiled = compileRanks();
    if (compiled)
      ranksStep = std::move(*compiled);
    else
      refused = llvm::toString(compiled.takeError());
  }
  if (!ranksStep)
    return llvm::createStringError(llvm::inconvertibleErrorCode(), refused);
  return &*ranksStep;
}

Expected<Verdict> Diagnosis::run(int64_t rank, dsrt_context *context,
                                 llvm::ArrayRef<Observation> observations, const Feed &feed,
                                 const Any &any) {
  Walk walk{*this, rank, context, observations, feed, any, {}, {}, {}, {}};
  std::string problem;
  if (walk.isRoot()) {
    for (const Observation &seen : observations)
      walk.steps.insert(seen.step);
    std::lock_guard<std::mutex> lock(compiling);
    auto compiled = compileReference();
    if (compiled)
      walk.samples.emplace(std::move(*compiled));
    else
      problem = llvm::toString(compiled.takeError());
  }
  const GradientStep *step = nullptr;
  if (numRanks > 1) {
    auto compiled = gradientStep();
    if (compiled)
      step = *compiled;
    else
      problem = llvm::toString(compiled.takeError());
  }
  auto stuck = any(!problem.empty());
  if (!stuck)
    return stuck.takeError();
  if (*stuck) {
    walk.verdict.equal = false;
    if (walk.isRoot())
      walk.verdict.reason = " (rounding cannot be told apart: " + problem + ")";
    return std::move(walk.verdict);
  }
  if (Error error = walk.explainResults())
    return error;
  if (step)
    if (Error error = walk.compareGradients(*step))
      return error;
  if (walk.isRoot())
    walk.conclude();
  return std::move(walk.verdict);
}

} // namespace ds
