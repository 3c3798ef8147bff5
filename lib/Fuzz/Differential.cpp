//===- Differential.cpp - One step on n ranks against one device -*- C++ -*-===//
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
#include "ds/Fuzz/Differential.h"

#include "Compile.h"
#include "RandomData.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Fuzz/CompleteMarks.h"
#include "ds/Run/Batch.h"
#include "ds/Run/Conditioning.h"
#include "ds/Run/Metrics.h"
#include "ds/Run/Rank.h"
#include "ds/Run/World.h"

#include "ds/Data/Convert.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstring>

using namespace mlir;

namespace ds::fuzz {
namespace {

constexpr int64_t stepsPerRun = 2;

/// How far results of a step may lie apart, by the narrowest float that it computes with.
struct Allowance {
  double relative, absolute;
  bool free; // steps need not start from the reference
};

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

using Bits = std::map<std::string, std::vector<uint8_t>>;

class Differential {
public:
  Differential(uint64_t seed, const Allowance &allowance) : seed(seed), allowance(allowance) {}

  /// Runs the reference once and keeps what it held after each step.
  void setReference(const CompiledStep &compiled);
  /// Runs the reference with its rounding errors drawn anew, many times.
  void measureRounding(const CompiledStep &perturbed);
  bool knowsRounding() const { return !spreads.empty(); }
  Outcome run(const CompiledStep &program, int64_t numRanks);
  /// The bytes of every stored value after each step of the last run.
  const Bits &bits() const { return ofRanks[0]; }

private:
  llvm::Error runRank(const CompiledStep &program, int64_t numRanks, int64_t number,
                      dsrt_context *context);
  llvm::Error compareStep(Rank &rank, int64_t step, const std::map<std::string, Array> &results);

