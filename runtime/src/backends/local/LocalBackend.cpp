//===- LocalBackend.cpp - Ranks as threads of one process -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of the `local` backend: worlds made by dsrt_local_world_create, and the world of one
// rank that dsrt_init("local") makes.
//
//===----------------------------------------------------------------------===//
#include "LocalBackend.h"
#include "LocalWorld.h"
#include "backends/HostTable.h"
#include "base/Messages.h"

#include <algorithm>
#include <new>

namespace dsrt::local {
namespace {

Rank &rankOf(void *state) { return *static_cast<Rank *>(state); }

dsrt_status init(const dsrt_options *options, void **outState, int32_t *outRank,
                 int32_t *outNumRanks, dsrt_error *) {
  createWorld(1, *options, outState);
  *outRank = 0;
  *outNumRanks = 1;
  return DSRT_OK;
}

dsrt_status shutdown(void *state, int32_t, dsrt_error *) {
  delete static_cast<Rank *>(state);
  return DSRT_OK;
}

dsrt_status groupCreate(void *state, int32_t numRanks, const int32_t *ranks, int64_t,
                        void **outGroup, dsrt_error *) {
  Rank &rank = rankOf(state);
  std::vector<int32_t> list(ranks, ranks + numRanks);
  int32_t index =
      static_cast<int32_t>(std::lower_bound(list.begin(), list.end(), rank.rank) - list.begin());
  *outGroup = new Membership{rank.world->group(list), index};
  return DSRT_OK;
}

void groupDestroy(void *, void *group, int32_t) { delete static_cast<Membership *>(group); }

dsrt_status collective(void *state, void *group, const dsrt_call *call, dsrt_error *error) {
  return runCollective(rankOf(state), *static_cast<Membership *>(group), *call, error);
}

void failed(void *state, dsrt_status status, const char *text, const dsrt_error *details) {
  Rank &rank = rankOf(state);
  std::vector<int32_t> late;
  if (details)
    late.assign(details->late, details->late + details->num_late);
  rank.world->end(status, rank.rank, text, late);
}

dsrt_status poll(void *state, dsrt_error *error) {
  Rank &rank = rankOf(state);
  return rank.world->statusFor(rank.rank, error);
}

void abortWorld(void *state, const char *reason) {
  Rank &rank = rankOf(state);
  rank.world->end(DSRT_ABORTED, rank.rank, reason, {});
}

dsrt_backend makeBackend() {
  dsrt_backend table = makeHostTable("local", DSRT_CAP_IN_ORDER | DSRT_CAP_THREADS | DSRT_CAP_NAN);
  table.init = init;
  table.shutdown = shutdown;
  table.group_create = groupCreate;
  table.group_destroy = groupDestroy;
  table.collective = collective;
  table.failed = failed;
  table.poll = poll;
  table.abort = abortWorld;
  addQueue(table);
  return table;
}

} // namespace

const dsrt_backend *backend() {
  static const dsrt_backend table = makeBackend();
  return &table;
}

void createWorld(int32_t numRanks, const dsrt_options &, void **outStates) {
  auto world = std::make_shared<World>(numRanks, /*first=*/0, /*here=*/numRanks);
  std::vector<std::unique_ptr<Rank>> ranks;
  for (int32_t r = 0; r < numRanks; ++r)
    ranks.push_back(std::make_unique<Rank>(Rank{world, r, nullptr}));
  for (int32_t r = 0; r < numRanks; ++r)
    outStates[r] = ranks[r].release();
}

} // namespace dsrt::local
