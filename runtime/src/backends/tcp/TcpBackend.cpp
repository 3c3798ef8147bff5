//===- TcpBackend.cpp - Ranks as processes that talk TCP --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Needs no library and no launcher of its own: ranks meet by the store of the core, each two of
// them hold one connection, and memory where both are on one host, and the store reports failures.
// Groups share the connections; each call's header names its group.
//
//===----------------------------------------------------------------------===//
#include "TcpBackend.h"
#include "Mesh.h"
#include "TcpCollectives.h"
#include "backends/HostTable.h"
#include "base/Messages.h"
#include "bootstrap/StorePart.h"

#include <algorithm>
#include <memory>
#include <thread>

namespace dsrt::tcp {
namespace {

Rank &rankOf(void *state) { return *static_cast<Rank *>(state); }

dsrt_status join(const dsrt_options *options, const dsrt_place *place, void **outState,
                 dsrt_error *error) {
  auto rank = std::make_unique<Rank>();
  rank->store = static_cast<bootstrap::Store *>(place->store);
  rank->rank = place->rank;
  rank->size = place->num_ranks;
  rank->placeOnHost = place->local_rank;
  rank->options = *options;
  rank->onHost = place->local_size;
  rank->crowded = place->local_size > static_cast<int32_t>(std::thread::hardware_concurrency());
  Mesh mesh;
  if (dsrt_status status =
          connectMesh(*rank->store, place->local_rank, options->timeout_ms, mesh, error);
      status != DSRT_OK)
    return status;
  rank->peers.resize(mesh.channels.size());
  for (size_t r = 0; r < mesh.channels.size(); ++r)
    rank->peers[r].channel = std::move(mesh.channels[r]);
  rank->hostOf = std::move(mesh.hostOf);
  *outState = rank.release();
  return DSRT_OK;
}

dsrt_status shutdown(void *state, int32_t, dsrt_error *) {
  delete static_cast<Rank *>(state);
  return DSRT_OK;
}

std::unique_ptr<Members> membersOf(const Rank &rank, int32_t numRanks, const int32_t *ranks) {
  auto members = std::make_unique<Members>();
  members->ranks.assign(ranks, ranks + numRanks);
  members->hash = hashRanks(members->ranks);
  members->index = static_cast<int32_t>(std::find(ranks, ranks + numRanks, rank.rank) - ranks);
  members->hosts = hostsOf(members->ranks, rank.hostOf);
  return members;
}

dsrt_status groupCreateApart(void *state, int32_t numRanks, const int32_t *ranks, uint64_t name,
                             int64_t timeoutMs, void **outGroup, dsrt_error *error) {
  const Rank &rank = rankOf(state);
  std::unique_ptr<Members> members = membersOf(rank, numRanks, ranks);
  auto apart = std::make_unique<Rank>();
  apart->store = rank.store;
  apart->rank = rank.rank;
  apart->size = rank.size;
  apart->options = rank.options;
  apart->onHost = rank.onHost;
  apart->crowded = rank.crowded;
  apart->hostOf = rank.hostOf;
  bootstrap::StorePart part(*rank.store, members->ranks, "apart." + std::to_string(name));
  Mesh mesh;
  if (dsrt_status status = connectMesh(part, rank.placeOnHost, timeoutMs, mesh, error);
      status != DSRT_OK) {
    for (int32_t i = 0; i < error->num_late; ++i)
      error->late[i] = members->ranks[error->late[i]];
    return status;
  }
  apart->peers.resize(static_cast<size_t>(rank.size));
  for (int32_t m = 0; m < numRanks; ++m)
    apart->peers[ranks[m]].channel = std::move(mesh.channels[m]);
  members->apart = std::move(apart);
  *outGroup = members.release();
  return DSRT_OK;
}

dsrt_status groupCreate(void *state, int32_t numRanks, const int32_t *ranks, int64_t timeoutMs,
                        void **outGroup, dsrt_error *error) {
  Rank &rank = rankOf(state);
  std::unique_ptr<Members> members = membersOf(rank, numRanks, ranks);
  // The world met when it connected.
  if (numRanks < rank.size) {
    std::string name = "dsrt.tcp.group";
    for (int32_t r : members->ranks)
      name += "." + std::to_string(r);
    if (name.size() > 1024) // a key of the store has an end
      name = "dsrt.tcp.group." + std::to_string(members->hash);
    if (dsrt_status status =
            rank.store->barrier(name, members->ranks, members->index, timeoutMs, error);
        status != DSRT_OK)
      return status;
  }
  *outGroup = members.release();
  return DSRT_OK;
}

void groupDestroy(void *, void *group, int32_t) { delete static_cast<Members *>(group); }

dsrt_status collective(void *state, void *group, const dsrt_call *call, dsrt_error *error) {
  auto &members = *static_cast<Members *>(group);
  return runCollective(members.apart ? *members.apart : rankOf(state), members, *call, error);
}

void failed(void *state, dsrt_status status, const char *text, const dsrt_error *) {
  rankOf(state).store->fail(status, text);
}

dsrt_status poll(void *state, dsrt_error *error) {
  Rank &rank = rankOf(state);
  return rank.store->poll(rank.options.timeout_ms, error);
}

void abortWorld(void *state, const char *reason) {
  rankOf(state).store->fail(DSRT_ABORTED, reason);
}

void describe(void *state, dsrt_capabilities *capabilities) {
  capabilities->deterministic = 1; // there is no other way
  capabilities->multiprocess = rankOf(state).store->acrossProcesses();
  if (capabilities->multiprocess)
    capabilities->ranks_on_host = rankOf(state).onHost;
}

dsrt_backend makeBackend() {
  dsrt_backend table = makeHostTable("tcp", DSRT_CAP_IN_ORDER | DSRT_CAP_POLLED |
                                                DSRT_CAP_MULTIPROCESS | DSRT_CAP_NAN);
  table.join = join;
  table.shutdown = shutdown;
  table.group_create = groupCreate;
  table.group_destroy = groupDestroy;
  table.collective = collective;
  table.failed = failed;
  table.poll = poll;
  table.abort = abortWorld;
  table.describe = describe;
  table.group_create_apart = groupCreateApart;
  return table;
}

} // namespace

const dsrt_backend *backend() {
  static const dsrt_backend table = makeBackend();
  return &table;
}

} // namespace dsrt::tcp
