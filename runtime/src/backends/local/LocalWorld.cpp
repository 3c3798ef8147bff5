//===- LocalWorld.cpp - Shared state of a local world -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LocalWorld.h"
#include "base/Messages.h"
#include "base/Threads.h"

#include <algorithm>
#include <sched.h>

namespace dsrt::local {

SharedGroup::SharedGroup(std::vector<int32_t> all, std::vector<int32_t> members, bool isCrowded)
    : everyone(std::move(all)), ranks(std::move(members)), isCrowded(isCrowded),
      rendezvous(static_cast<int32_t>(ranks.size()), /*maySpin=*/!isCrowded),
      slots(ranks.size(), Slot(everyone.size())) {}

World::World(int32_t numRanks, int32_t first, int32_t here)
    : numRanks(numRanks), first(first), here(here), progress(numRanks) {}

std::shared_ptr<SharedGroup> World::group(const std::vector<int32_t> &ranks) {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto &weak : groups)
    if (auto existing = weak.lock(); existing && existing->everyone == ranks)
      return existing;
  return addGroup(ranks);
}

std::shared_ptr<SharedGroup> World::makeGroup(const std::vector<int32_t> &ranks) {
  std::lock_guard<std::mutex> lock(mutex);
  return addGroup(ranks);
}

std::shared_ptr<SharedGroup> World::addGroup(const std::vector<int32_t> &ranks) {
  groups.erase(
      std::remove_if(groups.begin(), groups.end(), [](auto &weak) { return weak.expired(); }),
      groups.end());
  const auto from = std::lower_bound(ranks.begin(), ranks.end(), first),
             to = std::lower_bound(from, ranks.end(), first + here);
  auto made = std::make_shared<SharedGroup>(ranks, std::vector<int32_t>(from, to),
                                            /*isCrowded=*/here > availableCores());
  groups.push_back(made);
  return made;
}

void World::end(dsrt_status newStatus, int32_t rank, const std::string &newText,
                const std::vector<int32_t> &newLate) {
  std::lock_guard<std::mutex> lock(mutex);
  if (status != DSRT_OK)
    return;
  status = newStatus;
  failedRank = rank;
  text = newText;
  late = newLate;
  over.store(true);
  for (auto &weak : groups)
    if (auto group = weak.lock())
      group->rendezvous.wake();
}

// A timeout and an abort give all ranks the same status, except that a late rank gets
// DSRT_PEER_FAILED, because the others have gone. Any other failure is one rank's own, and the
// others get DSRT_PEER_FAILED.
dsrt_status World::statusFor(int32_t rank, dsrt_error *error) const {
  if (!over.load())
    return DSRT_OK;
  std::lock_guard<std::mutex> lock(mutex);
  const bool blamed = std::find(late.begin(), late.end(), rank) != late.end();
  if (status == DSRT_ABORTED)
    return failWith(error, DSRT_ABORTED, "rank %d aborted: %s", failedRank, text.c_str());
  if (status == DSRT_TIMEOUT && !blamed) {
    setText(error, "rank %d gave up: %s", failedRank, text.c_str());
    constexpr size_t capacity = sizeof error->late / sizeof error->late[0];
    error->num_late = static_cast<int32_t>(std::min(late.size(), capacity));
    std::copy_n(late.begin(), error->num_late, error->late);
    return DSRT_TIMEOUT;
  }
  return failWith(error, DSRT_PEER_FAILED, "rank %d failed first: %s", failedRank, text.c_str());
}

void World::report(int32_t rank, Progress reached) {
  std::lock_guard<std::mutex> lock(mutex);
  progress[rank] = reached;
}

std::vector<World::Progress> World::reports() const {
  std::lock_guard<std::mutex> lock(mutex);
  return progress;
}

dsrt_status World::waitForEnd(int32_t rank, dsrt_error *error) const {
  while (!over.load())
    sched_yield();
  return statusFor(rank, error);
}

} // namespace dsrt::local
