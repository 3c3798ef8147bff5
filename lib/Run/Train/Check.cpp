//===- Check.cpp - n ranks against the one-device step ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments are matched by name: the reference of `local` semantics is another function with the
// same names. Rank-local states have no counterpart and are not compared.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Train/Check.h"

#include "llvm/Support/FormatVariadic.h"

#include <cassert>
#include <cstring>

namespace ds {

std::unique_ptr<Checker> Checker::create(const Manifest &program,
                                         std::unique_ptr<CompiledStep> reference, int64_t steps,
                                         const Tolerance &tolerance) {
  std::unique_ptr<Checker> checker(new Checker());
  checker->program = &program;
  checker->steps = steps;
  checker->tolerance = tolerance;
  const std::vector<ArgumentSpec> &others = reference->manifest().arguments;
  for (unsigned slot = 0; slot < program.arguments.size(); ++slot) {
    const ArgumentSpec &mine = program.arguments[slot];
    if (!mine.localState.empty())
      continue;
    unsigned other = 0;
    while (other < others.size() && others[other].name != mine.name)
      ++other;
    assert(other < others.size() && others[other].role == mine.role &&
           "the reference takes the arguments of the step");
    assert(elementCount(others[other].shape) ==
           elementCount(wholeShape(program, mine, program.numRanks)));
    checker->partner[slot] = other;
  }
  checker->reference = std::make_unique<Rank>(*reference, 0, 1, nullptr);
  checker->compiled = std::move(reference);
  return checker;
}

void Checker::begin(Rank &rank) {
  for (auto [slot, other] : partner) {
    const ArgumentSpec &argument = program->arguments[slot];
    if (argument.role == ArgumentRole::batch)
      continue;
    copyArgument(rank, slot, other);
  }
}

void Checker::copyArgument(Rank &rank, unsigned slot, unsigned other) {
  reference->setWhole(other, rank.whole(slot));
}

void Checker::compareStep(Rank &rank, const Dataset &data, const StepRows &rows, uint64_t seed,
                          int64_t step) {
  reference->load(data, rows);
  reference->writeSeeds(seed, step);
  for (auto [slot, other] : partner)
    if (program->arguments[slot].role == ArgumentRole::hyperparameter) // a schedule may change it
      copyArgument(rank, slot, other);
  llvm::cantFail(reference->run()); // no collective can fail
  ++done;
  for (unsigned slot = 0; slot < program->results.size(); ++slot) {
    std::optional<unsigned> updated = program->results[slot].updates;
    if (!updated || !partner.count(*updated))
      continue;
    const ArgumentSpec &argument = program->arguments[*updated];
    Array got = rank.whole(*updated);
    Array expected = reference->whole(partner[*updated]);
    Difference difference = compareArrays(argument.name, got, expected, tolerance);
    (argument.role == ArgumentRole::parameter ? worstParameter : worstState).include(difference);
  }
}

std::string Checker::describe(int64_t numRanks) const {
  auto figures = [](const Difference &difference) {
    return llvm::formatv("{0:e2} ('{1}'), {2:f3} of the tolerance", difference.absolute,
                         difference.name, difference.scaled)
        .str();
  };
  std::string text =
      llvm::formatv("check: {0} {1}, {2} {3} against one device: largest difference of any "
                    "parameter {4}",
                    done, done == 1 ? "step" : "steps", numRanks, numRanks == 1 ? "rank" : "ranks",
                    figures(worstParameter));
  if (!worstState.name.empty())
    text += ", of any state " + figures(worstState);
  return text + (isEqual() ? ": equal"
                           : ": DIFFERENT by more than --rtol and --atol allow; "
                             "--check=exact distinguishes rounding from an error");
}

void reportCheck(Report &report, const Checker &checker, int64_t numRanks) {
  llvm::json::Object object{
      {"steps", checker.stepsDone()}, {"ranks", numRanks}, {"equal", checker.isEqual()}};
  auto add = [&](const char *kind, const Difference &difference) {
    // JSON cannot represent infinity as a number.
    auto number = [](double value) {
      return std::isfinite(value) ? llvm::json::Value(value) : llvm::json::Value("infinite");
    };
    object[kind] = llvm::json::Object{{"worst", difference.name},
                                      {"difference", number(difference.absolute)},
                                      {"scaled", number(difference.scaled)}};
  };
  add("parameters", checker.parameters());
  if (!checker.states().name.empty())
    add("states", checker.states());
  report.fact("check", checker.describe(numRanks), std::move(object));
}

} // namespace ds
