//===- DeviceQueue.cpp - Collectives that a caller's stream waits for -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages are queued on the device's own stream between two events: one of the caller's stream
// before them, and one after them that the caller's stream waits for. In a capture both take our
// stream into the caller's graph.
//
//===----------------------------------------------------------------------===//
#include "DeviceState.h"
#include "base/Messages.h"

#include <algorithm>
#include <cstring>

namespace dsrt::device {
namespace {

Rank &rankOf(void *state) { return *static_cast<Rank *>(state); }

dsrt_status queue(void *state, void *stream, const dsrt_mover *, int32_t checked, dsrt_error *) {
  Rank &rank = rankOf(state);
  rank.callersStream = stream;
  rank.queues = stream != nullptr;
  rank.meetsToQueue = checked != 0;
  return DSRT_OK;
}

dsrt_status follow(void *state, void *done, dsrt_error *error) {
  Rank &rank = rankOf(state);
  dsrt_status status = rank.device->bind(error);
  return status == DSRT_OK ? rank.device->letCallerWait(rank.callersStream, done, error) : status;
}

/// Returns the ranks that do not answer within `graceMs`; if all answer, those that timed out after
/// the fewest exchanges, unless all are equal.
std::vector<int32_t> findLate(Rank &rank, uint64_t wait, int64_t exchanges, int64_t graceMs,
                              dsrt_status &status, dsrt_error *error) {
  std::vector<int32_t> everyone(static_cast<size_t>(rank.place.num_ranks)), late;
  for (size_t r = 0; r < everyone.size(); ++r)
    everyone[r] = static_cast<int32_t>(r);
  std::string mine(sizeof exchanges, '\0');
  std::memcpy(mine.data(), &exchanges, sizeof exchanges);
  std::vector<std::string> values;
  status = rank.store.exchange("wait/" + std::to_string(wait), everyone, rank.place.rank, mine,
                               graceMs, values, error);
  if (status == DSRT_TIMEOUT)
    return std::vector<int32_t>(error->late, error->late + error->num_late);
  if (status != DSRT_OK)
    return late;
  std::vector<int64_t> reached(everyone.size());
  for (size_t r = 0; r < reached.size(); ++r)
    std::memcpy(&reached[r], values[r].data(), std::min(values[r].size(), sizeof reached[r]));
  const auto [least, most] = std::minmax_element(reached.begin(), reached.end());
  for (int32_t r : everyone)
    if (*least < *most && reached[r] == *least)
      late.push_back(r);
  status = DSRT_TIMEOUT;
  return late;
}

dsrt_status probe(void *state, uint64_t wait, int64_t exchanges, int64_t graceMs,
                  dsrt_error *error) {
  Rank &rank = rankOf(state);
  dsrt_status status = rank.device->bind(error);
  if (status != DSRT_OK || graceMs < 0)
    return status;
  if (graceMs == 0) {
    if (++rank.probes % 64 == 0)
      for (Group *group : rank.groups)
        if (status == DSRT_OK)
          status = group->communicator->health(error);
    rank.broken |= status != DSRT_OK;
    return status;
  }
  std::vector<int32_t> late;
  if (wait > 0)
    late = findLate(rank, wait, exchanges, graceMs, status, error);
  else
    status = DSRT_TIMEOUT;
  if (status == DSRT_TIMEOUT && !late.empty())
    setLate(error, 0, late);
  rank.broken = true; // the queued work may never end
  for (Group *group : rank.groups)
    group->communicator->abort();
  return status;
}

} // namespace

void addQueue(dsrt_backend &table) {
  table.capabilities |= DSRT_CAP_QUEUED;
  table.queue = queue;
  table.follow = follow;
  table.probe = probe;
}

} // namespace dsrt::device
