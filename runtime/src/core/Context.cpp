//===- Context.cpp - Contexts, their error, and a call of one -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Context.h"
#include "Link.h"
#include "backends/local/LocalBackend.h"
#include "base/Messages.h"
#include "base/Threads.h"

#include <algorithm>
#include <cstring>
#include <new>

using namespace dsrt;

static thread_local std::string errorWithoutContext;

dsrt_status dsrt::failWithoutContext(dsrt_status status, const std::string &text) {
  errorWithoutContext = text;
  return status;
}

//===----------------------------------------------------------------------===//
// The sticky error.
//===----------------------------------------------------------------------===//

bool dsrt_context::setSticky(dsrt_status newStatus, const std::string &text,
                             const dsrt_error *details) const {
  std::lock_guard<std::mutex> lock(errorMutex);
  if (status.load(std::memory_order_relaxed) != DSRT_OK)
    return false;
  error = withCoordinates(text, details);
  if (details)
    lateRanks.assign(details->late, details->late + details->num_late);
  status.store(newStatus, std::memory_order_release);
  return true;
}

dsrt_status dsrt_context::fail(dsrt_status newStatus, const std::string &text,
                               const dsrt_error *details) {
  if (setSticky(newStatus, text, details) && backend->failed)
    backend->failed(state, newStatus, error.c_str(), details);
  if (processes)
    (void)processes->fail(newStatus, error);
  return status.load(std::memory_order_acquire);
}

dsrt_status dsrt_context::check() const {
  dsrt_status current = status.load(std::memory_order_acquire);
  if (current != DSRT_OK || !backend->poll)
    return current;
  dsrt_error details = {};
  dsrt_status polled = backend->poll(state, &details);
  if (polled == DSRT_OK)
    return DSRT_OK;
  setSticky(polled, details.text, &details);
  return status.load(std::memory_order_acquire);
}

int32_t dsrt_failed(const dsrt_context *context) { return !context || context->check() != DSRT_OK; }

dsrt_status dsrt_last_status(const dsrt_context *context) {
  return context ? context->check() : DSRT_INVALID_ARGUMENT;
}

const char *dsrt_last_error(const dsrt_context *context) {
  if (!context)
    return errorWithoutContext.c_str();
  return context->check() == DSRT_OK ? "" : context->error.c_str();
}

int32_t dsrt_late_ranks(const dsrt_context *context, int32_t capacity, int32_t *out_ranks) {
  if (!context || context->check() == DSRT_OK)
    return 0;
  int32_t count = static_cast<int32_t>(context->lateRanks.size());
  if (out_ranks && capacity > 0)
    std::copy_n(context->lateRanks.begin(), std::min(count, capacity), out_ranks);
  return count;
}

//===----------------------------------------------------------------------===//
// Running a call.
//===----------------------------------------------------------------------===//

dsrt_status dsrt_context::execute(Group &group, dsrt_call &call, uint64_t &linkEnds,
                                  void *&queued) {
  dsrt_error details = {};
  uint64_t waited = 0, latest = 0;
  call.waiting_ns = &waited;
  call.latest_ns = &latest;
  call.done = &queued;
  call.leaves_ns = std::max(call.leaves_ns, linkFree);
  uint64_t begin = now();
  recorder.begin(call, group.ranks.size());
  inCollective = true;
  dsrt_status result = backend->collective(state, group.backendGroup, &call, &details);
  inCollective = false;
  totalNs += now() - begin;
  waitingNs += waited;
  recorder.end(result);
  if (result != DSRT_OK) {
    std::string text = describeCall(call, group.ranks, numRanks, rank) + ": " + details.text;
    recorder.write(rank, numRanks, text);
    return fail(result, text, &details);
  }
  if (const uint64_t takes = linkTime(options, call, group.ranks.size())) {
    linkEnds = linkFree = latest + takes;
    linkNs += takes;
  }
  ++calls;
  bytes += static_cast<uint64_t>(payloadBytes(call));
  return DSRT_OK;
}

dsrt_status dsrt_context::follow(void *queued) {
  dsrt_error details = {};
  const dsrt_status result = queued ? backend->follow(state, queued, &details) : DSRT_OK;
  return result == DSRT_OK ? result
                           : fail(result, "a queued collective on rank " + std::to_string(rank) +
                                              ": " + details.text);
}

//===----------------------------------------------------------------------===//
// Options.
//===----------------------------------------------------------------------===//

void dsrt_options_init_sized(dsrt_options *options, uint32_t struct_size) {
  const dsrt_options defaults = {
      struct_size,           /*deterministic=*/1,   /*timeout_ms=*/300000,
      /*chunk_bytes=*/0,     /*check_calls=*/1,     /*on_host=*/0,
      /*link_latency_ns=*/0, /*link_bytes_per_s=*/0};
  if (options)
    std::memcpy(options, &defaults, std::min<size_t>(struct_size, sizeof defaults));
}

