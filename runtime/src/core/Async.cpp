//===- Async.cpp - Runs started collectives beside the caller ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A queue, the worker that empties it, and a pool of entries for the arguments. Collectives run in
// the order in which they were started, so all ranks agree on it. The mutex is held only to move
// entries; the collective itself runs outside it.
//
// On a core that computes, a thread is woken late and loses the time that it was to hide. So a
// backend that can hand control back from its waits runs on a fiber of the rank's own thread
// instead, a little at a time: at the start, in dsrt_progress, and to its end in a wait.
//
//===----------------------------------------------------------------------===//
#include "Context.h"
#include "base/Threads.h"

#include <algorithm>

using namespace dsrt;

/// The interval between two polls of a fiber. A poll costs a fraction of a microsecond while
/// nothing has arrived; over a network of 2.5 Gbit/s one every 100 us hides three quarters of a
/// transfer, one every ms half.
constexpr uint64_t betweenLooksNs = 100000;

Worker::Worker(dsrt_context &context) : context(context) {
  if (context.backend->capabilities & DSRT_CAP_POLLED)
    fiber = std::make_unique<Fiber>([this] { runFiber(); });
}

Worker::~Worker() {
  if (fiber) {
    stop = true;
    resumeUntil([&] { return fiber->ended(); });
    return;
  }
  if (!thread.joinable())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    stop = true;
  }
  work.notify_one();
  thread.join();
}

dsrt_pending *Worker::take() {
  std::lock_guard<std::mutex> lock(mutex);
  auto found =
      std::find_if(places.begin(), places.end(), [](auto &place) { return !place->inUse; });
  if (found == places.end()) {
    places.push_back(std::make_unique<dsrt_pending>());
    found = std::prev(places.end());
  }
  dsrt_pending *pending = found->get();
  pending->inUse = true;
  pending->done = false;
  pending->status = DSRT_OK;
  pending->linkEnds = 0;
  pending->queued = nullptr;
  return pending;
}

void Worker::enqueue(dsrt_pending *pending) {
  if (!fiber && !thread.joinable())
    thread = std::thread([this] { runThread(); });
  {
    std::lock_guard<std::mutex> lock(mutex);
    queue.push_back(pending);
  }
  if (!fiber)
    return work.notify_one();
  looked = now();
  fiber->resume();
}

dsrt_status Worker::wait(dsrt_pending *pending, bool &known, uint32_t &number, uint64_t &linkEnds,
                         void *&queued) {
  std::unique_lock<std::mutex> lock(mutex);
  known = std::any_of(places.begin(), places.end(),
                      [&](auto &place) { return place.get() == pending && place->inUse; });
  if (!known)
    return DSRT_FAILED_PRECONDITION;
  number = pending->number;
  if (fiber) {
    lock.unlock();
    resumeUntil([&] { return pending->done; });
    lock.lock();
  }
  finished.wait(lock, [&] { return pending->done; });
  pending->inUse = false;
  linkEnds = pending->linkEnds;
  queued = pending->queued;
  return pending->status;
}

void Worker::drain() {
  if (fiber)
    return resumeUntil([&] { return queue.empty() && !busy; });
  std::unique_lock<std::mutex> lock(mutex);
  finished.wait(lock, [&] { return queue.empty() && !busy; });
}

void Worker::runNext(std::unique_lock<std::mutex> &lock) {
  dsrt_pending *pending = queue.front();
  queue.pop_front();
  busy = true;
  lock.unlock();
  if (fiber) {
    pending->call.yield = &Worker::yield;
    pending->call.yields_to = this;
  }
  // After a failure the other entries of the queue only get the sticky status.
  dsrt_status status = context.check();
  if (status == DSRT_OK)
    status = context.execute(*pending->group, pending->call, pending->linkEnds, pending->queued);
  lock.lock();
  busy = false;
  pending->status = status;
  pending->done = true;
}

void Worker::runThread() {
  dsrt_flush_denormals();
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    work.wait(lock, [&] { return stop || !queue.empty(); });
    if (queue.empty())
      return;
    runNext(lock);
    finished.notify_all();
  }
}

//===----------------------------------------------------------------------===//
// The fiber.
//===----------------------------------------------------------------------===//

void Worker::runFiber() {
  while (!stop || !queue.empty()) {
    if (!queue.empty()) {
      std::unique_lock<std::mutex> lock(mutex);
      runNext(lock);
    }
    if (callerWaits || queue.empty())
      fiber->yield(); // the caller may wait for just this collective
  }
}

int32_t Worker::yield(void *worker) {
  auto *self = static_cast<Worker *>(worker);
  if (self->callerWaits)
    return 0;
  self->context.inCollective = false; // the rank computes meanwhile
  self->fiber->yield();
  self->context.inCollective = true;
  return 1;
}

void Worker::resumeUntil(const std::function<bool()> &over) {
  callerWaits = true;
  while (!over())
    fiber->resume();
  callerWaits = false;
}

int64_t Worker::progress() {
  if (fiber && (busy || !queue.empty()) && now() - looked >= betweenLooksNs) {
    looked = now();
    fiber->resume();
  }
  std::lock_guard<std::mutex> lock(mutex);
  return static_cast<int64_t>(queue.size()) + busy;
}

int64_t dsrt_progress(dsrt_context *context) {
  return context && context->worker ? context->worker->progress() : 0;
}

dsrt_status dsrt_wait(dsrt_context *context, dsrt_pending *pending) {
  if (!context)
    return failWithoutContext(DSRT_INVALID_ARGUMENT, "dsrt_wait: the context is null");
  if (pending && context->worker) {
    bool known = false;
    uint64_t linkEnds = 0;
    const uint64_t begin = now();
    uint32_t number = 0;
    void *queued = nullptr;
    dsrt_status status = context->worker->wait(pending, known, number, linkEnds, queued);
    if (known) {
      if (status == DSRT_OK)
        status = context->follow(queued);
      if (status == DSRT_OK)
        status = context->waitForLink(linkEnds);
      const uint64_t end = now();
      context->note(DSRT_EVENT_WAIT, number, begin);
      context->note(DSRT_EVENT_WAITED, number, end);
      context->exposedNs += end - begin;
      return status;
    }
  }
  if (dsrt_status status = context->check(); status != DSRT_OK)
    return status;
  return context->fail(DSRT_FAILED_PRECONDITION,
                       "dsrt_wait on rank " + std::to_string(context->rank) +
                           (pending ? ": not a started collective, or already waited for"
                                    : ": the handle is null, although no start has failed"));
}