  uint64_t seed;
  Allowance allowance;
  const Manifest *manifest = nullptr;
  // The reference: arguments before step 0 and after each step, and results of each step.
  std::map<std::string, Array> before;
  std::vector<std::map<std::string, Array>> after, expected;
  std::map<std::string, Spread> spreads; // of both, by name and step
  int64_t rows = 0;
  // Shared by the ranks of one run.
  std::vector<Bits> ofRanks;
  double worst = 0;
};

Array copyOf(const ArgumentSpec &argument, const void *data) {
  return Array::copy(toDataType(argument.type), argument.shape, data);
}

std::string atStep(const std::string &name, int64_t step) {
  return name + "@" + std::to_string(step);
}

void Differential::setReference(const CompiledStep &compiled) {
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

void Differential::measureRounding(const CompiledStep &perturbed) {
  const Manifest &spec = perturbed.manifest();
  unsigned last = spec.arguments.size() - 1; // the number of the sample
  for (int32_t sample = 0; sample < mostSamples; ++sample) {
    Rank rank(perturbed, 0, 1, nullptr);
    for (int64_t step = 0; step < stepsPerRun; ++step) {
      for (unsigned slot = 0; slot < last; ++slot) {
        const ArgumentSpec &argument = spec.arguments[slot];
        if (argument.role == ArgumentRole::batch)
          rank.setWhole(slot, batchValue(argument, rows, seed, step));
        else if (argument.role != ArgumentRole::seed && (step == 0 || !allowance.free))
          rank.setWhole(slot,
                        step == 0 ? before.at(argument.name) : after[step - 1].at(argument.name));
      }
      rank.writeSeeds(seed, step);
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

llvm::Error different(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

llvm::Error Differential::runRank(const CompiledStep &program, int64_t numRanks, int64_t number,
                                  dsrt_context *context) {
  const Manifest &spec = program.manifest();
  Rank rank(program, number, numRanks, context);
  Metrics metrics(spec, numRanks, /*combined=*/false);
  for (int64_t step = 0; step < stepsPerRun; ++step) {
    for (unsigned slot = 0; slot < spec.arguments.size(); ++slot) {
      const ArgumentSpec &argument = spec.arguments[slot];
      if (argument.role == ArgumentRole::batch)
        rank.setWhole(slot, batchValue(argument, rows, seed, step));
      else if (argument.role != ArgumentRole::seed && (step == 0 || !allowance.free) &&
               (step == 0 || argument.localState.empty()))
        rank.setWhole(slot,
                      step == 0 ? before.at(argument.name) : after[step - 1].at(argument.name));
    }
    rank.writeSeeds(seed, step);
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
    if (llvm::Error error = compareStep(rank, step, results))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Differential::compareStep(Rank &rank, int64_t step,
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
    Array got = copyOf(argument, rank.instance().argument(slot));
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

Outcome Differential::run(const CompiledStep &program, int64_t numRanks) {
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
      if (ofRanks[rank].at(name) != bytes)
        return {Verdict::different,
                llvm::formatv("'{0}' has other bits on rank {1} than on rank 0", name, rank).str(),
                worst};
  return {Verdict::equal, "", worst};
}

Outcome notCompiled(const Compiled &compiled, const char *what) {
  return {compiled.refused ? Verdict::refused : Verdict::broken,
          std::string(what) + ": " + compiled.message, 0};
}

/// Another way to fuse the same collectives.
Config otherFusion(Config config) {
  bool apart = config.fusionPolicy().mode == FusionPolicy::Mode::None;
  llvm::cantFail(config.reset("all_reduce_fusion_config"));
  llvm::cantFail(config.reset("mindspore_inclusive"));
  llvm::cantFail(config.set("comm_fusion", std::string(apart ? "all" : "none")));
  return config;
}

} // namespace

bool isSameStep(ModuleOp author, ModuleOp program, uint64_t seed) {
  FailureOr<Config> config = getConfig(program);
  if (failed(config))
    return false;
  // What is a rank's own does not matter to one device.
  llvm::cantFail(config->set("batch", std::string("global")));
  Compiled expected = compileReference(author, *config, 1);
  Compiled got = compileReference(program, *config, 1);
  if (!expected.step || !got.step)
    return false;
  Differential differential(seed, allowanceOf(author));
  differential.setReference(*expected.step);
  return differential.run(*got.step, 1).verdict == Verdict::equal;
}

Outcome compareWithOneDevice(ModuleOp author, ModuleOp program, llvm::ArrayRef<int64_t> ranks,
                             uint64_t seed) {
  FailureOr<Config> config = getConfig(program);
  if (failed(config))
    return {Verdict::broken, "the configuration is not valid", 0};
  bool local = config->batch() == BatchSemantics::Local;
  OwningOpRef<ModuleOp> complete(author.clone());
  completeMarks(*complete);
  ModuleOp marked = *complete;
  std::optional<Differential> differential;
  auto run = [&](const CompiledStep &step, int64_t numRanks) {
    Outcome first = differential->run(step, numRanks);
    if (first.verdict != Verdict::different || differential->knowsRounding())
      return first;
    Compiled perturbed = compileReference(marked, *config, numRanks, /*perturbed=*/true);
    if (!perturbed.step)
      return Outcome{Verdict::broken, "the perturbed reference: " + perturbed.message, 0};
    differential->measureRounding(*perturbed.step);
    return differential->run(step, numRanks);
  };
  Outcome outcome;
  Bits bits;
  for (int64_t numRanks : ranks) {
    if (local || !differential) {
      Compiled reference = compileReference(marked, *config, numRanks);
      if (!reference.step)
        return {Verdict::broken, "the reference: " + reference.message, 0};
      differential.emplace(seed, allowanceOf(marked));
      differential->setReference(*reference.step);
    }
    Compiled compiled = compileProgram(program, *config, numRanks);
    if (!compiled.step)
      return notCompiled(compiled, "the program");
    Outcome one = run(*compiled.step, numRanks);
    outcome.worst = std::max(outcome.worst, one.worst);
    if (one.verdict != Verdict::equal)
      return one;
    bits = differential->bits();
    if (!local)
      continue;
    Compiled keeping = compileProgram(marked, *config, numRanks, Effort::Quick);
    if (!keeping.step)
      return notCompiled(keeping, "the program with its marks");
    Outcome kept = run(*keeping.step, numRanks);
    if (kept.verdict != Verdict::equal) {
      kept.message = "with its marks, " + kept.message;
      return kept;
    }
  }
  if (seed % 4 != 0)
    return outcome;
  Compiled fused = compileProgram(program, otherFusion(*config), ranks.back());
  if (!fused.step)
    return notCompiled(fused, "the program with other buckets");
  Outcome again = run(*fused.step, ranks.back());
  if (again.verdict != Verdict::equal)
    return again;
  for (const auto &[name, bytes] : bits)
    if (differential->bits().at(name) != bytes)
      return {Verdict::different, "'" + name + "' has other bits with other buckets", 0};
  return outcome;
}

} // namespace ds::fuzz
