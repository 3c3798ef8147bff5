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
#include "backends/hybrid/HybridBackend.h"
#include "backends/local/LocalBackend.h"
#include "base/Messages.h"
#include "base/Threads.h"
#include "bootstrap/Launch.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <system_error>

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

dsrt_status checkWorld(const char *call, int32_t numRanks, dsrt_context **outContexts) {
  if (!outContexts)
    return failWithoutContext(DSRT_INVALID_ARGUMENT, std::string(call) + ": out_contexts is null");
  if (numRanks < 1 || numRanks > bootstrap::mostRanks)
    return failWithoutContext(DSRT_INVALID_ARGUMENT,
                              std::string(call) + ": num_ranks is " + std::to_string(numRanks) +
                                  ", expected 1 to " + std::to_string(bootstrap::mostRanks));
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
  const char *call = "dsrt_local_world_create";
  if (dsrt_status status = checkWorld(call, num_ranks, out_contexts); status != DSRT_OK)
    return status;
  dsrt_error error = {};
  dsrt_options read;
  dsrt_status status = readOptions(options, read, &error);
  try {
    std::vector<void *> states(num_ranks);
    if (status == DSRT_OK)
      local::createWorld(num_ranks, read, states.data());
    for (int32_t r = 0; r < num_ranks && status == DSRT_OK; ++r)
      status = makeContext(local::backend(), states[r], r, num_ranks, read, nullptr,
                           &out_contexts[r], &error);
  } catch (const std::bad_alloc &) {
    return failWithoutContext(DSRT_OUT_OF_MEMORY, std::string(call) + ": out of memory");
  }
  if (status != DSRT_OK)
    return failWithoutContext(status, std::string(call) + ": " + error.text);
  return DSRT_OK;
}

dsrt_status dsrt_world_create(const char *backend_name, int32_t num_ranks,
                              const dsrt_options *options, dsrt_context **out_contexts) {
  const std::string call = "dsrt_world_create";
  if (!backend_name)
    return failWithoutContext(DSRT_INVALID_ARGUMENT, call + ": backend_name is null");
  if (std::string(backend_name) == "local")
    return dsrt_local_world_create(num_ranks, options, out_contexts);
  if (dsrt_status status = checkWorld(call.c_str(), num_ranks, out_contexts); status != DSRT_OK)
    return status;
  try {
    const dsrt_backend *backend = findBackend(backend_name);
    if (!backend)
      return failWithoutContext(DSRT_INVALID_ARGUMENT, call + ": no backend '" + backend_name +
                                                           "' in this build; known are " +
                                                           knownBackends());
    if (!backend->join)
      return failWithoutContext(DSRT_UNSUPPORTED,
                                call + ": ranks of backend '" + backend_name +
                                    "' are processes; start them with its launcher");
    dsrt_error error = {};
    dsrt_options read;
    dsrt_status status = readOptions(options, read, &error);
    if (status == DSRT_OK)
      status = joinThreads(backend, num_ranks, read, out_contexts, &error);
    if (status != DSRT_OK)
      return failWithoutContext(status, call + ": backend '" + backend_name + "': " + error.text);
    return DSRT_OK;
  } catch (const std::bad_alloc &) {
    return failWithoutContext(DSRT_OUT_OF_MEMORY, call + ": out of memory");
  }
}

