//===- Async.cpp - Runs started collectives on a thread of the context -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A queue, one thread, and a pool of places for the arguments. Collectives run in the order they
// were started, so all ranks agree on it. The mutex is held only to move entries; the collective
// itself runs outside it.
//
//===----------------------------------------------------------------------===//
#include "Context.h"
#include "Threads.h"

#include <algorithm>

using namespace dsrt;

Worker::Worker(dsrt_context &context) : context(context) {
  thread = std::thread([this] { run(); });
}

Worker::~Worker() {
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
  return pending;
}

void Worker::enqueue(dsrt_pending *pending) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    queue.push_back(pending);
  }
  work.notify_one();
}

dsrt_status Worker::wait(dsrt_pending *pending, bool &known, uint64_t &linkEnds) {
  std::unique_lock<std::mutex> lock(mutex);
  known = std::any_of(places.begin(), places.end(),
                      [&](auto &place) { return place.get() == pending && place->inUse; });
  if (!known)
    return DSRT_FAILED_PRECONDITION;
  finished.wait(lock, [&] { return pending->done; });
  pending->inUse = false;
  linkEnds = pending->linkEnds;
  return pending->status;
}

void Worker::drain() {
  std::unique_lock<std::mutex> lock(mutex);
  finished.wait(lock, [&] { return queue.empty() && !busy; });
}

void Worker::run() {
  dsrt_flush_denormals();
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    work.wait(lock, [&] { return stop || !queue.empty(); });
    if (queue.empty())
      return;
    dsrt_pending *pending = queue.front();
    queue.pop_front();
    busy = true;
    lock.unlock();
    // After a failure the rest of the queue only gets the sticky status.
    dsrt_status status = context.check();
    if (status == DSRT_OK)
      status = context.execute(*pending->group, pending->call, pending->linkEnds);
    lock.lock();
    busy = false;
    pending->status = status;
    pending->done = true;
    finished.notify_all();
  }
}

dsrt_status dsrt_wait(dsrt_context *context, dsrt_pending *pending) {
  if (!context)
    return failWithoutContext(DSRT_INVALID_ARGUMENT, "dsrt_wait: the context is null");
  if (pending && context->worker) {
    bool known = false;
    uint64_t linkEnds = 0;
    const uint64_t begin = now();
    context->note(DSRT_EVENT_WAIT, begin);
    dsrt_status status = context->worker->wait(pending, known, linkEnds);
    if (known) {
      if (status == DSRT_OK)
        status = context->waitForLink(linkEnds);
      const uint64_t end = now();
      context->note(DSRT_EVENT_WAITED, end);
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
