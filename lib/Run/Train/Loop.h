//===- Loop.h - One rank's walk through a training --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_RUN_TRAIN_LOOP_H
#define DS_LIB_RUN_TRAIN_LOOP_H

#include "ds/Run/Feed/Loader.h"
#include "ds/Run/Ranks/RunTimes.h"
#include "ds/Run/Ranks/Watchdog.h"
#include "ds/Run/Report/Output.h"
#include "ds/Run/Train/FreeSteps.h"
#include "ds/Run/Train/Train.h"

namespace ds {

/// One rank's walk through the training.
class Loop {
public:
  Loop(const Training &training, InitialValues initial, int64_t rank, dsrt_context *context,
       std::shared_ptr<SharedMemory> shared, Watchdog &watchdog)
      : training(training), initial(std::move(initial)), numRanks(training.world.numRanks()),
        rank(training.step, rank, numRanks, context, std::move(shared)), isRoot(rank == 0),
        carried(isRoot ? training.carried : CarriedFacts()), watchdog(watchdog),
        alone(FreeSteps::of(training, this->rank)) {}
  ~Loop() { watchdog.leave(rank.rank()); }

  llvm::Error run(RunTimes &times);

  /// Rank 0's files.
  llvm::Error write();

  /// Behind which step the parameters were saved; none if they were not.
  std::optional<int64_t> savedStep() const { return saved; }

  TrainingEnd end() const;

private:
  llvm::Error runStep(int64_t index);

  struct Step {
    int64_t index, step;
    StepRows rows;
  };

  /// Where steps can be queued ahead the device computes this one while ranks meet behind the one
  /// before, unless they are to see this one's values before the next.
  llvm::Error runAhead(Step next);

  llvm::Error endRunning();

  /// Whether somebody looks at values that the step leaves, or at how it was run.
  bool isSeen(int64_t index) const;

  bool ends() const { return stop || stopsNext || notFinite || ended; }

  /// What ranks do together behind a step. `isFollowed`: the next one is queued already, so that a
  /// request to stop is one to stop behind that.
  llvm::Error meet(int64_t index, int64_t step, const StepRows &rows, bool isFollowed = false);

  /// All ranks learn that rank 0 has seen nothing get better.
  llvm::Error agreeToStop();

  /// Of this training, also where none was left to do.
  int64_t stepsTrained() const { return std::max(nextStep, training.initial.firstStep); }

  /// Whether the training ended, or had ended before, without an evaluation of what it ended with.
  bool endsUnevaluated() const;

  void doing(const char *what) { watchdog.enter(rank.rank(), what, nextStep); }

  /// Parameters and states as they are between two steps, if they may be kept.
  llvm::Expected<Safetensors> copyOfValues();

  /// All ranks see the same metrics, so they end alike.
  void judgeMetrics();

  /// All ranks learn what rank 0 found.
  llvm::Error judgeCheck();

  /// What rank 0 does while the others go on.
  llvm::Error besideStep(int64_t index, int64_t step);

  llvm::Error gatherResults();

  const Training &training;
  InitialValues initial; // shared with the other ranks of the process
  int64_t numRanks;
  Rank rank;
  std::optional<Loader> loader;
  bool isRoot, judged = false, warned = false, ended = false, notFinite = false;
  StopRequest stop, stopsNext; // of all ranks, as of the last step: behind it, behind the next one
  std::optional<Step> running; // ranks have not met behind it
  int64_t nextStep = 0;
  std::optional<int64_t> saved;
  std::vector<double> firstMetrics, lastMetrics;
  NamedArrays results;
  StepWaits waits;      // of the last step
  CarriedFacts carried; // rank 0's
  Watchdog &watchdog;
  std::optional<FreeSteps> alone; // of update = asynchronous
};

} // namespace ds

#endif // DS_LIB_RUN_TRAIN_LOOP_H
