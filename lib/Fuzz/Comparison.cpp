//===- Comparison.cpp - Ranks beside what they should compute ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every step starts from what the reference holds, except in f64, where all run freely: differences
// of rounding must not grow from step to step, and in f64 they are small enough. Where something
// differs by more than its type allows, the reference runs again with other rounding errors: what
// these move as far is no finding (see Conditioning.h).
//
//===----------------------------------------------------------------------===//
#include "Comparison.h"

#include "RandomData.h"
#include "ds/Run/Batch.h"
#include "ds/Run/Metrics.h"
#include "ds/Run/World.h"

#include "ds/Data/Convert.h"
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

Array copyOf(const ArgumentSpec &argument, const void *data) {
  return Array::copy(toDataType(argument.type), argument.shape, data);
}

std::string atStep(const std::string &name, int64_t step) {
  return name + "@" + std::to_string(step);
}

llvm::Error different(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

} // namespace

void Comparison::setReference(const CompiledStep &compiled) {
  const Manifest &spec = compiled.manifest();
  Rank rank(compiled, 0, 1, nullptr);
  for (const ArgumentSpec &argument : spec.arguments)
    if (argument.role == ArgumentRole::batch)
      rows = argument.shape[*argument.batchDim];
  for (unsigned slot = 0; slot < spec.arguments.size(); ++slot) {
    const ArgumentSpec &argument = spec.arguments[slot];
    if (argument.role == ArgumentRole::batch || argument.role == ArgumentRole::seed)
      continue;
    before[argument.name] = initialValue(argument, seed);
    rank.setWhole(slot, before[argument.name]);
  }
  for (int64_t step = 0; step < stepsPerRun; ++step) {
    for (unsigned slot = 0; slot < spec.arguments.size(); ++slot)
      if (spec.arguments[slot].role == ArgumentRole::batch)
        rank.setWhole(slot, batchValue(spec.arguments[slot], rows, seed, step));
    rank.writeSeeds(seed, step);
    llvm::cantFail(rank.run()); // it has no collectives
    after.emplace_back();
    for (unsigned slot = 0; slot < spec.arguments.size(); ++slot)
      if (before.count(spec.arguments[slot].name))
        after.back()[spec.arguments[slot].name] =
            copyOf(spec.arguments[slot], rank.instance().argument(slot));
    expected.emplace_back();
    for (unsigned slot = 0; slot < spec.results.size(); ++slot)
      if (!spec.results[slot].updates)
        expected.back()[spec.results[slot].name] = llvm::cantFail(rank.gather(slot));
  }
}

void Comparison::feed(Rank &rank, llvm::ArrayRef<ArgumentSpec> arguments, int64_t step,
                      bool keepsOwnStates) const {
  const std::map<std::string, Array> &start = step == 0 ? before : after[step - 1];
  for (auto [slot, argument] : llvm::enumerate(arguments)) {
    bool keeps = step > 0 && (allowance.free || (keepsOwnStates && !argument.localState.empty()));
    if (argument.role == ArgumentRole::batch)
      rank.setWhole(slot, batchValue(argument, rows, seed, step));
    else if (argument.role != ArgumentRole::seed && !keeps)
      rank.setWhole(slot, start.at(argument.name));
  }
  rank.writeSeeds(seed, step);
}

void Comparison::measureRounding(const CompiledStep &perturbed) {
  const Manifest &spec = perturbed.manifest();
  unsigned last = spec.arguments.size() - 1; // the number of the sample
  for (int32_t sample = 0; sample < mostSamples; ++sample) {
    Rank rank(perturbed, 0, 1, nullptr);
    for (int64_t step = 0; step < stepsPerRun; ++step) {
      feed(rank, llvm::ArrayRef(spec.arguments).drop_back(), step, /*keepsOwnStates=*/false);
      std::memcpy(rank.instance().argument(last), &sample, sizeof sample);
      llvm::cantFail(rank.run()); // it has no collectives
      for (unsigned slot = 0; slot < last; ++slot)
        if (const std::string &name = spec.arguments[slot].name; before.count(name))
          spreads[atStep(name, step)].include(
              copyOf(spec.arguments[slot], rank.instance().argument(slot)));
      for (unsigned slot = 0; slot < spec.results.size(); ++slot)
        if (!spec.results[slot].updates)
          spreads[atStep(spec.results[slot].name, step)].include(llvm::cantFail(rank.gather(slot)));
    }
  }
}

