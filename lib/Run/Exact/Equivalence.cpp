//===- Equivalence.cpp - Whether n ranks equal one device -----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time is estimated before compilation, from the number of scalar operations of both programs:
// products are compiled as loops, so scalar operations take about equally long. Each step on one
// device, which runs first, refines the estimate.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Exact/Equivalence.h"

#include "ds/Compiler/OneDevice.h"
#include "ds/Dialect/IR/Ds.h"
#include "ds/Run/Exact/ExactCheck.h"
#include "ds/Support/AssertionError.h"
#include "ds/Support/FirstError.h"
#include "ds/Support/UserError.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <thread>

using namespace mlir;
using llvm::Error;
using llvm::Expected;

namespace ds {
namespace {

/// Scalar operations of a current core per second, on elements in vectors.
constexpr double operationsPerSecond = 5e8;

/// Returns the number of steps on one device that take as long as one step of all ranks.
double stepsOfRanks(const FieldStep &ofRanks, int64_t numRanks, const FieldStep &oneDevice) {
  int64_t cores = std::max(1u, std::thread::hardware_concurrency());
  return (numRanks + cores - 1) / cores * ofRanks.facts.work / std::max(1.0, oneDevice.facts.work);
}

Error tooLong(double seconds, double allowed) {
  auto whole = static_cast<int64_t>(std::ceil(seconds));
  return userError(llvm::formatv("the exact check would take about {0} s, more than the {1} s that "
                                 "it may take; allow it by --check=exact:{2}, or check a step of "
                                 "smaller shapes",
                                 whole, static_cast<int64_t>(allowed), 2 * whole)
                       .str());
}

} // namespace

Expected<Equivalence> compareDistributed(ModuleOp ofRanks, ModuleOp oneDevice,
                                         const EquivalenceOptions &options) {
  FailureOr<Config> config = getConfig(ofRanks);
  assert(succeeded(config) && "it has been distributed by it");
  Equivalence found;
  found.ranks = config->deviceNum().value_or(1);
  found.runs = options.runs;
  if (found.runs.empty())
    for (int64_t prime : {PrimeField::firstPrime, PrimeField::secondPrime})
      found.runs.push_back({prime, mixBits(options.seed ^ prime)});
  CompileOptions compile;
  compile.entry = options.entry;
  compile.targetCpu = options.targetCpu;
  for (const FieldRun &run : found.runs) {
    ExactOptions exact;
    exact.prime = run.prime;
    exact.seed = run.seed;
    exact.timeoutMs = options.timeoutMs;
    exact.replicas = replicasOf(*config, found.ranks);
    found.steps = exact.numSteps;
    OwningOpRef<ModuleOp> program(ofRanks.clone()), reference(oneDevice.clone());
    FieldStep first, second;
    if (Error error = readOverField(*program, exact, options.entry, first))
      return error;
    if (Error error = readOverField(*reference, exact, options.entry, second))
      return error;
    double steps = exact.numSteps * found.runs.size();
    auto check = [&, beside = stepsOfRanks(first, found.ranks, second)](double ofStep) -> Error {
      double all = steps * ofStep * (1 + beside);
      return all > options.seconds ? tooLong(all, options.seconds) : Error::success();
    };
    if (Error error = check(second.facts.work / operationsPerSecond))
      return error;
    exact.onReferenceStep = check;
    if (Error error = compileField(*program, compile, first))
      return error;
    if (Error error = compileField(*reference, compile, second))
      return error;
    auto result = compareOverField(first, found.ranks, second, exact);
    if (!result) {
      // The random elements are no input that the step was written for.
      Error other = llvm::handleErrors(result.takeError(), [&](const AssertionError &asserted) {
        found.verdict = Equivalence::Verdict::undecided;
        found.reason = "the assertion '" + asserted.message + "'" +
                       (asserted.place.empty() ? "" : " at " + asserted.place) +
                       " does not hold for random inputs";
      });
      if (other)
        return other;
      return found;
    }
    found.elements += result->elements;
    for (const FieldStep *step : {&first, &second})
      found.opaque.insert(step->facts.opaque.begin(), step->facts.opaque.end());
    Degree one = first.facts.degree, other = second.facts.degree;
    found.degree = std::max(one.numerator + other.denominator, other.numerator + one.denominator);
    if (!result->equal) {
      found.verdict = Equivalence::Verdict::different;
      found.reason = result->difference + ", over integers modulo " + std::to_string(run.prime);
      return found;
    }
    const std::vector<std::string> &undecided = first.facts.undecided;
    if (!undecided.empty() && found.verdict == Equivalence::Verdict::equal) {
      found.verdict = Equivalence::Verdict::undecided;
      found.reason = undecided.front();
    }
  }
  return found;
}

Expected<Equivalence> verifyEquivalence(ModuleOp step, ModuleOp distributed,
                                        const EquivalenceOptions &options) {
  FirstError first(step.getContext(), FirstError::Others::dropped);
  FailureOr<Config> config = getConfig(distributed);
  if (failed(config) || !config->deviceNum())
    return first.take("the distributed step does not say how many ranks it is for: its "
                      "'ds.config' has no device_num");
  OwningOpRef<ModuleOp> reference(step.clone());
  setConfig(*reference, *config);
  if (failed(cutForOneDevice(*reference, *config, replicasOf(*config, *config->deviceNum()),
                             options.entry, Verify::behindEachPass)))
    return first.take("the step has no reference on one device");
  setConfig(*reference, oneDeviceConfig(*config));
  if (failed(distribute(*reference, options.entry, Verify::behindEachPass)))
    return first.take("the step cannot run on one device");
  if (options.buildLowering &&
      failed(runPasses(*reference, Verify::behindEachPass, options.buildLowering)))
    return first.take("the step on one device cannot be lowered");
  return compareDistributed(distributed, *reference, options);
}

} // namespace ds
