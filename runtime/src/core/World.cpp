//===- World.cpp - Joining a world, or making one of threads ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A backend joins in one of two ways: by itself (init: mpi asks its launcher), or at a place with a
// store that the core gives it (join: tcp, nccl, hccl).
//
//===----------------------------------------------------------------------===//
#include "Context.h"
#include "Guard.h"
#include "backends/hybrid/HybridBackend.h"
#include "backends/local/LocalBackend.h"
#include "base/Messages.h"
#include "base/Threads.h"
#include "bootstrap/Launch.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace dsrt;

dsrt_status dsrt::joinAt(const dsrt_backend *backend, const dsrt_options &options, dsrt_place place,
                         std::shared_ptr<bootstrap::Store> store, dsrt_context **outContext,
                         dsrt_error *error) {
  place.store = store.get();
  void *state = nullptr;
  dsrt_status status = backend->join(&options, &place, &state, error);
  if (status == DSRT_OK)
    status =
        makeContext(backend, state, place.rank, place.num_ranks, options, store, outContext, error);
  if (status != DSRT_OK)
    store->fail(status, error->text);
  return status;
}

namespace {

dsrt_status checkWorld(int32_t numRanks, dsrt_context **outContexts, dsrt_error *error) {
  if (!outContexts)
    return failWith(error, DSRT_INVALID_ARGUMENT, "out_contexts is null");
  if (numRanks < 1 || numRanks > bootstrap::mostRanks)
    return failWith(error, DSRT_INVALID_ARGUMENT, "num_ranks is %d, expected 1 to %d", numRanks,
                    bootstrap::mostRanks);
  std::fill_n(outContexts, numRanks, nullptr);
  return DSRT_OK;
}

/// All ranks meet while they join, so each needs a thread.
dsrt_status joinThreads(const dsrt_backend *backend, int32_t numRanks, const dsrt_options &options,
                        dsrt_context **outContexts, dsrt_error *error) {
  auto stores = bootstrap::makeProcessStores(numRanks);
  std::vector<dsrt_status> statuses(numRanks, DSRT_OK);
  std::vector<dsrt_error> errors(numRanks);
  std::vector<std::thread> threads;
  std::string why;
  for (int32_t r = 0; r < numRanks && why.empty(); ++r) {
    threads.push_back(startThread(
        [&, r] {
          statuses[r] = joinAt(backend, options, {r, numRanks, r, numRanks, nullptr}, stores[r],
                               &outContexts[r], &errors[r]);
        },
        why));
    if (why.empty())
      continue;
    statuses[r] = DSRT_INTERNAL;
    setText(&errors[r], "cannot start a thread for rank %d of %d: %s", r, numRanks, why.c_str());
    stores[r]->fail(DSRT_INTERNAL, errors[r].text); // the others wait for it
  }
  for (std::thread &thread : threads)
    if (thread.joinable())
      thread.join();
  // Report the first cause: a rank that failed because another one did is less interesting.
  int32_t worst = -1;
  for (int32_t r = 0; r < numRanks; ++r)
    if (statuses[r] != DSRT_OK && (worst < 0 || statuses[worst] == DSRT_PEER_FAILED))
      worst = r;
  if (worst < 0)
    return DSRT_OK;
  *error = errors[worst];
  for (int32_t r = 0; r < numRanks; ++r) {
    (void)dsrt_shutdown(outContexts[r]);
    outContexts[r] = nullptr;
  }
  return statuses[worst];
}

std::string knownBackends() {
  std::string known = "auto";
  for (int32_t i = 0; dsrt_backend_name(i); ++i)
    known += std::string(", ") + dsrt_backend_name(i);
  return known;
}

} // namespace

dsrt_status dsrt_local_world_create(int32_t num_ranks, const dsrt_options *options,
                                    dsrt_context **out_contexts) {
  return guarded("dsrt_local_world_create", [&](dsrt_error *error) {
    dsrt_status status = checkWorld(num_ranks, out_contexts, error);
    dsrt_options read;
    if (status == DSRT_OK)
      status = readOptions(options, read, error);
    if (status != DSRT_OK)
      return status;
    std::vector<void *> states(num_ranks);
    local::createWorld(num_ranks, read, states.data());
    for (int32_t r = 0; r < num_ranks && status == DSRT_OK; ++r)
      status = makeContext(local::backend(), states[r], r, num_ranks, read, nullptr,
                           &out_contexts[r], error);
    return status;
  });
}