dsrt_status dsrt_ranks_create(dsrt_context *processes, int32_t num_ranks, int32_t capacity,
                              dsrt_context **out_contexts, int32_t *out_count) {
  const std::string call = "dsrt_ranks_create";
  if (!processes || !out_contexts || !out_count)
    return failWithoutContext(DSRT_INVALID_ARGUMENT,
                              call + ": processes, out_contexts or out_count is null");
  *out_count = 0;
  if (dsrt_status status = processes->check(); status != DSRT_OK)
    return failWithoutContext(status, call + ": " + dsrt_last_error(processes));
  const hybrid::Placement placement = {num_ranks, processes->numRanks};
  if (num_ranks < processes->numRanks || num_ranks > bootstrap::mostRanks)
    return failWithoutContext(DSRT_INVALID_ARGUMENT, call + ": num_ranks is " +
                                                         std::to_string(num_ranks) + ", expected " +
                                                         std::to_string(processes->numRanks) +
                                                         ", one for each process, to " +
                                                         std::to_string(bootstrap::mostRanks));
  const int32_t first = placement.first(processes->rank), count = placement.count(processes->rank);
  if (capacity < count)
    return failWithoutContext(DSRT_INVALID_ARGUMENT,
                              call + ": there is room for " + std::to_string(capacity) +
                                  " contexts, expected " + std::to_string(count));
  if (!processes->backend->group_create_apart)
    return failWithoutContext(DSRT_UNSUPPORTED,
                              call + ": backend '" + processes->backend->name +
                                  "' has one rank in a process of a job; several share one over "
                                  "'mpi' and 'tcp'");
  dsrt_error error = {};
  dsrt_status status = DSRT_OK;
  try {
    const std::vector<void *> states = hybrid::createRanks(
        placement, processes->rank, processes->backend, processes->state, processes->options);
    for (int32_t i = 0; i < count; ++i) {
      if (status != DSRT_OK) {
        (void)hybrid::backend()->shutdown(states[i], /*failed=*/1, &error);
        continue;
      }
      status = makeContext(hybrid::backend(), states[i], first + i, num_ranks, processes->options,
                           nullptr, &out_contexts[i], &error);
      if (status == DSRT_OK)
        out_contexts[(*out_count)++]->processes = processes;
    }
  } catch (const std::bad_alloc &) {
    return failWithoutContext(DSRT_OUT_OF_MEMORY, call + ": out of memory");
  }
  if (status == DSRT_OK)
    return DSRT_OK;
  while (*out_count > 0)
    (void)dsrt_shutdown(out_contexts[--*out_count]);
  (void)processes->fail(status, error.text, &error);
  return failWithoutContext(status, call + ": " + error.text);
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

static dsrt_status initialise(const std::string &asked, const dsrt_options *options,
                              dsrt_context **outContext) {
  auto fail = [](dsrt_status status, const std::string &why) {
    return failWithoutContext(status, "dsrt_init: " + why);
  };
  dsrt_error error = {};
  dsrt_options read;
  dsrt_status status = readOptions(options, read, &error);
  if (status != DSRT_OK)
    return fail(status, error.text);
  bootstrap::Launch launch;
  const dsrt_backend *backend = findBackend(asked);
  if (asked == "auto" || (backend && backend->join)) {
    status = readLaunch(bootstrap::processEnvironment(), launch, &error);
    if (status != DSRT_OK)
      return fail(status, error.text);
  }
  std::string name = asked;
  if (asked == "auto") {
    const char *named = std::getenv("DS_BACKEND");
    const bool isNamed = named && *named && std::strcmp(named, "auto") != 0;
    name = isNamed ? named : chooseBackend(launch, read.on_host != 0);
    backend = findBackend(name);
    if (isNamed && !backend)
      return fail(DSRT_INVALID_ARGUMENT,
                  "DS_BACKEND is '" + name.substr(0, 100) + "', expected " + knownBackends());
    if (name == "local" && launch.numRanks > 1)
      return fail(DSRT_INVALID_ARGUMENT,
                  "DS_BACKEND is 'local', which is a world of one process, but the launcher has "
                  "started " +
                      std::to_string(launch.numRanks) + " processes");
  }
  if (!backend)
    return fail(name == "mpi" ? DSRT_UNAVAILABLE : DSRT_INVALID_ARGUMENT,
                "no backend '" + name + "' in this build; known are " + knownBackends());
  if (backend->join) {
    std::shared_ptr<bootstrap::Store> store;
    status = joinLaunched(launch, read.timeout_ms, store, &error);
    if (status == DSRT_OK) {
      const dsrt_place place = {launch.rank, launch.numRanks, launch.localRank, launch.localSize,
                                nullptr};
      status = joinAt(backend, read, place, store, outContext, &error);
    }
  } else {
    void *state = nullptr;
    int32_t rank = 0, numRanks = 0;
    status = backend->init(&read, &state, &rank, &numRanks, &error);
    if (status == DSRT_OK && !isLaunchedSize(numRanks, &error)) {
      dsrt_error unread = {};
      (void)backend->shutdown(state, /*failed=*/1, &unread);
      status = DSRT_FAILED_PRECONDITION;
    }
    if (status == DSRT_OK)
      status = makeContext(backend, state, rank, numRanks, read, nullptr, outContext, &error);
  }
  if (status != DSRT_OK)
    return fail(status, "backend '" + name + "': " + error.text);
  return DSRT_OK;
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
  if (!backend_name || !out_context)
    return failWithoutContext(DSRT_INVALID_ARGUMENT,
                              "dsrt_init: backend_name or out_context is null");
  *out_context = nullptr;
  try {
    return initialise(backend_name, options, out_context);
  } catch (const std::bad_alloc &) {
    return failWithoutContext(DSRT_OUT_OF_MEMORY, "dsrt_init: out of memory");
  } catch (const std::system_error &error) {
    return failWithoutContext(DSRT_INTERNAL,
                              std::string("dsrt_init: no thread for the store: ") + error.what());
  }
}
