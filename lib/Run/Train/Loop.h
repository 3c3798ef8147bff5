//===- Loop.h - The training loop of one rank -------------------*- C++ -*-===//
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

/// Time that the thread of a rank takes for checkpoints.
struct BlockedTime {
  int64_t ns = 0, cpuNs = 0;

  /// Runs `work` and adds its time.
  llvm::Error add(llvm::function_ref<llvm::Error()> work);
};

/// Removes the last of so many columns from rows of numbers, and returns it.
std::vector<double> takeColumn(std::vector<double> &rows, size_t columns);

/// The training loop of one rank.
class Loop {
public:
  Loop(const Training &training, InitialValues initial, int64_t rank, dsrt_context *context,
       std::shared_ptr<SharedMemory> shared, Watchdog &watchdog)
      : training(training), initial(std::move(initial)), numRanks(training.world.numRanks()),
        rank(training.step, rank, numRanks, context, std::move(shared)), isRoot(rank == 0),
        carried(training.carried), watchdog(watchdog), alone(FreeSteps::of(training, this->rank)) {}
  ~Loop() { watchdog.leave(rank.rank()); }

  llvm::Error run(RunTimes &times);

  /// Writes the files of rank 0.
  llvm::Error write();

  /// Returns the step after which the parameters were saved; none if they were not.
  std::optional<int64_t> savedStep() const { return saved; }

  TrainingEnd end() const;

private:
  llvm::Error runStep(int64_t index);

  struct Step {
    int64_t index, step;
    std::shared_ptr<const StepRows> rows;
  };

  /// Runs a step. If steps can be queued ahead, the device computes it while ranks meet after the
  /// step before, unless values of this step are needed before the next.
  llvm::Error runAhead(Step next);

  llvm::Error endRunning();

  /// True if values or timings of the step are needed before the next step.
  bool isSeen(int64_t index) const;

  bool ends() const { return stop || stopsNext || notFinite || ended; }

  /// Does what ranks do together after a step. `isFollowed`: the next step is queued already, so a
  /// request to stop takes effect after that step.
  llvm::Error meet(int64_t index, int64_t step, const StepRows &rows, bool isFollowed = false);

  /// True on the rank that keeps the values of its process for the next world.
  bool keepsValues() const { return training.moves && rank.rank() == training.world.firstRank(); }
  /// Adds a request to go on in another world, and whether this process leaves, to what ranks
  /// exchange.
  void askToMove(StopRequest &asked, std::vector<double> &facts);
  /// Turns requests of ranks to move, and the number of processes that leave, into what all do.
  void decideMove(StopRequest &asked, llvm::ArrayRef<double> leaving, bool isLast);
  /// Copies the values for the next world.
  llvm::Error keepValues(int64_t index);
  /// Adds the step's metrics to the sums of a checkpoint. Returns whether these are of all steps of
  /// the epoch, or of the training if that counts steps.
  bool addToSums(int64_t index);

  /// Informs all ranks if rank 0 has found no improvement.
  llvm::Error agreeToStop();

  /// Returns the steps of this training, even if this run had none left to do.
  int64_t stepsTrained() const { return std::max(nextStep, training.initial.firstStep); }

  /// True if the training ended, now or in an earlier run, without an evaluation of its last
  /// values.
  bool endsUnevaluated() const;

  void doing(const char *what) { watchdog.enter(rank.rank(), what, nextStep); }

  /// Returns parameters and states between two steps, if they may be kept.
  llvm::Expected<Safetensors> copyOfValues();

  /// Fails, or warns once, because of a value that may not be kept: "'w' holds nan".
  llvm::Error refuse(std::string what);

  /// Adds the metadata of this training to those of a checkpoint. On rank 0.
  void addFacts(std::map<std::string, std::string> &metadata) const;

  /// Exchanges metrics, requests to stop and one fact of each rank, and with them the shares that
  /// are on the disk: once all are, rank 0 writes their index.
  llvm::Expected<std::vector<double>>
  exchangeMetrics(StopRequest &asked, llvm::function_ref<HostView(unsigned slot)> resultOf,
                  std::vector<double> &facts);

  /// Prepares the next save: the one before is finished, and the lock is still there.
  llvm::Error finishSave();

  /// Copies the values of a checkpoint, which a thread then writes: of all ranks, or of this one
  /// for the share of its process. Logs how long the training stood still.
  llvm::Error save();
  llvm::Error saveShare();

  /// Waits, with all ranks, until the last checkpoint in shares is complete.
  llvm::Error completeSave();

  /// Handles metrics that are not finite. All ranks see the same metrics, so they decide alike.
  llvm::Error judgeMetrics();

  /// Informs all ranks of the result of the check on rank 0.
  llvm::Error judgeCheck();

  /// Does the work of rank 0 while other ranks continue.
  llvm::Error besideStep(int64_t index, int64_t step);

  llvm::Error gatherResults();

  const Training &training;
  InitialValues initial; // shared with the other ranks of the process
  int64_t numRanks;
  Rank rank;
  std::optional<Loader> loader;
  bool isRoot, leaves = false, judged = false, warned = false, ended = false, notFinite = false;
  StopRequest stop, stopsNext; // of all ranks: after the last step, after the next one
  std::optional<Step> running; // ranks have not met after it
  int64_t nextStep = 0;
  std::optional<int64_t> saved;
  BlockedTime blocked;       // by the checkpoint that is being saved
  int64_t pendingShares = 0; // the step of shares whose index is not being written yet; 0: none
  std::vector<double> firstMetrics, lastMetrics;
  NamedArrays results;
  StepWaits waits;      // of the last step
  CarriedFacts carried; // sums are those of rank 0
  Watchdog &watchdog;
  std::optional<FreeSteps> alone; // for update = asynchronous
};

} // namespace ds

#endif // DS_LIB_RUN_TRAIN_LOOP_H
