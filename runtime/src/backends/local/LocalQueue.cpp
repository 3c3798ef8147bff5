//===- LocalQueue.cpp - Collectives among threads, on a device --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The caller's mover queues for a device what LocalCollectives.cpp does for host memory. Ranks of
// one process keep their progress in a table, so that a wait which times out can name the ranks it
// waited for.
//
//===----------------------------------------------------------------------===//
#include "LocalWorld.h"
#include "base/Deadline.h"
#include "base/Messages.h"

#include <algorithm>
#include <unistd.h>

namespace dsrt::local {

QueuedShare::QueuedShare(const dsrt_mover &mover, const SharedGroup &group, int32_t index)
    : mover(mover), index(index) {
  for (const SharedGroup::Slot &slot : group.slots) {
    calls.push_back(slot.call);
    marks.push_back(slot.call->ready);
  }
}

dsrt_status QueuedShare::move(dsrt_error *error) {
  return mover.move(mover.state, calls.data(), static_cast<int64_t>(calls.size()), index, error);
}

dsrt_status QueuedShare::join(void **outDone, dsrt_error *error) {
  return mover.join(mover.state, marks.data(), static_cast<int64_t>(marks.size()), index, outDone,
                    error);
}

namespace {

Rank &rankOf(void *state) { return *static_cast<Rank *>(state); }

dsrt_status queue(void *state, void *stream, const dsrt_mover *mover, int32_t, dsrt_error *error) {
  if (stream && !mover)
    return failWith(error, DSRT_INVALID_ARGUMENT,
                    "backend 'local' has no stream of its own; expected a mover");
  rankOf(state).mover = mover;
  return DSRT_OK;
}

dsrt_status mark(void *state, void **outMark, dsrt_error *error) {
  const dsrt_mover *mover = rankOf(state).mover;
  return mover ? mover->mark(mover->state, outMark, error) : DSRT_OK;
}

dsrt_status follow(void *state, void *done, dsrt_error *error) {
  const dsrt_mover *mover = rankOf(state).mover;
  return mover->follow(mover->state, done, error);
}

/// Returns the ranks with the least progress, unless all are equal.
std::vector<int32_t> leastFar(const World &world) {
  std::vector<std::pair<uint64_t, int64_t>> all;
  for (const World::Progress &each : world.reports())
    all.emplace_back(each.wait, each.exchanges);
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  std::vector<int32_t> late;
  for (int32_t r = 0; r < world.numRanks; ++r)
    if (*least < *most && all[r] == *least)
      late.push_back(r);
  return late;
}

dsrt_status probe(void *state, uint64_t wait, int64_t exchanges, int64_t graceMs,
                  dsrt_error *error) {
  Rank &rank = rankOf(state);
  if (wait == 0)
    return graceMs > 0 ? DSRT_TIMEOUT : DSRT_OK;
  if (graceMs == 0)
    return DSRT_OK; // the core asks whether another rank has failed
  rank.world->report(rank.rank, {wait, graceMs < 0 ? World::Progress::all : exchanges});
  if (graceMs < 0)
    return DSRT_OK;
  // Ranks that wait as long time out at about the same moment.
  auto someAreMissing = [&] {
    const std::vector<World::Progress> all = rank.world->reports();
    return std::any_of(all.begin(), all.end(),
                       [&](const World::Progress &each) { return each.wait < wait; });
  };
  const Deadline deadline = Deadline::in(graceMs);
  while (someAreMissing() && !deadline.passed() && !rank.world->ended())
    usleep(1000);
  if (dsrt_status status = rank.world->statusFor(rank.rank, error); status != DSRT_OK)
    return status;
  if (std::vector<int32_t> late = leastFar(*rank.world); !late.empty())
    setLate(error, 0, late);
  return DSRT_TIMEOUT;
}

} // namespace

void addQueue(dsrt_backend &table) {
  table.capabilities |= DSRT_CAP_QUEUED;
  table.queue = queue;
  table.mark = mark;
  table.follow = follow;
  table.probe = probe;
}

} // namespace dsrt::local
