//===- MemoryCheckpoint.h - The values after the last step ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checkpoint in the memory of the processes, from which the others go on when one is lost: what
// all ranks hold is on each process, the shards of a rank on its own and on `copies` others. It has
// the values and metadata of one in a file, so what resumes a file resumes it.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_FEED_MEMORYCHECKPOINT_H
#define DS_RUN_FEED_MEMORYCHECKPOINT_H

#include "ds/Data/Safetensors.h"
#include "ds/Run/Feed/CopyPlan.h"
#include "ds/Run/Ranks/Rank.h"
#include "ds/Run/Ranks/World.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ds {

class MemoryCheckpoint {
public:
  using Metadata = std::map<std::string, std::string>;

  /// Gives all processes the newest values that they have together, and prepares the copies of this
  /// world: `copies` of rank 0's process. Collective over processes.
  llvm::Error share(World &world, const Manifest &manifest, int64_t copies);

  /// Copies what the rank holds after `step` steps: its shards, here and on other processes, and if
  /// there is metadata, on one rank of a process, what all ranks hold. Until all processes have the
  /// new shards, those of the step before stay. Collective over ranks.
  llvm::Error keep(Rank &rank, const Manifest &manifest, int64_t step,
                   std::optional<Metadata> metadata);

  bool isEmpty() const { return step() < 0; }
  /// Returns the steps done; -1 if there are no values.
  int64_t step() const { return replicated.now.step; }
  /// Returns the step whose values `share` found in parts only; -1 if there was none.
  int64_t lostStep() const { return lost; }
  /// Returns the values after `share`, on memory that the next `keep` overwrites.
  Safetensors contents(const Manifest &manifest, int64_t numRanks) const;

private:
  /// Values after a step, one after the other.
  struct Kept {
    int64_t step = -1;
    std::vector<uint8_t> bytes;
  };
  /// `next`: values that arrive, or of a step that is not known to be complete.
  struct Held {
    Kept now, next;
    Kept *of(int64_t step);
  };
  /// A value of all ranks, of a sharded argument.
  struct Whole {
    unsigned slot;
    std::vector<int64_t> shape;
    std::shared_ptr<std::vector<uint8_t>> bytes;
  };

  KeptList list(int64_t copies, int64_t numRanks) const;
  llvm::Error takeReplicated(World &world, llvm::ArrayRef<KeptList> lists, int64_t step,
                             const Manifest &manifest, Kept &kept);
  llvm::Error takeShards(World &world, llvm::ArrayRef<KeptList> lists, int64_t step,
                         const Manifest &manifest, std::vector<Whole> &values);
  llvm::Error sendCopies(Rank &rank, const Manifest &manifest, int64_t step);

  Held replicated;
  std::map<int64_t, Metadata> facts; // of the steps of `replicated`
  std::map<int64_t, Held> shards;    // by rank: of this process's, and the copies of others'
  std::vector<Whole> whole;          // what `share` has made, until all processes have shards
  int64_t wholeStep = -1, lost = -1;
  std::vector<std::vector<int64_t>> exchanges; // planCopies
};

} // namespace ds

#endif // DS_RUN_FEED_MEMORYCHECKPOINT_H
