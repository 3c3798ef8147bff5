//===- Shards.h - The samples that a rank reads -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There are three ways: all ranks have the same files and divide them; each rank has files of its
// own; or num_shards and shard_id select the samples of a rank from its files.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_SHARDS_H
#define DS_RUN_RANKS_SHARDS_H

#include "ds/Data/Sampler.h"

#include "llvm/Support/Error.h"

#include <string>

namespace ds {

/// The facts about its data that a process sends to the others.
struct FilesOfRank {
  std::string hash; // of their contents
  std::optional<int64_t> shardId;
  std::vector<std::pair<std::string, std::string>> arrays = {}; // argument and hash of each

  std::string toText() const;
  static FilesOfRank fromText(llvm::StringRef text);
};

/// The samples of each rank. Ranks that differ only along other axes of the mesh than the first
/// take the same samples: here, `sharing` ranks with neighbouring numbers are one.
struct ShardPlan {
  bool ownFiles = false;        // ranks have different samples
  int64_t numShards = 0;        // 0: all ranks divide the same files
  std::vector<int64_t> shardId; // by rank along the first axis
  int64_t sharing = 1;

  /// Returns, for Sampler, where the samples of each rank begin among those of all ranks.
  std::vector<Shard> shards(int64_t samples) const;
  /// Returns a checkpoint's description of the data: `400`, `4 x 100`, `100 in 4 shards`.
  std::string fact(int64_t samples) const;
  /// Returns `data: 400 samples`, for the first line of a training.
  std::string describe(int64_t samples) const;
};

/// Plans the shards. `byRank` has one entry if all ranks are threads of one process. `named` is
/// true if names of files contain {rank}. `numShards` is the key, with the same value on all ranks.
llvm::Expected<ShardPlan> planShards(llvm::ArrayRef<FilesOfRank> byRank, int64_t numRanks,
                                     int64_t sharing, bool named, std::optional<int64_t> numShards);

} // namespace ds

#endif // DS_RUN_RANKS_SHARDS_H
