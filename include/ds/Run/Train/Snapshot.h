//===- Snapshot.h - A copy of the values that a process writes --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At the end of a step the ranks of a process copy the values of its share, and the next step
// begins while a thread writes the copy. Processes exchange the newest step whose share they have
// on the disk with the metrics of each step, so rank 0 writes the index without a wait.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_TRAIN_SNAPSHOT_H
#define DS_RUN_TRAIN_SNAPSHOT_H

#include "ds/Run/Feed/Checkpoints.h"
#include "ds/Run/Feed/SavePlan.h"
#include "ds/Run/Ranks/Rank.h"
#include "ds/Run/Train/Kept.h"

#include <mutex>

namespace ds {

/// Called by all ranks of the process, from their threads.
class Snapshot {
public:
  /// Returns the snapshots of a training whose processes write shares, else null, and gives all
  /// processes the names of `carried`. Collective over processes.
  static llvm::Expected<std::unique_ptr<Snapshot>>
  create(const RunOptions &options, const Manifest &manifest, World &world, const SaveLock *lock,
         CheckpointWriter &writer, CarriedFacts &carried);
  Snapshot(SavePlan plan, const Manifest &manifest, std::string save, const World &world,
           CheckpointWriter &writer);

  /// Copies the values that `rank` copies after `step`, and passes each with the name of its
  /// argument to `check`. The last rank of the process to come starts the writer.
  llvm::Error add(Rank &rank, int64_t step,
                  llvm::function_ref<llvm::Error(const std::string &, const Array &)> check);
  /// Returns the newest step whose share this process has on the disk.
  int64_t doneStep() const { return writer.doneStep(); }
  /// Waits for the share that is being written. Called by the first rank of the process.
  llvm::Error finish(int64_t rank);
  /// Called by all ranks with the done steps of all ranks. Returns true if all processes have
  /// theirs of the last step that was added: rank 0 then begins to write the index.
  llvm::Expected<bool> complete(int64_t rank, int64_t step, llvm::ArrayRef<double> doneSteps);
  /// Keeps the metadata of the checkpoint that is added next. Called by rank 0.
  void describe(std::map<std::string, std::string> metadata) { described = std::move(metadata); }

private:
  const SavePlan plan;
  const Manifest &manifest;
  const std::string save;
  const int64_t first, numLocal;
  CheckpointWriter &writer;
  std::map<std::string, std::string> described;
  std::mutex mutex;
  Safetensors contents; // copied until now
  int64_t added = 0;    // ranks
};

} // namespace ds

#endif // DS_RUN_TRAIN_SNAPSHOT_H
