//===- CallEvents.cpp - Times of a step's calls on a GPU --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CallEvents.h"

#include "llvm/ADT/STLExtras.h"

using namespace ds;
using namespace ds::gpu;

CallEvents::~CallEvents() {
  if (queue.isAbandoned())
    return;
  for (void *event : events)
    (void)queue.device.api->cuEventDestroy_v2(event);
}

void CallEvents::start() {
  calls.clear();
  note();
}

void CallEvents::mark(int64_t call) {
  calls.push_back(call);
  note();
}

void CallEvents::note() {
  if (queue.hasFailed())
    return;
  if (events.size() == calls.size()) {
    void *event = nullptr;
    if (!queue.check(queue.device.api->cuEventCreate(&event, cuda::eventWithTiming),
                     "cuEventCreate"))
      return;
    events.push_back(event);
  }
  queue.record(events[calls.size()]);
}

void CallEvents::report(CallMarks &marks) {
  for (auto [place, call] : llvm::enumerate(calls)) {
    float milliseconds = 0;
    if (queue.hasFailed() || !queue.check(queue.device.api->cuEventElapsedTime(
                                              &milliseconds, events[place], events[place + 1]),
                                          "cuEventElapsedTime"))
      return;
    marks.add(call, std::chrono::duration<double, std::milli>(milliseconds));
  }
}