dsrt_status dsrt_world_create(const char *backend_name, int32_t num_ranks,
                              const dsrt_options *options, dsrt_context **out_contexts) {
  if (backend_name && std::strcmp(backend_name, "local") == 0)
    return dsrt_local_world_create(num_ranks, options, out_contexts);
  return guarded("dsrt_world_create", [&](dsrt_error *error) {
    if (!backend_name)
      return failWith(error, DSRT_INVALID_ARGUMENT, "backend_name is null");
    if (dsrt_status status = checkWorld(num_ranks, out_contexts, error); status != DSRT_OK)
      return status;
    const dsrt_backend *backend = findBackend(backend_name);
    if (!backend)
      return failWith(error, DSRT_INVALID_ARGUMENT,
                      "no backend '%.100s' in this build; known are %s", backend_name,
                      knownBackends().c_str());
    if (!backend->join)
      return failWith(error, DSRT_UNSUPPORTED,
                      "ranks of backend '%s' are processes; start them with its launcher",
                      backend->name);
    dsrt_options read;
    dsrt_status status = readOptions(options, read, error);
    if (status != DSRT_OK)
      return status;
    status = joinThreads(backend, num_ranks, read, out_contexts, error);
    if (status != DSRT_OK)
      setText(error, "backend '%s': %s", backend->name, std::string(error->text).c_str());
    return status;
  });
}

dsrt_status dsrt_ranks_create(dsrt_context *processes, int32_t num_ranks, int32_t capacity,
                              dsrt_context **out_contexts, int32_t *out_count) {
  return guarded("dsrt_ranks_create", [&](dsrt_error *error) {
    if (!processes || !out_contexts || !out_count)
      return failWith(error, DSRT_INVALID_ARGUMENT, "processes, out_contexts or out_count is null");
    *out_count = 0;
    if (dsrt_status status = processes->check(); status != DSRT_OK)
      return failWith(error, status, "%s", dsrt_last_error(processes));
    if (num_ranks < processes->numRanks || num_ranks > bootstrap::mostRanks)
      return failWith(error, DSRT_INVALID_ARGUMENT,
                      "num_ranks is %d, expected %d, one for each process, to %d", num_ranks,
                      processes->numRanks, bootstrap::mostRanks);
    const hybrid::Placement placement = {num_ranks, processes->numRanks};
    const int32_t first = placement.first(processes->rank);
    const int32_t count = placement.count(processes->rank);
    if (capacity < count)
      return failWith(error, DSRT_INVALID_ARGUMENT, "there is room for %d contexts, expected %d",
                      capacity, count);
    if (!processes->backend->group_create_apart)
      return failWith(error, DSRT_UNSUPPORTED,
                      "backend '%s' has one rank in a process of a job; several share one over "
                      "'mpi' and 'tcp'",
                      processes->backend->name);
    const std::vector<void *> states = hybrid::createRanks(
        placement, processes->rank, processes->backend, processes->state, processes->options);
    dsrt_status status = DSRT_OK;
    for (int32_t i = 0; i < count; ++i) {
      if (status != DSRT_OK) {
        dsrt_error unread = {};
        (void)hybrid::backend()->shutdown(states[i], /*failed=*/1, &unread);
        continue;
      }
      status = makeContext(hybrid::backend(), states[i], first + i, num_ranks, processes->options,
                           nullptr, &out_contexts[i], error);
      if (status == DSRT_OK)
        out_contexts[(*out_count)++]->processes = processes;
    }
    if (status == DSRT_OK)
      return status;
    while (*out_count > 0)
      (void)dsrt_shutdown(out_contexts[--*out_count]);
    (void)processes->fail(status, error->text, error);
    return status;
  });
}

/// "auto": devices for a launched job that has them, else MPI under its launcher, else TCP. A job
/// must not fall apart into worlds of one rank that all believe they are alone.
static std::string chooseBackend(const bootstrap::Launch &launch, bool onHost) {
  if (launch.numRanks == 1 && !launch.byMpi)
    return "local";
  for (const char *name : {"hccl", "nccl"})
    if (const dsrt_backend *backend = findBackend(name); !onHost && backend && backend->devices)
      if (backend->devices() >= std::max(launch.localSize, 1))
        return name;
  if (launch.byMpi && findBackend("mpi"))
    return "mpi";
  return launch.numRanks == 1 ? "local" : "tcp";
}

