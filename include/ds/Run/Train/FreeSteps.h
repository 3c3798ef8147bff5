//===- FreeSteps.h - Steps of a rank that runs free -------------*- C++ -*-===//
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

/// Returns what a rank of the training does, for its watchdog.
Watchdog::Activity activityOf(const Training &training, int64_t rank);

/// For update = asynchronous: the work of a rank after a step, in place of an exchange.
class FreeSteps {
public:
  FreeSteps(const Training &training, Rank &rank)
      : training(training), rank(rank), others(AsynchronousStep::freeRank(rank.instance())),
        reported(training.begin) {}

  /// Returns none in other modes.
  static std::optional<FreeSteps> of(const Training &training, Rank &rank) {
    return training.asynchronous ? std::make_optional<FreeSteps>(training, rank) : std::nullopt;
  }

  /// Called on rank 0 with the reduced metrics of each step that all ranks have done, except for a
  /// step at whose end they meet.
  using Report = llvm::function_ref<llvm::Error(int64_t step, std::vector<double> metrics)>;
  /// Hands over the rank's metrics, and waits for the other ranks if they meet after the step. At a
  /// meeting, calls `meet`; the other ranks continue when rank 0 has returned from it.
  llvm::Error endStep(int64_t step, Report report, llvm::function_ref<llvm::Error()> meet);
  /// Called on all ranks after the last step.
  void leave() { others.leave(); }

private:
  llvm::Expected<bool> comeToMeeting(int64_t step, Report report);
  const Training &training;
  Rank &rank;
  FreeRank &others;
  int64_t reported; // the next step to report on rank 0
};

} // namespace ds

#endif // DS_RUN_TRAIN_FREESTEPS_H
