//===- CompareCode.cpp - Code beside the same step, compiled plainly -------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In floats: on one device, or on ranks of GPUs.
//
//===----------------------------------------------------------------------===//
#include "steps/Comparison.h"
#include "steps/CompleteMarks.h"
#include "steps/Random.h"

#include "ds/Dialect/IR/Ds.h"

using namespace mlir;

namespace ds::fuzz {

/// Compares code that is compiled for users with plain code for the CPU. `step` makes the step that
/// both are compiled from.
static Outcome compareCompiled(llvm::function_ref<Distributed()> makeStep, Comparison &comparison,
                               const std::string &target, StringRef backend) {
  auto compile = [&](Effort effort, bool perturbed, const std::string &target = kCpuTarget) {
    Distributed step = makeStep();
    auto compiled = compileFloats(step, effort, perturbed, target);
    return std::make_pair(std::move(compiled), notCompiled(step, "the step"));
  };
  auto broken = [](llvm::Error error) {
    return Outcome{Verdict::broken, "the reference: " + llvm::toString(std::move(error)), 0};
  };
  auto [plain, whyNot] = compile(Effort::None, false);
  if (!plain)
    return whyNot;
  auto [fast, whyNotFast] = compile(Effort::Full, false, target);
  if (!fast)
    return whyNotFast;
  if (llvm::Error error = comparison.setReference(*plain))
    return broken(std::move(error));
  Outcome outcome = comparison.run(*fast, backend);
  if (outcome.verdict != Verdict::different)
    return outcome;
  auto [perturbed, whyNotPerturbed] = compile(Effort::None, true);
  if (!perturbed)
    return whyNotPerturbed;
  if (llvm::Error error = comparison.measureRounding(*perturbed))
    return broken(std::move(error));
  return comparison.run(*fast, backend);
}

Outcome compareCode(ModuleOp program, uint64_t seed) {
  FailureOr<Config> config = getConfig(program);
  if (failed(config))
    return {Verdict::broken, "the configuration is not valid", 0};
  llvm::cantFail(config->set("batch", std::string("global")));
  Comparison comparison(seed, allowanceOf(program));
  return compareCompiled([&] { return makeReference(program, *config, 1, verifyOf(seed)); },
                         comparison, kCpuTarget, Comparison::kLocalBackend);
}

GpuPlace pickGpuPlace(const std::string &target, int64_t numRanks, uint64_t seed) {
  Random random(~seed ^ 0x677075);
  GpuPlace place;
  place.numRanks = random.pick({1, 2, 4});
  if (numRanks % place.numRanks != 0)
    place.numRanks = numRanks;
  if (random.chance(50))
    place.backend = "nccl";
  place.target = target + (random.chance(50) ? ":calls" : "");
  return place;
}

std::string toText(const GpuPlace &place) {
  return place.target + " on " + std::to_string(place.numRanks) + " ranks over " + place.backend;
}

Outcome compareGpuCode(ModuleOp author, ModuleOp program, const GpuPlace &place, uint64_t seed) {
  FailureOr<Config> config = getConfig(program);
  if (failed(config))
    return {Verdict::broken, "the configuration is not valid", 0};
  llvm::cantFail(config->reset("shared_replicas")); // ranks of a GPU have memory of their own
  OwningOpRef<ModuleOp> marked(author.clone());
  if (config->batch() == BatchSemantics::Local) {
    completeMarks(*marked);
    program = *marked;
  }
  Comparison comparison(seed, allowanceOf(program), place.numRanks);
  return compareCompiled(
      [&] { return distribute(program, *config, place.numRanks, verifyOf(seed)); }, comparison,
      place.target, place.backend);
}

} // namespace ds::fuzz