/// True if the library found as many ranks as a launcher started. A library that does not
/// understand its launcher makes a world of one out of every process, and each would train alone.
/// Launchers nest (mpirun in srun): one whose size agrees is enough.
static bool isLaunchedSize(int32_t numRanks, dsrt_error *error) {
  bootstrap::Launch launch;
  dsrt_error unread = {};
  if (readLaunch(bootstrap::processEnvironment(), launch, &unread) != DSRT_OK)
    return true; // variables of another program; the library has found its ranks
  bool any = launch.sizes.empty();
  for (const auto &[source, size] : launch.sizes)
    any |= size == numRanks;
  if (any)
    return true;
  setText(error,
          "%s has started %d processes, but the world that came up has %d; the library must be "
          "that of the launcher",
          launch.sizes.front().first.c_str(), launch.sizes.front().second, numRanks);
  return false;
}

/// Finds the backend that `asked` means, and the launcher's place for this process if the backend
/// needs one.
static dsrt_status findAsked(const std::string &asked, const dsrt_options &options,
                             bootstrap::Launch &launch, const dsrt_backend *&outBackend,
                             dsrt_error *error) {
  outBackend = findBackend(asked);
  if (asked == "auto" || (outBackend && outBackend->join))
    if (dsrt_status status = readLaunch(bootstrap::processEnvironment(), launch, error);
        status != DSRT_OK)
      return status;
  std::string name = asked;
  if (asked == "auto") {
    const char *named = std::getenv("DS_BACKEND");
    const bool isNamed = named && *named && std::strcmp(named, "auto") != 0;
    name = isNamed ? named : chooseBackend(launch, options.on_host != 0);
    outBackend = findBackend(name);
    if (isNamed && !outBackend)
      return failWith(error, DSRT_INVALID_ARGUMENT, "DS_BACKEND is '%.100s', expected %s", named,
                      knownBackends().c_str());
    if (name == "local" && launch.numRanks > 1)
      return failWith(
          error, DSRT_INVALID_ARGUMENT,
          "DS_BACKEND is 'local', which is a world of one process, but the launcher has "
          "started %d processes",
          launch.numRanks);
  }
  if (!outBackend)
    return failWith(error, name == "mpi" ? DSRT_UNAVAILABLE : DSRT_INVALID_ARGUMENT,
                    "no backend '%.100s' in this build; known are %s", name.c_str(),
                    knownBackends().c_str());
  return DSRT_OK;
}

static dsrt_status joinBackend(const dsrt_backend *backend, bootstrap::Launch &launch,
                               const dsrt_options &options, dsrt_context **outContext,
                               dsrt_error *error) {
  if (backend->join) {
    std::shared_ptr<bootstrap::Store> store;
    if (dsrt_status status = joinLaunched(launch, options.timeout_ms, store, error);
        status != DSRT_OK)
      return status;
    return joinAt(backend, options,
                  {launch.rank, launch.numRanks, launch.localRank, launch.localSize, nullptr},
                  store, outContext, error);
  }
  void *state = nullptr;
  int32_t rank = 0, numRanks = 0;
  if (dsrt_status status = backend->init(&options, &state, &rank, &numRanks, error);
      status != DSRT_OK)
    return status;
  if (!isLaunchedSize(numRanks, error)) {
    dsrt_error unread = {};
    (void)backend->shutdown(state, /*failed=*/1, &unread);
    return DSRT_FAILED_PRECONDITION;
  }
  return makeContext(backend, state, rank, numRanks, options, nullptr, outContext, error);
}

int32_t dsrt_launched(int32_t *out_rank, int32_t *out_num_ranks) {
  bootstrap::Launch launch;
  dsrt_error error = {};
  if (readLaunch(bootstrap::processEnvironment(), launch, &error) != DSRT_OK ||
      launch.source.empty())
    return 0;
  *out_rank = launch.rank;
  *out_num_ranks = launch.numRanks;
  return 1;
}

dsrt_status dsrt_init(const char *backend_name, const dsrt_options *options,
                      dsrt_context **out_context) {
  return guarded("dsrt_init", [&](dsrt_error *error) {
    if (!backend_name || !out_context)
      return failWith(error, DSRT_INVALID_ARGUMENT, "backend_name or out_context is null");
    *out_context = nullptr;
    dsrt_options read;
    dsrt_status status = readOptions(options, read, error);
    bootstrap::Launch launch;
    const dsrt_backend *backend = nullptr;
    if (status == DSRT_OK)
      status = findAsked(backend_name, read, launch, backend, error);
    if (status != DSRT_OK)
      return status;
    status = joinBackend(backend, launch, read, out_context, error);
    if (status != DSRT_OK)
      setText(error, "backend '%s': %s", backend->name, std::string(error->text).c_str());
    return status;
  });
}
