//===- Check.h - n ranks against the one-device step ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the reference on the thread of rank 0, with the same samples in sample order, and compares
// parameters and states after every step. Both run freely from the same start, so differences may
// accumulate: this shows the effect of rounding, while --check=exact finds errors.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_TRAIN_CHECK_H
#define DS_RUN_TRAIN_CHECK_H

#include "ds/Data/Dataset.h"
#include "ds/Run/Ranks/Rank.h"
#include "ds/Run/Report/Compare.h"
#include "ds/Run/Report/Report.h"
#include "ds/Target/CompiledStep.h"

namespace ds {

class Checker {
public:
  /// `program` is the manifest of the ranks; `reference` takes the rows of all ranks.
  static std::unique_ptr<Checker> create(const Manifest &program,
                                         std::unique_ptr<CompiledStep> reference, int64_t steps,
                                         const Tolerance &tolerance);

  /// Starts the reference from the values of `rank`; like `compareStep`, it is called after
  /// `rank.collect()`.
  void begin(Rank &rank);
  bool finished() const { return done == steps; }
  /// Repeats the last step of `rank` on one device and compares.
  void compareStep(Rank &rank, const Dataset &data, const StepRows &rows, uint64_t seed,
                   int64_t step);

  int64_t stepsDone() const { return done; }
  bool isEqual() const { return worstParameter.acceptable() && worstState.acceptable(); }
  /// Return the worst parameter, and the worst state.
  const Difference &parameters() const { return worstParameter; }
  const Difference &states() const { return worstState; }
  /// Describes the result in one line for people.
  std::string describe(int64_t numRanks) const;

private:
  Checker() = default;

  void copyArgument(Rank &rank, unsigned slot, unsigned other);

  const Manifest *program = nullptr;
  std::unique_ptr<CompiledStep> compiled;
  std::unique_ptr<Rank> reference;
  std::map<unsigned, unsigned> partner; // argument slot of the program -> of the reference
  int64_t steps = 0, done = 0;
  Tolerance tolerance;
  Difference worstParameter, worstState;
};

/// Reports the result, in both forms.
void reportCheck(Report &report, const Checker &checker, int64_t numRanks);

} // namespace ds

#endif // DS_RUN_TRAIN_CHECK_H
