//===- Train.h - The training loop ------------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every rank runs the same loop on its own thread or process; rank 0 also checks, evaluates and
// reports. A request to stop travels with the metrics, so all ranks end after the same step.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_TRAIN_TRAIN_H
#define DS_RUN_TRAIN_TRAIN_H

#include "ds/Data/Dataset.h"
#include "ds/Data/Sampler.h"
#include "ds/Run/Asynchronous/AsynchronousStep.h"
#include "ds/Run/Feed/Checkpoints.h"
#include "ds/Run/Feed/SaveLock.h"
#include "ds/Run/Options/Options.h"
#include "ds/Run/Ranks/Trace.h"
#include "ds/Run/Ranks/Values.h"
#include "ds/Run/Ranks/World.h"
#include "ds/Run/Report/Report.h"
#include "ds/Run/Train/Check.h"
#include "ds/Run/Train/Judge.h"
#include "ds/Run/Train/Kept.h"
#include "ds/Run/Train/Metrics.h"
#include "ds/Run/Train/Moves.h"
#include "ds/Run/Train/Snapshot.h"

namespace ds {

/// The inputs of a training. `checker` and `judge` are null except on rank 0, and `checker` is null
/// there, too, if no check is requested; `data` may be null (no data: no steps).
struct Training {
  World &world;
  const CompiledStep &step;
  InitialValues &initial; // released once ranks have copied them, except for a check
  const Metrics &metrics;
  Report &report;
  const Dataset *data;
  const Sampler *sampler;
  Checker *checker;
  int64_t checkSteps;    // on all ranks; 0: no check
  int64_t checkReplicas; // the interval in steps; 0: never
  Judge *judge;
  int64_t evalEvery; // steps between evaluations; 0: none
  uint64_t seed;
  int64_t rowsPerStep;
  int64_t epochs;                           // 0: `steps` counts
  int64_t begin;                            // steps of these done by earlier runs
  int64_t steps;                            // in total
  std::string save, dump, profile;          // files to write at the end, or empty
  std::map<std::string, std::string> facts; // of this run, for checkpoints
  CarriedFacts carried;                     // on rank 0, at the start of the run
  CheckpointWriter *checkpoints;            // null: none
  int64_t saveEvery;                        // steps between checkpoints
  Schedules schedules;
  OnNan onNan;
  TraceRequest trace;
  bool mayStopEarly = false;                      // on all ranks
  const SaveLock *lock = nullptr;                 // of `save`, checked before each write
  const AsynchronousStep *asynchronous = nullptr; // `step`, if its ranks run free
  Snapshot *snapshot = nullptr;                   // of `checkpoints`, if processes write shares
  Moves *moves = nullptr;                         // if processes may come and go

  /// Fills the numbers of steps from the options, where `perEpoch` steps take all samples once;
  /// with --save-every `writer` writes the checkpoints.
  void count(const RunOptions &options, int64_t perEpoch, CheckpointWriter &writer);

  int64_t stepsPerEpoch() const { return epochs ? steps / epochs : steps; }
  /// True if all ranks meet after `done` steps, to save or to evaluate.
  bool meetsAt(int64_t done) const {
    return done == steps || done % stepsPerEpoch() == 0 || savesAt(done) || evaluatesAt(done);
  }
  /// True if rank 0 evaluates after `done` steps.
  bool evaluatesAt(int64_t done) const {
    return evalEvery > 0 && (done == steps || done % evalEvery == 0);
  }
  /// True if a checkpoint follows `done` steps.
  bool savesAt(int64_t done) const {
    return checkpoints && (initial.firstStep - begin + done) % saveEvery == 0;
  }
};

/// `moved`: the ranks go on in another world; `left`: without this process.
enum class TrainingEnd { finished, interrupted, requeue, different, notFinite, moved, left };

int exitCodeOf(TrainingEnd end);

llvm::Expected<TrainingEnd> train(const Training &training);

} // namespace ds

#endif // DS_RUN_TRAIN_TRAIN_H
