//===- CopyPlan.h - Which process keeps whose shards ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process's shards have copies on other processes, and what is left of them after a loss may be
// of two steps. Plain data: MemoryCheckpoint has the values.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_FEED_COPYPLAN_H
#define DS_RUN_FEED_COPYPLAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ds {

/// Returns exchanges after which `copies` other processes have each rank's shards, or all others if
/// they are fewer. An exchange names, for each rank, the rank whose shards it receives; -1: none.
/// Processes send to the ones that are the same number of places further; first come numbers by
/// which most send to another host, then small ones. `firsts` has the first rank of each process.
std::vector<std::vector<int64_t>> planCopies(llvm::ArrayRef<int64_t> firsts, int64_t numRanks,
                                             llvm::ArrayRef<std::string> hosts, int64_t copies);

/// A process's list of the values that it has in memory.
struct KeptList {
  std::string host;
  int64_t copies = 1; // that the process was started with
  /// By steps done: the facts of a checkpoint, where what all ranks hold is there; the ranks whose
  /// shards are there.
  std::map<int64_t, std::map<std::string, std::string>> facts;
  std::map<int64_t, std::set<int64_t>> shards;

  std::string toText() const;
  static KeptList fromText(llvm::StringRef text);
};

/// Returns the first process that has what all ranks hold after `step` steps; none if none has.
std::optional<size_t> holderOf(llvm::ArrayRef<KeptList> lists, int64_t step);
/// Returns the first process that has the shards of `rank`.
std::optional<size_t> holderOf(llvm::ArrayRef<KeptList> lists, int64_t step, int64_t rank);

/// Returns the newest step of which the processes have everything together; -1 if there is none.
/// `numShards`: ranks that have shards, or 0.
int64_t newestWhole(llvm::ArrayRef<KeptList> lists, int64_t numShards);
/// Returns the newest step of which a process has something; -1 if none has.
int64_t newestOf(llvm::ArrayRef<KeptList> lists);

} // namespace ds

#endif // DS_RUN_FEED_COPYPLAN_H