llvm::Error Comparison::runRank(const CompiledStep &program, int64_t numRanks, int64_t number,
                                dsrt_context *context) {
  const Manifest &spec = program.manifest();
  Rank rank(program, number, numRanks, context);
  Metrics metrics(spec, numRanks, /*combined=*/false);
  for (int64_t step = 0; step < stepsPerRun; ++step) {
    feed(rank, spec.arguments, step, /*keepsOwnStates=*/true);
    if (llvm::Error error = rank.run())
      return error;
    StopRequest stop;
    auto values = metrics.exchange(context, stop,
                                   [&](unsigned slot) { return rank.instance().result(slot); });
    if (!values)
      return values.takeError();
    std::map<unsigned, Array> combined;
    if (!spec.global)
      combined = metricArrays(spec, *values);
    std::map<std::string, Array> results;
    for (unsigned slot = 0; slot < spec.results.size(); ++slot) {
      if (spec.results[slot].updates)
        continue;
      auto found = combined.find(slot);
      if (found != combined.end()) {
        results[spec.results[slot].name] = found->second;
        continue;
      }
      auto whole = rank.gather(slot);
      if (!whole)
        return whole.takeError();
      results[spec.results[slot].name] = std::move(*whole);
    }
    if (llvm::Error error = rank.collect())
      return error;
    if (llvm::Error error = compareStep(rank, step, results))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Comparison::compareStep(Rank &rank, int64_t step,
                                    const std::map<std::string, Array> &results) {
  auto judge = [&](const std::string &name, const Array &got, const Array &reference,
                   const Array *start) -> llvm::Error {
    auto spread = spreads.find(atStep(name, step));
    Gap gap = compare(got, reference, start, spread == spreads.end() ? nullptr : &spread->second,
                      allowance);
    if (rank.rank() == 0)
      worst = std::max(worst, gap.scaled);
    if (gap.scaled <= 1)
      return llvm::Error::success();
    return different(
        llvm::formatv("'{0}' differs in step {1} on rank {2} of {3}: {4:e8}, expected {5:e8}; "
                      "{6:e2} times what is allowed",
                      name, step + 1, rank.rank(), ofRanks.size(), gap.got, gap.expected,
                      gap.scaled)
            .str());
  };
  const Manifest &spec = *manifest;
  for (unsigned slot = 0; slot < spec.arguments.size(); ++slot) {
    const ArgumentSpec &argument = spec.arguments[slot];
    auto reference = after[step].find(argument.name);
    if (reference == after[step].end() || !argument.localState.empty())
      continue;
    const Array &start = step == 0 ? before.at(argument.name) : after[step - 1].at(argument.name);
    if (argument.isDivided() && rank.rank() != 0)
      continue; // rank 0 has collected all shards
    Array got = rank.whole(slot);
    if (llvm::Error error = judge(argument.name, got, reference->second, &start))
      return error;
    ofRanks[rank.rank()][atStep(argument.name, step)] =
        std::vector<uint8_t>(got.data, got.data + got.bytes());
  }
  for (const auto &[name, got] : results) {
    auto reference = expected[step].find(name);
    if (reference != expected[step].end())
      if (llvm::Error error = judge(name, got, reference->second, nullptr))
        return error;
  }
  return llvm::Error::success();
}

Outcome Comparison::run(const CompiledStep &program, int64_t numRanks) {
  manifest = &program.manifest();
  ofRanks.assign(numRanks, {});
  WorldOptions options;
  options.timeoutMs = 300000; // on a busy machine a rank may be late
  auto world = World::create(numRanks, "local", options);
  if (!world)
    return {Verdict::broken, llvm::toString(world.takeError()), 0};
  llvm::Error error = (*world)->run([&](int64_t number, dsrt_context *context) {
    return runRank(program, numRanks, number, context);
  });
  if (error)
    return {Verdict::different, llvm::toString(std::move(error)), worst};
  for (int64_t rank = 1; rank < numRanks; ++rank)
    for (const auto &[name, bytes] : ofRanks[0])
      if (auto found = ofRanks[rank].find(name);
          found != ofRanks[rank].end() && found->second != bytes)
        return {Verdict::different,
                llvm::formatv("'{0}' has other bits on rank {1} than on rank 0", name, rank).str(),
                worst};
  return {Verdict::equal, "", worst};
}

} // namespace ds::fuzz
