//===- Shards.cpp - The samples that a rank reads ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of one name and size may hold different samples on every rank, if each host has its part.
// Ranks compare hashes of the files: if all are equal, they are one set of data; if all differ, in
// each of their arrays, they are each rank's own; any other case could be a damaged copy, so the
// user must specify it.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Shards.h"

#include "ds/Support/UserError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"

#include <map>

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::Twine;

std::string FilesOfRank::toText() const {
  std::string text = hash + " " + (shardId ? std::to_string(*shardId) : "-");
  for (const auto &[name, ofArray] : arrays) // a name may contain blanks
    text += "\n" + ofArray + " " + name;
  return text;
}

FilesOfRank FilesOfRank::fromText(llvm::StringRef text) {
  auto [first, rest] = text.split('\n');
  auto [hash, shard] = first.split(' ');
  FilesOfRank files{hash.str(), std::nullopt};
  int64_t number;
  if (!shard.getAsInteger(10, number))
    files.shardId = number;
  while (!rest.empty()) {
    std::tie(first, rest) = rest.split('\n');
    auto [ofArray, name] = first.split(' ');
    files.arrays.emplace_back(name.str(), ofArray.str());
  }
  return files;
}

std::vector<Shard> ShardPlan::shards(int64_t samples) const {
  std::vector<Shard> all;
  if (numShards > 0)
    for (auto [rank, number] : llvm::enumerate(shardId))
      all.push_back({ownFiles ? static_cast<int64_t>(rank) * samples : 0, number});
  return all;
}

std::string ShardPlan::fact(int64_t samples) const {
  std::string text = std::to_string(samples);
  if (ownFiles)
    text = std::to_string(shardId.size()) + " x " + text;
  return numShards > 1 ? text + " in " + std::to_string(numShards) + " shards" : text;
}

std::string ShardPlan::describe(int64_t samples) const {
  std::string text = "data: ";
  if (ownFiles && sharing > 1)
    text += "each group of " + std::to_string(sharing) +
            " ranks reads its own files: " + std::to_string(samples) + " samples in each of " +
            std::to_string(shardId.size()) + " groups";
  else if (ownFiles)
    text += "each rank reads its own files: " + std::to_string(samples) + " samples on each of " +
            std::to_string(shardId.size()) + " ranks";
  else
    text += std::to_string(samples) + " samples";
  if (numShards > 1 || (numShards == 1 && !ownFiles))
    text += ", of which a rank takes one of " + std::to_string(numShards) +
            " shards (rank 0: " + std::to_string(shardId[0]) + ")";
  return text;
}

/// Returns one entry for each group of ranks that take the same samples.
static Expected<std::vector<FilesOfRank>> mergeSharing(llvm::ArrayRef<FilesOfRank> byRank,
                                                       int64_t sharing) {
  std::vector<FilesOfRank> merged;
  if (byRank.size() == 1) // threads
    return byRank.vec();
  for (auto [rank, files] : llvm::enumerate(byRank)) {
    size_t first = rank / sharing * sharing;
    if (rank == first)
      merged.push_back(files);
    else if (files.toText() != byRank[first].toText())
      return userError("ranks " + Twine(first) + " and " + Twine(rank) + " read other " +
                       (files.hash == byRank[first].hash ? "shards" : "files") +
                       ", but they differ along another axis of the mesh than the first, so they "
                       "take the same samples; give them the same files and shard_id");
  }
  return merged;
}

/// Refuses keys by which two ranks would read the same samples.
static Error checkDistinct(llvm::ArrayRef<FilesOfRank> byRank, int64_t numRanks,
                           const ShardPlan &plan) {
  if (byRank.size() == 1 && numRanks > 1)
    return userError(
        "shard_id is " + Twine(plan.shardId[0]) + " on all " + Twine(numRanks * plan.sharing) +
        " ranks, which are threads of one process, so they would read the same "
        "samples; leave num_shards and shard_id out, or name files of each rank, as in "
        "x=part-{rank}.npy");
  for (size_t a = 0; a < byRank.size(); ++a)
    for (size_t b = a + 1; b < byRank.size(); ++b)
      if (byRank[a].hash == byRank[b].hash && plan.shardId[a] == plan.shardId[b])
        return userError("ranks " + Twine(a * plan.sharing) + " and " + Twine(b * plan.sharing) +
                         " would read the same samples: "
                         "shard_id is " +
                         Twine(plan.shardId[a]) + " of " + Twine(plan.numShards) +
                         " on both, and so are their files");
  return Error::success();
}

