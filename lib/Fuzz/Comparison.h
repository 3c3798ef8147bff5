//===- Comparison.h - Ranks beside what they should compute -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_FUZZ_COMPARISON_H
#define DS_LIB_FUZZ_COMPARISON_H

#include "ds/Fuzz/Differential.h"
#include "ds/Run/Conditioning.h"
#include "ds/Run/Rank.h"

#include <map>

namespace ds::fuzz {

/// How far results of a step may lie apart, by the narrowest float that it computes with.
struct Allowance {
  double relative, absolute;
  bool free; // steps need not start from the reference
};

Allowance allowanceOf(mlir::ModuleOp module);

using Bits = std::map<std::string, std::vector<uint8_t>>;

/// A reference, and programs that run from the same start with the same data.
class Comparison {
public:
  Comparison(uint64_t seed, const Allowance &allowance) : seed(seed), allowance(allowance) {}

  /// Runs the reference once and keeps what it held after each step.
  void setReference(const CompiledStep &compiled);
  /// Runs the reference with its rounding errors drawn anew, many times.
  void measureRounding(const CompiledStep &perturbed);
  Outcome run(const CompiledStep &program, int64_t numRanks);

private:
  /// Hands in the data of a step; states that a rank has for itself, if any, stay what they became.
  void feed(Rank &rank, llvm::ArrayRef<ArgumentSpec> arguments, int64_t step,
            bool keepsOwnStates) const;
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

} // namespace ds::fuzz

#endif // DS_LIB_FUZZ_COMPARISON_H
