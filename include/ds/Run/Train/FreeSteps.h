//===- FreeSteps.h - Steps of a rank that waits for none --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_TRAIN_FREESTEPS_H
#define DS_RUN_TRAIN_FREESTEPS_H

#include "ds/Run/Ranks/Rank.h"
#include "ds/Run/Train/Train.h"

namespace ds {

/// What a rank of the training does, for its watchdog.
Watchdog::Activity activityOf(const Training &training, int64_t rank);

/// Of update = asynchronous: what a rank does behind a step in the place of an exchange.
class FreeSteps {
public:
  FreeSteps(const Training &training, Rank &rank)
      : training(training), rank(rank), others(AsynchronousStep::freeRank(rank.instance())),
        reported(training.begin) {}

  /// None in other modes.
  static std::optional<FreeSteps> of(const Training &training, Rank &rank) {
    return training.asynchronous ? std::make_optional<FreeSteps>(training, rank) : std::nullopt;
  }

  /// Hands over the rank's metrics, and waits for the other ranks where they meet behind the step.
  /// Rank 0 reports the steps that all have done, but for one at whose end they meet.
  using Report = llvm::function_ref<llvm::Error(int64_t step, std::vector<double> metrics)>;
  /// Where they do, `meet` is what they do together, and the others go on when rank 0 has done it.
  llvm::Error endStep(int64_t step, Report report, llvm::function_ref<llvm::Error()> meet);
  /// Behind the last step, of all ranks.
  void leave() { others.leave(); }

private:
  llvm::Expected<bool> comeToMeeting(int64_t step, Report report);
  const Training &training;
  Rank &rank;
  FreeRank &others;
  int64_t reported; // the step of which all ranks' metrics come next
};

} // namespace ds

#endif // DS_RUN_TRAIN_FREESTEPS_H
