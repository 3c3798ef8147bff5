//===- Comparison.cpp - Code beside the same step, compiled plainly --------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every step starts from what the reference holds, except in f64, where all run freely: differences
// of rounding must not grow from step to step, and in f64 they are small enough. Where something
// differs by more than its type allows, the reference runs again with other rounding errors: what
// these move as far is no finding (see Rounding.h).
//
//===----------------------------------------------------------------------===//
#include "Comparison.h"

#include "RandomData.h"
#include "code/Placements.h"

#include "ds/Data/Convert.h"
#include "ds/Run/Ranks/World.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstring>

using namespace mlir;

namespace ds::fuzz {

Allowance allowanceOf(ModuleOp module) {
  unsigned narrowest = 64;
  module.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type)))
        narrowest = std::min(narrowest, element.getWidth());
  });
  if (narrowest == 64)
    return {1e-7, 1e-11, true};
  if (narrowest == 32)
    return {1e-3, 2e-5, false};
  return {0.1, 2e-2, false};
}

namespace {

constexpr int64_t stepsPerRun = 2;

/// The element that is furthest off.
struct Gap {
  double scaled = 0; // in units of what is allowed
  double got = 0, expected = 0;
};

/// Differences count against the largest change, not the largest value: a parameter that hardly
/// moves must move rightly. `spread` tells how far rounding moves the reference, if it is known.
Gap compare(const Array &got, const Array &reference, const Array *before, const Spread *spread,
            const Allowance &allowance) {
  std::vector<double> a = toDoubles(got), b = toDoubles(reference), start;
  if (before)
    start = toDoubles(*before);
  if (a.size() != b.size())
    return {std::numeric_limits<double>::infinity()};
  Gap worst;
  double change = 0, size = 0;
  for (size_t i = 0; i < b.size(); ++i) {
    change = std::max(change, std::fabs(b[i] - (before ? start[i] : 0)));
    size = std::max(size, std::fabs(b[i]));
  }
  double allowed =
      allowance.absolute + allowance.relative * change + 1e-6 * size * (allowance.free ? 1e-7 : 1);
  bool exact = !isFloat(reference.type);
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])))
      continue;
    double difference = std::fabs(a[i] - b[i]);
    double explained = spread ? rangesApart * spread->width(i) : 0;
    double scaled = exact || !std::isfinite(difference) ? std::numeric_limits<double>::infinity()
                                                        : difference / (allowed + explained);
    if (scaled > worst.scaled)
      worst = {scaled, a[i], b[i]};
  }
  return worst;
}

std::string atStep(const std::string &name, int64_t step) {
  return name + "@" + std::to_string(step);
}

} // namespace

llvm::Error Comparison::onRanks(const CompiledStep &step, llvm::StringRef backend,
                                llvm::function_ref<llvm::Error(Rank &)> body) const {
  if (numRanks == 1 && backend == kLocalBackend) { // without collectives
    Rank rank(step, 0, 1, nullptr);
    return body(rank);
  }
  WorldOptions options;
  options.timeoutMs = 120000;
  auto world = World::create(numRanks, backend, options);
  if (!world)
    return world.takeError();
  return (*world)->run([&](int64_t number, dsrt_context *context) -> llvm::Error {
    Rank rank(step, number, numRanks, context);
    return body(rank);
  });
}

void Comparison::feed(Rank &rank, const Manifest &spec, int64_t step, size_t dropped) const {
  const Arrays &start = step == 0 ? before : own[rank.rank()].after[step - 1];
  for (auto [slot, argument] : llvm::enumerate(llvm::ArrayRef(spec.arguments).drop_back(dropped))) {
    if (argument.role == ArgumentRole::batch)
      rank.setWhole(slot, batchValue(spec, argument, rows.at(argument.name), seed, step));
    else if (argument.role != ArgumentRole::seed && (step == 0 || !allowance.free))
      rank.setWhole(slot, start.at(argument.name));
  }
  rank.writeSeeds(seed, step);
}

llvm::Expected<Comparison::Arrays> Comparison::read(Rank &rank, const Manifest &spec) const {
  Arrays found;
  for (auto [slot, argument] : llvm::enumerate(spec.arguments)) {
    if (!before.count(argument.name))
      continue;
    auto value = rank.gatherArgument(slot);
    if (!value)
      return value.takeError();
    found[argument.name] = Array::copy(value->type, value->shape, value->data);
  }
  for (auto [slot, result] : llvm::enumerate(spec.results)) {
    if (result.updates)
      continue;
    auto value = rank.gather(slot);
    if (!value)
      return value.takeError();
    found[result.name] = std::move(*value);
  }
  return found;
}

llvm::Expected<Comparison::Arrays> Comparison::runAndRead(Rank &rank, const Manifest &spec) const {
  if (llvm::Error error = rank.run())
    return error;
  return read(rank, spec);
}

llvm::Error
Comparison::runSteps(Rank &rank, const Manifest &spec,
                     llvm::function_ref<void(int64_t step, Arrays values)> visit) const {
  for (int64_t step = 0; step < stepsPerRun; ++step) {
    feed(rank, spec, step);
    auto values = runAndRead(rank, spec);
    if (!values)
      return values.takeError();
    visit(step, std::move(*values));
  }
  return llvm::Error::success();
}

