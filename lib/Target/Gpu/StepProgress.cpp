//===- StepProgress.cpp - Progress of a step's work -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StepProgress.h"

#include <algorithm>
#include <numeric>

using namespace ds;
using namespace ds::gpu;

static constexpr int32_t mostExchanges = 1024; // that the count distinguishes

StepProgress::StepProgress(CudaQueue &queue, EventPool &events)
    : queue(queue), events(events), side(queue) {
  std::vector<int32_t> values(mostExchanges + 1);
  std::iota(values.begin(), values.end(), 0);
  const size_t bytes = values.size() * sizeof values[0];
  counts = queue.allocate(bytes);
  queue.upload(counts, values.data(), bytes);
  queue.wait();
  void *memory = nullptr;
  if (!queue.hasFailed() &&
      queue.check(queue.device.api->cuMemHostAlloc(&memory, sizeof(int32_t), 0), "cuMemHostAlloc"))
    *(word = static_cast<volatile int32_t *>(memory)) = 0;
}

StepProgress::~StepProgress() {
  if (queue.isAbandoned())
    return;
  queue.bind();
  queue.release(counts);
  if (word)
    (void)queue.device.api->cuMemFreeHost(const_cast<int32_t *>(word));
  for (void *point : points)
    events.give(point);
}

void *StepProgress::takeEvent() {
  if (used == points.size()) {
    int result = 0;
    void *event = queue.hasFailed() ? nullptr : events.take(result);
    if (!event) {
      queue.check(result, "cuEventCreate");
      return nullptr;
    }
    points.push_back(event);
  }
  return points[used++];
}

void StepProgress::noteCount(size_t exchanges) {
  void *point = takeEvent();
  if (!point)
    return;
  const size_t count = std::min<size_t>(exchanges, mostExchanges);
  queue.record(point);
  queue.follow(point, side.get());
  if (!queue.hasFailed())
    queue.check(queue.device.api->cuMemcpyDtoHAsync_v2(const_cast<int32_t *>(word),
                                                       counts + count * sizeof *word, sizeof *word,
                                                       side.get()),
                "cuMemcpyDtoHAsync");
}

void StepProgress::join() {
  if (used == 0)
    return;
  if (void *point = takeEvent()) {
    queue.record(point, side.get());
    queue.follow(point);
  }
}

int64_t StepProgress::reached() const {
  const int32_t count = word ? *word : 0;
  return count >= 0 && count <= mostExchanges ? count : 0; // a copy may be under way
}
