//===- Queue.cpp - Collectives that a device's stream carries ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements queue.h for a context. The backend queues; here are the checks, the list's fingerprint
// and the one wait of a step.
//
//===----------------------------------------------------------------------===//
#include "dsrt/queue.h"
#include "Context.h"
#include "base/Deadline.h"
#include "base/Threads.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <sched.h>
#include <set>
#include <unistd.h>

using namespace dsrt;

namespace {
struct Living {
  std::mutex mutex;
  std::set<uint64_t> numbers;
};
} // namespace

static Living &living() {
  static Living *contexts = new Living; // threads may outlive main
  return *contexts;
}

static uint64_t nextNumber() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

Existence::Existence() : number(nextNumber()) {
  std::lock_guard<std::mutex> lock(living().mutex);
  living().numbers.insert(number);
}

Existence::~Existence() {
  std::lock_guard<std::mutex> lock(living().mutex);
  living().numbers.erase(number);
}

uint64_t dsrt_context_number(const dsrt_context *context) {
  return context ? context->existence.number : 0;
}

int32_t dsrt_context_exists(uint64_t number) {
  std::lock_guard<std::mutex> lock(living().mutex);
  return living().numbers.count(number) == 1;
}

int32_t dsrt_can_queue(const dsrt_context *context) {
  return context && (context->backend->capabilities & DSRT_CAP_QUEUED) != 0;
}

static dsrt_status setQueue(dsrt_context *context, const char *name, void *stream,
                            const dsrt_mover *mover, int32_t checked) {
  if (!context)
    return failWithoutContext(DSRT_INVALID_ARGUMENT, std::string(name) + ": the context is null");
  if (dsrt_status status = context->check(); status != DSRT_OK && stream)
    return status;
  if (!dsrt_can_queue(context))
    return context->fail(DSRT_UNSUPPORTED, std::string(name) + ": backend '" +
                                               context->backend->name + "' queues no collectives");
  if (context->worker)
    context->worker->drain();
  dsrt_error error = {};
  dsrt_status status = context->backend->queue(context->state, stream, mover, checked, &error);
  if (status != DSRT_OK)
    return context->fail(status, std::string(name) + ": " + error.text);
  context->queues = stream != nullptr;
  return DSRT_OK;
}

dsrt_status dsrt_queue_begin(dsrt_context *context, void *stream, const dsrt_mover *mover,
                             int32_t checked) {
  if (context && !stream)
    return context->fail(DSRT_INVALID_ARGUMENT, "dsrt_queue_begin: the stream is null");
  for (size_t g = 0; context && g < context->groups.size(); ++g)
    context->groups[g]->queued = 0;
  return setQueue(context, "dsrt_queue_begin", stream, mover, checked);
}

dsrt_status dsrt_queue_end(dsrt_context *context) {
  return setQueue(context, "dsrt_queue_end", nullptr, nullptr, 1);
}

dsrt_status dsrt_queue_compare(dsrt_context *context) {
  if (!context)
    return failWithoutContext(DSRT_INVALID_ARGUMENT, "dsrt_queue_compare: the context is null");
  for (size_t g = 0; g < context->groups.size(); ++g) {
    const Group &group = *context->groups[g];
    if (group.references == 0 || group.queued == 0)
      continue;
    const uint64_t mine = group.queued;
    std::vector<uint64_t> all(group.ranks.size());
    const void *input = &mine;
    void *output = all.data();
    const int64_t one = 1;
    dsrt_status status =
        dsrt_all_gather(context, 1, &input, &output, &one, DSRT_U64, static_cast<dsrt_group>(g));
    if (status != DSRT_OK)
      return status;
    for (size_t m = 1; m < all.size(); ++m)
      if (all[m] != all[0])
        return context->fail(DSRT_MISMATCH, "ranks disagree on the collectives of a step: rank " +
                                                std::to_string(group.ranks[0]) +
                                                " has queued one list, rank " +
                                                std::to_string(group.ranks[m]) + " another");
  }
  return context->check();
}

/// Fails the context because a step has not ended in time, and names the late ranks.
static dsrt_status giveUp(dsrt_context &context, uint64_t wait, int64_t exchanges) {
  const int64_t timeoutMs = context.options.timeout_ms;
  const int64_t graceMs = std::clamp<int64_t>(timeoutMs, 500, 5000);
  dsrt_error details = {};
  const dsrt_status status =
      dsrt_can_queue(&context)
          ? context.backend->probe(context.state, wait, exchanges, graceMs, &details)
          : DSRT_TIMEOUT;
  if (status != DSRT_TIMEOUT)
    return context.fail(status, details.text, &details);
  const std::vector<int32_t> late(details.late, details.late + details.num_late);
  std::string text = "the work of rank " + std::to_string(context.rank) + " of " +
                     std::to_string(context.numRanks) + " on its device did not end within " +
                     std::to_string(timeoutMs) + " ms";
  if (context.queuedWork)
    text += std::string(" in ") + context.queuedWork;
  if (exchanges > 0)
    text += ", after exchange " + std::to_string(exchanges) + " of the step";
  if (std::find(late.begin(), late.end(), context.rank) != late.end())
    text += ", and is behind that of other ranks";
  else if (!late.empty())
    text += ", waiting for " + nameRanks(late);
  return context.fail(DSRT_TIMEOUT, text, &details);
}

int64_t dsrt_timeout_ms(const dsrt_context *context) {
  dsrt_options defaults;
  dsrt_options_init(&defaults);
  return context ? context->options.timeout_ms : defaults.timeout_ms;
}

void dsrt_queue_note(dsrt_context *context, const char *what) {
  if (context)
    context->queuedWork = what;
}

dsrt_status dsrt_queue_wait(dsrt_context *context, int32_t together,
                            int32_t (*look)(void *, int64_t *), void *state) {
  if (!context || !look)
    return failWithoutContext(DSRT_INVALID_ARGUMENT, "dsrt_queue_wait: a null argument");
  const Deadline deadline = Deadline::in(context->options.timeout_ms);
  constexpr uint32_t spins = 50, yields = 200, naps = 500;
  const uint64_t wait = together ? ++context->queueWaits : 0;
  const bool probes = dsrt_can_queue(context);
  auto probe = [&](int64_t graceMs) {
    dsrt_error details = {};
    dsrt_status status =
        probes ? context->backend->probe(context->state, wait, 0, graceMs, &details) : DSRT_OK;
    return status == DSRT_OK ? context->check() : context->fail(status, details.text, &details);
  };
  struct Waiting { // the rank waits for others, as far as the host can see
    explicit Waiting(std::atomic<bool> &flag) : flag(flag) { flag = true; }
    ~Waiting() { flag = false; }
    std::atomic<bool> &flag;
  } waiting(context->inCollective);
  for (uint32_t turn = 0;; ++turn) {
    int64_t exchanges = 0;
    if (look(state, &exchanges))
      return probe(/*graceMs=*/-1);
    if (turn < spins) {
      pauseCore();
    } else if (turn < yields) {
      sched_yield();
    } else {
      usleep(turn < naps ? 20 : 200);
      if (dsrt_status status = probe(/*graceMs=*/0); status != DSRT_OK)
        return status;
      if (deadline.passed())
        return giveUp(*context, wait, exchanges);
    }
  }
}