llvm::Error Comparison::setReference(const CompiledStep &compiled) {
  const Manifest &spec = compiled.manifest();
  for (const ArgumentSpec &argument : spec.arguments) {
    ArgumentSpec whole = argument;
    whole.shape = wholeShape(spec, argument, numRanks);
    if (argument.role == ArgumentRole::batch)
      rows[argument.name] = whole.shape[*argument.batchDim];
    else if (argument.role != ArgumentRole::seed)
      before[argument.name] = initialValue(whole, seed);
  }
  return onRanks(compiled, kLocalBackend, [&](Rank &rank) -> llvm::Error {
    return runSteps(rank, spec, [&](int64_t, Arrays values) {
      own[rank.rank()].after.push_back(std::move(values));
    });
  });
}

llvm::Error Comparison::measureRounding(const CompiledStep &perturbed) {
  const Manifest &spec = perturbed.manifest();
  unsigned last = spec.arguments.size() - 1; // the number of the sample
  for (int32_t sample = 0; sample < mostSamples; ++sample)
    if (llvm::Error error = onRanks(perturbed, kLocalBackend, [&](Rank &rank) -> llvm::Error {
          for (int64_t step = 0; step < stepsPerRun; ++step) {
            feed(rank, spec, step, /*dropped=*/1);
            rank.instance().write(last,
                                  [&](char *bytes) { std::memcpy(bytes, &sample, sizeof sample); });
            auto values = runAndRead(rank, spec);
            if (!values)
              return values.takeError();
            for (const auto &[name, value] : *values)
              own[rank.rank()].spreads[atStep(name, step)].include(value);
          }
          return llvm::Error::success();
        }))
      return error;
  return llvm::Error::success();
}

llvm::Expected<Outcome> Comparison::runOn(Rank &rank, const Manifest &spec) const {
  const Held &reference = own[rank.rank()];
  Outcome outcome;
  llvm::Error error = runSteps(rank, spec, [&](int64_t step, Arrays values) {
    const Arrays &start = step == 0 ? before : reference.after[step - 1];
    for (const auto &[name, got] : values) {
      auto spread = reference.spreads.find(atStep(name, step));
      bool isArgument = before.count(name);
      Gap gap = compare(got, reference.after[step].at(name), isArgument ? &start.at(name) : nullptr,
                        spread == reference.spreads.end() ? nullptr : &spread->second, allowance);
      outcome.worst = std::max(outcome.worst, gap.scaled);
      if (gap.scaled > 1 && outcome.verdict == Verdict::equal)
        outcome = {Verdict::different,
                   llvm::formatv("'{0}' differs in step {1} on rank {2}: {3:e8}, expected {4:e8}; "
                                 "{5:e2} times what is allowed",
                                 name, step + 1, rank.rank(), gap.got, gap.expected, gap.scaled)
                       .str(),
                   gap.scaled};
    }
  });
  if (error)
    return std::move(error);
  return outcome;
}

llvm::Expected<Outcome> Comparison::compareBits(Rank &rank, const Manifest &spec) const {
  Outcome outcome;
  llvm::Error error = runSteps(rank, spec, [&](int64_t step, Arrays values) {
    for (const auto &[name, got] : values) {
      const Array &expected = own[rank.rank()].after[step].at(name);
      const bool same = got.type == expected.type && got.shape == expected.shape &&
                        (got.bytes() == 0 || std::memcmp(got.data, expected.data,
                                                         static_cast<size_t>(got.bytes())) == 0);
      if (!same && outcome.verdict == Verdict::equal)
        outcome = {Verdict::different,
                   llvm::formatv("'{0}' has other bits in step {1} on rank {2}", name, step + 1,
                                 rank.rank())
                       .str(),
                   0};
    }
  });
  if (error)
    return std::move(error);
  return outcome;
}

Outcome Comparison::judgeRanks(
    llvm::function_ref<llvm::Error(llvm::function_ref<llvm::Error(Rank &)>)> onRanks,
    const Manifest &spec, Judge judge) {
  std::vector<Outcome> outcomes(numRanks);
  llvm::Error error = onRanks([&](Rank &rank) -> llvm::Error {
    auto outcome = (this->*judge)(rank, spec);
    if (!outcome)
      return outcome.takeError();
    outcomes[rank.rank()] = *outcome;
    return llvm::Error::success();
  });
  if (error)
    return {Verdict::broken, llvm::toString(std::move(error)), 0};
  for (const Outcome &outcome : outcomes)
    if (outcome.verdict != Verdict::equal)
      return outcome;
  return outcomes.front();
}

Outcome Comparison::run(const CompiledStep &program, llvm::StringRef backend) {
  return judgeRanks([&](auto body) { return onRanks(program, backend, body); }, program.manifest(),
                    &Comparison::runOn);
}

Outcome Comparison::runOnProcesses(const CompiledStep &program, int64_t processes) {
  auto onProcesses = [&](llvm::function_ref<llvm::Error(Rank &)> body) {
    return fuzz::runOnProcesses(static_cast<int32_t>(processes), static_cast<int32_t>(numRanks),
                                [&](int64_t number, dsrt_context *context) -> llvm::Error {
                                  Rank rank(program, number, numRanks, context);
                                  return body(rank);
                                });
  };
  return judgeRanks(onProcesses, program.manifest(), &Comparison::compareBits);
}

} // namespace ds::fuzz
