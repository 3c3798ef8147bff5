//===- SavePlan.h - The shares of a checkpoint ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which process writes which values. What all processes hold is divided among them by bytes, a
// value whole in one share; a shard is written by a process that holds it. The plan follows from
// the manifest and the first rank of each process, so all ranks make the same one.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_FEED_SAVEPLAN_H
#define DS_RUN_FEED_SAVEPLAN_H

#include "ds/Data/SafetensorsIndex.h"
#include "ds/Run/Options/Options.h"
#include "ds/Run/Ranks/World.h"
#include "ds/Step/Manifest.h"

namespace ds {

class SaveLock;

/// A parameter or state, or a shard of one.
struct SavedPart {
  unsigned slot;
  bool isWhole;
  std::string name; // in its share
  int64_t rank;     // that copies it
  int64_t share;
  int64_t bytes;
};

class SavePlan {
public:
  /// `firstRanks` has the first rank of each process.
  SavePlan(const Manifest &manifest, int64_t numRanks, std::vector<int64_t> firstRanks);

  int64_t numShares() const { return firstRanks.size(); }
  llvm::ArrayRef<int64_t> firsts() const { return firstRanks; }
  int64_t shareOf(int64_t rank) const;
  llvm::ArrayRef<SavedPart> parts() const { return all; }

  /// Returns where the values are, of shares with these files.
  SafetensorsIndex index(const Manifest &manifest, llvm::ArrayRef<std::string> files) const;
  int64_t bytes() const;

private:
  int64_t numRanks;
  std::vector<int64_t> firstRanks;
  std::vector<SavedPart> all;
};

/// Returns the plan of a training whose processes write shares (--shares); none if rank 0 writes
/// whole checkpoints. `lock` is that of rank 0, by whose file the other processes recognise the
/// folder of --save. Collective over processes.
llvm::Expected<std::optional<SavePlan>> planShares(World &world, const RunOptions &options,
                                                   const Manifest &manifest, const SaveLock *lock);

} // namespace ds

#endif // DS_RUN_FEED_SAVEPLAN_H