dsrt_status dsrt::readOptions(const dsrt_options *options, dsrt_options &out, dsrt_error *error) {
  dsrt_options_init(&out);
  if (!options)
    return DSRT_OK;
  if (options->struct_size < sizeof(uint32_t) || options->struct_size > 4096)
    return failWith(error, DSRT_INVALID_ARGUMENT,
                    "options.struct_size is %u; call dsrt_options_init first",
                    options->struct_size);
  std::memcpy(&out, options, std::min<size_t>(options->struct_size, sizeof out));
  out.struct_size = sizeof out;
  if (out.timeout_ms < 1)
    return failWith(error, DSRT_INVALID_ARGUMENT, "options.timeout_ms is %lld, expected at least 1",
                    static_cast<long long>(out.timeout_ms));
  if (out.chunk_bytes < 0)
    return failWith(error, DSRT_INVALID_ARGUMENT, "options.chunk_bytes is %lld, expected 0 or more",
                    static_cast<long long>(out.chunk_bytes));
  if (out.check_calls > 1)
    return failWith(error, DSRT_INVALID_ARGUMENT, "options.check_calls is %u, expected 0 or 1",
                    out.check_calls);
  if (out.on_host > 1)
    return failWith(error, DSRT_INVALID_ARGUMENT, "options.on_host is %u, expected 0 or 1",
                    out.on_host);
  constexpr int64_t hourNs = 3600 * int64_t(1000000000);
  if (out.link_latency_ns < 0 || out.link_latency_ns > hourNs || out.link_bytes_per_s < 0) {
    setText(
        error,
        "the link has a latency of %lld ns and %lld bytes/s, expected 0 to 1 hour and 0 or more",
        static_cast<long long>(out.link_latency_ns), static_cast<long long>(out.link_bytes_per_s));
    return DSRT_INVALID_ARGUMENT;
  }
  if (out.deterministic > 1)
    return failWith(error, DSRT_INVALID_ARGUMENT, "options.deterministic is %u, expected 0 or 1",
                    out.deterministic);
  return DSRT_OK;
}

//===----------------------------------------------------------------------===//
// Creation.
//===----------------------------------------------------------------------===//

dsrt_status dsrt::makeContext(const dsrt_backend *backend, void *state, int32_t rank,
                              int32_t numRanks, const dsrt_options &options,
                              std::shared_ptr<bootstrap::Store> store, dsrt_context **outContext,
                              dsrt_error *error) {
  std::unique_ptr<dsrt_context> context(new dsrt_context);
  context->backend = backend;
  context->state = state;
  context->rank = rank;
  context->numRanks = numRanks;
  context->options = options;
  context->store = std::move(store);
  if (!(backend->capabilities & DSRT_CAP_IN_ORDER))
    context->options.deterministic = 0;
  auto refuse = [&](dsrt_status status) {
    dsrt_error ignored = {};
    backend->shutdown(state, /*failed=*/1, &ignored);
    return status;
  };
  if (options.link_bytes_per_s > 0 && backend != local::backend()) {
    setText(error, "it has no modelled link, which is of backend 'local'");
    return refuse(DSRT_UNSUPPORTED);
  }
  auto world = std::make_unique<Group>();
  world->references = 1;
  world->ranks.resize(numRanks);
  for (int32_t r = 0; r < numRanks; ++r)
    world->ranks[r] = r;
  dsrt_status status = backend->group_create(state, numRanks, world->ranks.data(),
                                             options.timeout_ms, &world->backendGroup, error);
  if (status != DSRT_OK)
    return refuse(status);
  context->groups.push_back(std::move(world));
  *outContext = context.release();
  return DSRT_OK;
}

dsrt_status dsrt_shutdown(dsrt_context *context) {
  if (!context)
    return DSRT_OK;
  context->worker.reset(); // runs the started collectives to their end; every call has its timeout
  const bool failed = context->check() != DSRT_OK;
  for (auto &group : context->groups)
    if (group->references > 0)
      context->backend->group_destroy(context->state, group->backendGroup, failed);
  for (const Arena &arena : context->arenas)
    if (context->backend->buffer_unregister)
      context->backend->buffer_unregister(context->state, arena.data);
  dsrt_error error = {};
  dsrt_status status = context->backend->shutdown(context->state, failed, &error);
  if (context->store)
    context->store->leave(failed ? std::min(context->lastWordsMs, context->options.timeout_ms)
                                 : context->options.timeout_ms);
  if (status != DSRT_OK)
    failWithoutContext(status, std::string("dsrt_shutdown: ") + error.text);
  delete context;
  return status;
}

void dsrt_set_step(dsrt_context *context, uint64_t step) {
  if (context)
    context->step = step;
}

int32_t dsrt_rank(const dsrt_context *context) { return context ? context->rank : -1; }
int32_t dsrt_num_ranks(const dsrt_context *context) { return context ? context->numRanks : 0; }

void dsrt_abort(dsrt_context *context, const char *reason) {
  if (!context)
    return;
  std::string text = reason ? reason : "no reason given";
  keepPrintable(text.data()); // a backend prints it
  context->backend->abort(context->state, text.c_str());
}
