//===- SavePlan.cpp - The shares of a checkpoint --------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The largest parts are placed first, each in the share with the fewest bytes among those that can
// have it: at most 4/3 of the best division, and a part is never cut.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Feed/SavePlan.h"

#include "ds/Run/Feed/SaveLock.h"
#include "ds/Run/Ranks/Batch.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <numeric>
#include <set>

namespace ds {

using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// The least checkpoint of which processes write shares where the user leaves it to ds: rank 0
/// alone writes a smaller one within a tenth of a second.
static constexpr int64_t leastShared = int64_t(64) << 20;

/// Returns the ranks that hold each distinct part of an argument, in ascending order; ranks with
/// the same coordinates along the axes that shard it hold the same.
static std::vector<std::vector<int64_t>> holdersOf(const Manifest &manifest,
                                                   const ArgumentSpec &argument, int64_t numRanks) {
  std::map<std::vector<int64_t>, std::vector<int64_t>> holders;
  for (int64_t rank = 0; rank < numRanks; ++rank) {
    std::vector<int64_t> coordinates;
    for (const AxisShard &shard : argument.shards)
      coordinates.push_back(coordinateOf(manifest, shard, rank, numRanks));
    holders[coordinates].push_back(rank);
  }
  std::vector<std::vector<int64_t>> all;
  for (auto &item : holders)
    all.push_back(std::move(item.second));
  return all;
}

SavePlan::SavePlan(const Manifest &manifest, int64_t numRanks, std::vector<int64_t> firsts)
    : numRanks(numRanks), firstRanks(std::move(firsts)) {
  std::vector<std::vector<int64_t>> holders; // of each part
  std::set<std::string> names;
  for (auto [slot, argument] : llvm::enumerate(manifest.arguments))
    if (argument.isCarried())
      names.insert(argument.name);
  for (auto [slot, argument] : llvm::enumerate(manifest.arguments)) {
    if (!argument.isCarried())
      continue;
    const int64_t bytes = elementCount(argument.shape) * byteSize(argument.type);
    for (auto &ranks : holdersOf(manifest, argument, numRanks)) {
      SavedPart part{
          static_cast<unsigned>(slot), argument.shards.empty(), argument.name, 0, 0, bytes};
      if (!part.isWhole) {
        part.name += "@" + std::to_string(ranks.front());
        while (!names.insert(part.name).second)
          part.name += "@";
      }
      all.push_back(std::move(part));
      holders.push_back(std::move(ranks));
    }
  }
  std::vector<size_t> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](size_t a, size_t b) { return all[a].bytes > all[b].bytes; });
  std::vector<int64_t> loads(numShares());
  for (size_t i : order) {
    SavedPart &part = all[i];
    part.rank = holders[i].front();
    for (int64_t rank : holders[i])
      if (loads[shareOf(rank)] < loads[shareOf(part.rank)])
        part.rank = rank;
    part.share = shareOf(part.rank);
    loads[part.share] += part.bytes;
  }
}

int64_t SavePlan::shareOf(int64_t rank) const {
  return llvm::upper_bound(firstRanks, rank) - firstRanks.begin() - 1;
}

int64_t SavePlan::bytes() const {
  int64_t sum = 0;
  for (const SavedPart &part : all)
    sum += part.bytes;
  return sum;
}

SafetensorsIndex SavePlan::index(const Manifest &manifest,
                                 llvm::ArrayRef<std::string> files) const {
  SafetensorsIndex index;
  for (const SavedPart &part : all) {
    const ArgumentSpec &argument = manifest.arguments[part.slot];
    if (part.isWhole) {
      index.files[argument.name] = files[part.share];
      continue;
    }
    SafetensorsIndex::Sharded &sharded = index.sharded[argument.name];
    sharded.shape = wholeShape(manifest, argument, numRanks);
    sharded.parts.push_back(
        {files[part.share], part.name,
         runsOf(positionsOf(manifest, argument, part.rank, numRanks, sharded.shape))});
  }
  return index;
}

Expected<std::optional<SavePlan>> planShares(World &world, const RunOptions &options,
                                             const Manifest &manifest, const SaveLock *lock) {
  if (world.numRanks() == world.numLocalRanks() || options.shares == Shares::off)
    return std::nullopt;
  // Rank 0's options of saving decide; other ranks need not have them.
  const std::string every = options.saveEvery ? std::to_string(*options.saveEvery) +
                                                    (options.saveEveryEpochs ? " epochs" : " steps")
                                              : "";
  auto marks = world.gatherOfProcesses(every + "\n" + (lock ? lock->holder() : ""));
  if (!marks)
    return marks.takeError();
  auto [everyOfRoot, holder] = StringRef(marks->front()).split('\n');
  if (everyOfRoot.empty())
    return std::nullopt;
  const bool isSeen = lock || (every == everyOfRoot && SaveLock::holderOf(options.save) == holder);
  auto seen = world.gatherOfProcesses(isSeen ? "seen" : "");
  if (!seen)
    return seen.takeError();
  const llvm::ArrayRef<int64_t> firstRanks = world.firstRankOfEach();
  const size_t blind = llvm::find(*seen, "") - seen->begin();
  const bool isBlind = blind < seen->size();
  if (isBlind && options.shares == Shares::on)
    return world.agree(userError("--shares=on lets every process write beside '" + options.save +
                                 "', but that of rank " + Twine(firstRanks[blind]) +
                                 " does not see the folder of rank 0; give --save a name on a "
                                 "shared file system, or leave --shares out"));
  if (isBlind || (options.shares == Shares::automatic &&
                  carriedBytes(manifest, world.numRanks()).whole < leastShared))
    return std::nullopt;
  return std::optional<SavePlan>(std::in_place, manifest, world.numRanks(), firstRanks.vec());
}

} // namespace ds
