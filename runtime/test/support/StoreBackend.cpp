//===- StoreBackend.cpp - The smallest backend that joins by a store -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StoreBackend.h"
#include "base/Kernels.h"
#include "base/Messages.h"
#include "bootstrap/Store.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using dsrt::bootstrap::Store;

namespace dsrt::test {

int32_t refusingRank = -1;

namespace {

struct Rank {
  Store *store;
  dsrt_place place;
  int64_t timeoutMs;
  int calls = 0;
};

struct Members {
  std::vector<int32_t> ranks;
  int32_t index;
  std::string name;
};

dsrt_status join(const dsrt_options *options, const dsrt_place *place, void **outState,
                 dsrt_error *error) {
  if (place->rank == refusingRank) {
    std::strcpy(error->text, "no device for me");
    return DSRT_UNAVAILABLE;
  }
  *outState = new Rank{static_cast<Store *>(place->store), *place, options->timeout_ms};
  return DSRT_OK;
}
dsrt_status leave(void *state, int32_t, dsrt_error *) {
  delete static_cast<Rank *>(state);
  return DSRT_OK;
}
dsrt_status makeGroup(void *state, int32_t numRanks, const int32_t *ranks, int64_t timeoutMs,
                      void **outGroup, dsrt_error *error) {
  Rank &rank = *static_cast<Rank *>(state);
  auto *members = new Members{{ranks, ranks + numRanks}, 0, "group"};
  for (int32_t m = 0; m < numRanks; ++m) {
    members->name += "." + std::to_string(ranks[m]);
    if (ranks[m] == rank.place.rank)
      members->index = m;
  }
  dsrt_status status =
      rank.store->barrier(members->name, members->ranks, members->index, timeoutMs, error);
  if (status == DSRT_OK)
    *outGroup = members;
  else
    delete members;
  return status;
}
void dropGroup(void *, void *group, int32_t) { delete static_cast<Members *>(group); }

dsrt_status allReduce(void *state, void *group, const dsrt_call *call, dsrt_error *error) {
  Rank &rank = *static_cast<Rank *>(state);
  Members &members = *static_cast<Members *>(group);
  const char *failing = std::getenv("DS_TEST_STORE_ERROR");
  if (failing && std::atoi(failing) == rank.place.rank && ++rank.calls == 3) {
    std::strcpy(error->text, "the library reports: unhandled system error");
    return DSRT_INTERNAL;
  }
  const int64_t elements = call->n_buffers ? call->elements[0] : 0;
  const size_t bytes = static_cast<size_t>(elements * dsrt_dtype_size(call->dtype));
  const CallSignature signature = signatureOf(*call);
  std::string mine(reinterpret_cast<const char *>(&signature), sizeof signature);
  if (bytes)
    mine.append(static_cast<const char *>(call->inputs[0]), bytes);
  std::vector<std::string> all;
  dsrt_status status = rank.store->exchange(members.name, members.ranks, members.index, mine,
                                            call->timeout_ms, all, error);
  if (status != DSRT_OK)
    return status;
  CallSignature first, other;
  std::memcpy(&first, all[0].data(), sizeof first);
  for (size_t m = 1; m < all.size(); ++m) {
    std::memcpy(&other, all[m].data(), sizeof other);
    if (!agree(members.ranks[0], first, nullptr, members.ranks[m], other, nullptr, error))
      return DSRT_MISMATCH;
  }
  if (bytes == 0)
    return DSRT_OK;
  std::vector<const void *> sources;
  for (const std::string &one : all)
    sources.push_back(one.data() + sizeof(CallSignature));
  reduceInRankOrder(call->dtype, call->reduction, static_cast<int64_t>(all.size()), sources.data(),
                    elements, 1, &call->outputs[0]);
  return DSRT_OK;
}

void failed(void *state, dsrt_status status, const char *text, const dsrt_error *) {
  static_cast<Rank *>(state)->store->fail(status, text);
}
dsrt_status poll(void *state, dsrt_error *error) {
  Rank &rank = *static_cast<Rank *>(state);
  return rank.store->poll(rank.timeoutMs, error);
}
void abortWorld(void *state, const char *reason) {
  static_cast<Rank *>(state)->store->fail(DSRT_ABORTED, reason);
}

dsrt_backend makeBackend() {
  dsrt_backend table = {};
  table.abi_version = DSRT_BACKEND_ABI_VERSION;
  table.struct_size = sizeof(dsrt_backend);
  table.name = "store";
  table.capabilities = DSRT_CAP_IN_ORDER | DSRT_CAP_THREADS;
  table.alignment = 4;
  table.reductions[DSRT_I32] = table.reductions[DSRT_F32] = 1u << DSRT_SUM;
  table.join = join;
  table.shutdown = leave;
  table.group_create = makeGroup;
  table.group_destroy = dropGroup;
  table.collective = allReduce;
  table.failed = failed;
  table.poll = poll;
  table.abort = abortWorld;
  return table;
}

} // namespace

void registerStoreBackend() {
  static const dsrt_backend table = makeBackend();
  static const dsrt_status registered = dsrt_register_backend(&table);
  if (registered != DSRT_OK)
    std::abort();
}

} // namespace dsrt::test
