//===- Rank.h - One rank's memory and its place among the others --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Feeds a StepInstance with this rank's part of whole arrays and puts results of all ranks together
// in sample order.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_RANK_H
#define DS_RUN_RANKS_RANK_H

#include "ds/Data/Array.h"
#include "ds/Data/Dataset.h"
#include "ds/Data/Sampler.h"
#include "ds/Run/Options/Schedule.h"
#include "ds/Run/Ranks/Batch.h"
#include "ds/Run/Ranks/Profile.h"
#include "ds/Run/Ranks/StepTimes.h"
#include "ds/Run/Ranks/Values.h"
#include "ds/Target/CompiledStep.h"

#include "llvm/Support/Error.h"

namespace ds {

class Rank {
public:
  /// `shared`: what the step has made for all ranks of the process, where they share values.
  Rank(const CompiledStep &step, int64_t rank, int64_t numRanks, dsrt_context *context,
       std::shared_ptr<SharedMemory> shared = nullptr);

  StepInstance &instance() { return *memory; }
  dsrt_context *context() const { return runtime; }
  int64_t rank() const { return number; }

  /// Copies the values that are there, and of those that ranks divide the rank's shard. Lets go of
  /// each when it is copied, so that values that are moved here are not in memory twice.
  void set(InitialValues values);
  /// Copies an argument, or what the rank holds of one that is divided.
  void setWhole(unsigned slot, const Array &whole);
  /// Loads this rank's part of the step's rows, which are in sample order. Rows that do not count
  /// weigh 0.
  void load(const Dataset &data, const StepRows &rows);
  /// What is wrong with the data of this rank's part.
  llvm::Error check(const Dataset &data, const StepRows &rows) const;
  /// Asks for spare memory for the batch arguments; how many bytes of samples have it.
  int64_t prepareSpares();
  /// As `load` does, but into spare memory: another thread may do it while the step runs.
  void loadSpares(const Dataset &data, const StepRows &rows);
  /// What `loadSpares` has loaded becomes the value; what has no spare memory is loaded.
  void takeSpares(const Dataset &data, const StepRows &rows);
  /// Arguments are where they were before `prepareSpares`, with what they hold now.
  void returnSpares();
  void writeSeeds(uint64_t seed, int64_t step);
  /// The values that hyper-parameters have in this step, if they change.
  void writeSchedules(const Schedules &schedules, int64_t step);

  /// Runs one step; an error of a collective is an error of the step.
  llvm::Error run() { return runAs(&StepInstance::runBeside); }
  /// The same, but on a device the step may still run when this returns: the one before it has
  /// ended, whose errors these are.
  llvm::Error runAhead() { return runAs(&StepInstance::runAhead); }
  bool isRunning() const { return memory->isRunning(); }
  /// Returns when no step runs.
  llvm::Error finish();
  const StepTimes &times() const { return stepTimes; }
  /// Of the last step; zeros where no others are.
  const StepTime &lastTime() const { return last; }
  /// Those of the steps since the last call.
  StepTimes takeTimes() { return std::exchange(stepTimes, StepTimes()); }
  /// Keeps when steps start their exchanges.
  void keepEvents() { events.emplace(runtime, manifest.starts.size()); }
  const std::optional<StepEvents> &stepEvents() const { return events; }

  /// Puts the parameters and states together of which each rank holds a shard, for `whole` on rank
  /// 0. Collective; nothing without such.
  llvm::Error collect();
  /// An argument as it is; of one that is divided, what `collect` has put together since `run`.
  Array whole(unsigned slot);

  /// Parameters and states, as `whole` gives them, or why a device could not copy them.
  llvm::Expected<Safetensors> checkpoint(uint64_t seed, int64_t nextStep);

  /// An argument, put together where ranks divide it. Collective for those; every rank gets it.
  llvm::Expected<Array> gatherArgument(unsigned slot);
  /// A result with the rows of all ranks in sample order. Collective for results that are sharded;
  /// every rank gets it.
  llvm::Expected<Array> gather(unsigned slot);

private:
  /// An argument or result of which every rank has its part in `mine`.
  template <typename Spec> llvm::Expected<Array> assemble(const Spec &spec, const HostView &mine);

  llvm::Error runAs(void (StepInstance::*way)(dsrt_context *, llvm::function_ref<void()>));
  void loadSlot(const Dataset &data, const StepRows &rows, unsigned slot, char *bytes) const;

  const Manifest &manifest;
  std::unique_ptr<StepInstance> memory;
  std::map<unsigned, Array> collected;
  std::map<unsigned, char *> spares; // of batch arguments; none before prepareSpares()
  bool areSwapped = false;
  StepTimes stepTimes;
  StepTime last;
  std::optional<StepEvents> events;
  int64_t number, numRanks;
  dsrt_context *runtime;
};

/// The values of scalar metrics as arrays of their own types, by result slot.
std::map<unsigned, Array> metricArrays(const Manifest &manifest, llvm::ArrayRef<double> values);

/// All results of step `step`, of all ranks, as files of results name them; `metrics` are the
/// combined ones. Collective.
llvm::Expected<std::map<std::string, Array>>
gatherResults(Rank &rank, const Manifest &manifest, int64_t step, llvm::ArrayRef<double> metrics);

} // namespace ds

#endif // DS_RUN_RANKS_RANK_H