/// Returns the error for two ranks with the same files where another rank has different ones.
static Error mixedFiles(llvm::ArrayRef<FilesOfRank> byRank, int64_t sharing) {
  for (size_t a = 0; a < byRank.size(); ++a)
    for (size_t b = a + 1; b < byRank.size(); ++b)
      if (byRank[a].hash == byRank[b].hash)
        for (size_t c = 0; c < byRank.size(); ++c)
          if (byRank[c].hash != byRank[a].hash)
            return userError("ranks " + Twine(a * sharing) + " and " + Twine(b * sharing) +
                             " read the same data, but "
                             "rank " +
                             Twine(c * sharing) +
                             " other data of the same size; give all ranks "
                             "the same files, or each its own, or say with num_shards and shard_id "
                             "what each of them reads");
  llvm_unreachable("some are alike and some are not");
}

/// Refuses two ranks that have one array in common but differ in another, as after a bit flip in a
/// copy.
static Error checkArrays(llvm::ArrayRef<FilesOfRank> byRank, int64_t sharing) {
  std::map<std::pair<std::string, std::string>, size_t> seen; // argument and hash, first rank
  for (size_t rank = 0; rank < byRank.size(); ++rank)
    for (const auto &array : byRank[rank].arrays) {
      size_t other = seen.try_emplace(array, rank).first->second;
      if (byRank[other].hash == byRank[rank].hash)
        continue;
      auto unlike = llvm::find_if(byRank[rank].arrays, [&](const auto &mine) {
        return !llvm::is_contained(byRank[other].arrays, mine);
      });
      return userError("rank " + Twine(rank * sharing) + " reads another '" +
                       (unlike == byRank[rank].arrays.end() ? "" : unlike->first) + "' than rank " +
                       Twine(other * sharing) + ", but the same '" + array.first +
                       "': one of them may be damaged; give all ranks the same files, or say with "
                       "num_shards=1 and shard_id=0 that each has its own");
    }
  return Error::success();
}

static Expected<ShardPlan> planMerged(llvm::ArrayRef<FilesOfRank> byRank, int64_t numRanks,
                                      int64_t sharing, bool named,
                                      std::optional<int64_t> numShards) {
  ShardPlan plan;
  if (numRanks == 1 && numShards.value_or(1) == 1)
    return plan;
  plan.sharing = sharing;
  bool threads = byRank.size() == 1;
  llvm::StringSet<> hashes;
  for (const FilesOfRank &files : byRank)
    hashes.insert(files.hash);
  plan.ownFiles = numRanks > 1 && (named || hashes.size() > 1);
  if (numShards) {
    plan.numShards = *numShards;
    bool divided = *numShards == numRanks && !plan.ownFiles;
    for (int64_t rank = 0; rank < numRanks; ++rank) {
      plan.shardId.push_back(*byRank[threads ? 0 : rank].shardId);
      divided &= plan.shardId.back() == rank;
    }
    if (divided) // the same as without the keys
      return ShardPlan();
    if (!named)
      if (Error error = checkDistinct(byRank, numRanks, plan))
        return error;
    return plan;
  }
  if (!plan.ownFiles)
    return plan;
  if (!named)
    if (Error error = checkArrays(byRank, sharing))
      return error;
  if (!named && hashes.size() < byRank.size())
    return mixedFiles(byRank, sharing);
  plan.numShards = 1;
  plan.shardId.assign(numRanks, 0);
  return plan;
}

Expected<ShardPlan> planShards(llvm::ArrayRef<FilesOfRank> ofRanks, int64_t allRanks,
                               int64_t sharing, bool named, std::optional<int64_t> numShards) {
  Expected<std::vector<FilesOfRank>> byRank = mergeSharing(ofRanks, sharing);
  if (!byRank)
    return byRank.takeError();
  return planMerged(*byRank, allRanks / sharing, sharing, named, numShards);
}

} // namespace ds
