//===- Comparison.h - Code beside the same step, compiled plainly -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_FUZZ_COMPARISON_H
#define DS_LIB_FUZZ_COMPARISON_H

#include "Compile.h"
#include "Differential.h"
#include "ds/Run/Ranks/Rank.h"
#include "ds/Run/Report/Rounding.h"

#include <map>

namespace ds::fuzz {

/// The outcome of a step without code.
inline Outcome notCompiled(const Distributed &step, const char *what) {
  return {step.refused ? Verdict::refused : Verdict::broken,
          std::string(what) + ": " + step.message, 0};
}

/// A seed in seven verifies behind each pass, which is a tenth of its time, and says which pass
/// broke a step; the others verify at the end.
inline Verify verifyOf(uint64_t seed) {
  return seed % 7 == 0 ? Verify::behindEachPass : Verify::atEnd;
}

/// How far results of a step may lie apart, by the narrowest float that it computes with.
struct Allowance {
  double relative, absolute;
  bool free; // steps need not start from the reference
};

Allowance allowanceOf(mlir::ModuleOp module);

/// A step on some ranks as it is compiled plainly, and other code for it. The reference's ranks
/// exchange by the backend `local`.
class Comparison {
public:
  Comparison(uint64_t seed, const Allowance &allowance, int64_t numRanks = 1)
      : seed(seed), allowance(allowance), numRanks(numRanks), own(numRanks) {}

  /// Runs the reference once and keeps what it held after each step.
  llvm::Error setReference(const CompiledStep &compiled);
  /// Runs the reference with its rounding errors drawn anew, many times.
  llvm::Error measureRounding(const CompiledStep &perturbed);
  /// Runs a program from the same start with the same data.
  Outcome run(const CompiledStep &program, llvm::StringRef backend = kLocalBackend);
  /// The same with the ranks on so many processes, and to the bits of the reference.
  Outcome runOnProcesses(const CompiledStep &program, int64_t processes);

  static constexpr llvm::StringLiteral kLocalBackend = "local";

private:
  using Arrays = std::map<std::string, Array>;
  /// What one rank of the reference holds: differs where a value is a rank's own.
  struct Held {
    std::vector<Arrays> after;             // each step: arguments, and results beside them
    std::map<std::string, Spread> spreads; // by name and step
  };

  llvm::Error onRanks(const CompiledStep &step, llvm::StringRef backend,
                      llvm::function_ref<llvm::Error(Rank &)> body) const;
  /// Hands in the data of a step.
  void feed(Rank &rank, const Manifest &spec, int64_t step, size_t dropped = 0) const;
  /// What the arguments that were given a value, and the results, hold now. Collective.
  llvm::Expected<Arrays> read(Rank &rank, const Manifest &spec) const;
  /// One step of what the rank holds, and what it holds then.
  llvm::Expected<Arrays> runAndRead(Rank &rank, const Manifest &spec) const;
  /// Runs the steps, and calls `visit` with the values after each.
  llvm::Error runSteps(Rank &rank, const Manifest &spec,
                       llvm::function_ref<void(int64_t step, Arrays values)> visit) const;
  llvm::Expected<Outcome> runOn(Rank &rank, const Manifest &spec) const;
  /// The first value of a rank that has other bits than the reference's.
  llvm::Expected<Outcome> compareBits(Rank &rank, const Manifest &spec) const;
  using Judge = llvm::Expected<Outcome> (Comparison::*)(Rank &, const Manifest &) const;
  /// Of all ranks that `onRanks` runs, the first outcome that is not equal.
  Outcome
  judgeRanks(llvm::function_ref<llvm::Error(llvm::function_ref<llvm::Error(Rank &)>)> onRanks,
             const Manifest &spec, Judge judge);

  uint64_t seed;
  Allowance allowance;
  int64_t numRanks;
  Arrays before; // step 0
  std::vector<Held> own;
  std::map<std::string, int64_t> rows; // of batch arguments, of all ranks
};

} // namespace ds::fuzz

#endif // DS_LIB_FUZZ_COMPARISON_H
