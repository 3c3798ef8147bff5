//===- Shards.h - Which samples a rank reads --------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three ways: all ranks have the same files and divide them; each rank has files of its own; or
// num_shards and shard_id say what a rank reads of what it has.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_SHARDS_H
#define DS_RUN_RANKS_SHARDS_H

#include "ds/Data/Sampler.h"

#include "llvm/Support/Error.h"

#include <string>

namespace ds {

/// What one process tells the others about its data.
struct FilesOfRank {
  std::string hash; // of their contents
  std::optional<int64_t> shardId;
  std::vector<std::pair<std::string, std::string>> arrays = {}; // argument and hash of each

  std::string toText() const;
  static FilesOfRank fromText(llvm::StringRef text);
};

/// Ranks that differ along another axis of the mesh than the first take the same samples: `sharing`
/// ranks with neighbouring numbers are one here.
struct ShardPlan {
  bool ownFiles = false;        // each rank's samples are other ones
  int64_t numShards = 0;        // 0: all ranks divide the same files
  std::vector<int64_t> shardId; // by rank along the first axis
  int64_t sharing = 1;

  /// For Sampler: where the samples of each rank begin among those of all.
  std::vector<Shard> shards(int64_t samples) const;
  /// What a checkpoint says about the data: `400`, `4 x 100`, `100 in 4 shards`.
  std::string fact(int64_t samples) const;
  /// `data: 400 samples`, as the first line of a training says it.
  std::string describe(int64_t samples) const;
};

/// `byRank` has one entry where all ranks are threads of one process. `named`: files are named by
/// {rank}. `numShards` is the key, on all ranks the same.
llvm::Expected<ShardPlan> planShards(llvm::ArrayRef<FilesOfRank> byRank, int64_t numRanks,
                                     int64_t sharing, bool named, std::optional<int64_t> numShards);

} // namespace ds

#endif // DS_RUN_RANKS_SHARDS_H
