//===- Rank.h - One rank's memory and its place among the others --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Feeds a StepInstance with this rank's part of global arrays, and assembles results of all ranks
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
  /// `shared` is the memory that the step has made for all ranks of the process, if they share
  /// values.
  Rank(const CompiledStep &step, int64_t rank, int64_t numRanks, dsrt_context *context,
       std::shared_ptr<SharedMemory> shared = nullptr);

  StepInstance &instance() { return *memory; }
  dsrt_context *context() const { return runtime; }
  int64_t rank() const { return number; }
  int64_t numRanksOfWorld() const { return numRanks; }

  /// Copies the given values; of sharded ones, the rank's shard. Releases each value once it is
  /// copied, so that values moved here are not in memory twice.
  void set(InitialValues values);
  /// Copies an argument, or the rank's shard of a sharded one.
  void setWhole(unsigned slot, const Array &whole);
  /// Loads this rank's part of the step's rows, which are in sample order. Padding rows get the
  /// weight 0.
  void load(const Dataset &data, const StepRows &rows);
  /// Returns the first mistake in the data of this rank's part.
  llvm::Error check(const Dataset &data, const StepRows &rows) const;
  /// Requests spare memory for the batch arguments. Returns the bytes of samples that have it.
  int64_t prepareSpares();
  /// Does what `load` does, but into spare memory: another thread may do so while the step runs.
  void loadSpares(const Dataset &data, const StepRows &rows);
  /// Makes the rows of `loadSpares` the values; loads arguments that have no spare memory.
  void takeSpares(const Dataset &data, const StepRows &rows);
  /// Moves arguments back to the memory that they had before `prepareSpares`, with their current
  /// values.
  void returnSpares();
  void writeSeeds(uint64_t seed, int64_t step);
  /// Writes the values of scheduled hyper-parameters for this step.
  void writeSchedules(const Schedules &schedules, int64_t step);

  /// Runs one step; an error of a collective is an error of the step.
  llvm::Error run() { return runAs(&StepInstance::runBeside); }
  /// The same, but on a device the step may still run when this returns. The errors are those of
  /// the step before, which has ended.
  llvm::Error runAhead() { return runAs(&StepInstance::runAhead); }
  bool isRunning() const { return memory->isRunning(); }
  /// Waits until no step runs.
  llvm::Error finish();
  const StepTimes &times() const { return stepTimes; }
  /// Returns the time of the last step; zeros if there are no other ranks.
  const StepTime &lastTime() const { return last; }
  /// Returns the times of the steps since the last call.
  StepTimes takeTimes() { return std::exchange(stepTimes, StepTimes()); }
  /// Records when steps start their exchanges.
  void keepEvents() { events.emplace(runtime, manifest.starts.size()); }
  const std::optional<StepEvents> &stepEvents() const { return events; }

  /// Gathers the sharded parameters and states, for `whole` on rank 0. Collective; does nothing if
  /// there are none.
  llvm::Error collect();
  /// Returns an argument; of a sharded one, the value that `collect` has gathered since `run`.
  Array whole(unsigned slot);

  /// Returns a copy of an argument; of a sharded one, of the rank's shard.
  Array copyOfArgument(unsigned slot) const;

  /// Returns parameters and states, by `whole`, or the error of a device that cannot copy them.
  llvm::Expected<Safetensors> checkpoint(uint64_t seed, int64_t nextStep);

  /// Returns the global value of an argument. Collective for sharded arguments; every rank gets it.
  llvm::Expected<Array> gatherArgument(unsigned slot);
  /// Returns a result with the rows of all ranks in sample order. Collective for sharded results;
  /// every rank gets it.
  llvm::Expected<Array> gather(unsigned slot);

private:
  /// Gathers an argument or result from the parts of all ranks, which have theirs in `mine`.
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

/// Returns the values of scalar metrics as arrays of their own types, by result slot.
std::map<unsigned, Array> metricArrays(const Manifest &manifest, llvm::ArrayRef<double> values);

/// Returns all results of step `step`, of all ranks, by their names in files of results; `metrics`
/// are the reduced ones. Collective.
llvm::Expected<std::map<std::string, Array>>
gatherResults(Rank &rank, const Manifest &manifest, int64_t step, llvm::ArrayRef<double> metrics);

} // namespace ds

#endif // DS_RUN_RANKS_RANK_H
