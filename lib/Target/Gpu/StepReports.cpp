//===- StepReports.cpp - Metrics and assertions of each step ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   stream   step k   copy -> place k % 2   event k   step k+1   copy   event k+1
//   host     queues k+1, waits for event k, reads place k % 2, queues k+2, ..
//
//===----------------------------------------------------------------------===//
#include "StepReports.h"

#include <cstring>

using namespace ds::gpu;

StepReports::StepReports(CudaQueue &queue, EventPool &events, DevicePointer metrics,
                         size_t metricBytes, DevicePointer assertions, size_t assertionBytes)
    : queue(queue), events(events), metrics(metrics), assertions(assertions),
      metricBytes(metricBytes), assertionBytes(assertionBytes) {
  const CudaApi &cuda = *queue.device.api;
  // The device's memory is zero; a copy that did not happen cannot leave this word.
  if (!queue.hasFailed())
    queue.check(cuda.cuMemsetD8Async(metrics + metricBytes, 1, endBytes, queue.stream),
                "cuMemsetD8Async");
  for (Place &place : places) {
    int result = 0;
    void *memory = nullptr;
    if (!queue.hasFailed() &&
        queue.check(cuda.cuMemHostAlloc(&memory, metricBytes + endBytes + assertionBytes, 0),
                    "cuMemHostAlloc"))
      place.host = static_cast<char *>(std::memset(memory, 0, metricBytes + endBytes));
    if (!queue.hasFailed()) {
      place.ended = events.take(result);
      queue.check(result, "cuEventCreate");
    }
  }
}

StepReports::~StepReports() {
  if (queue.isAbandoned())
    return;
  for (Place &place : places) {
    if (place.host)
      (void)queue.device.api->cuMemFreeHost(place.host);
    if (place.ended)
      events.give(place.ended);
  }
}

volatile int32_t *StepReports::endOf(int64_t number) const {
  return reinterpret_cast<volatile int32_t *>(placeOf(number).host + metricBytes);
}

void StepReports::queueCopies(int64_t number, bool withEnd) {
  const Place &place = placeOf(number);
  if (place.host)
    *endOf(number) = 0;
  if (queue.hasFailed())
    return;
  // Assertions first: once the last word has arrived, so have they.
  queue.download(place.host + metricBytes + endBytes, assertions, assertionBytes);
  if (withEnd || metricBytes > 0)
    queue.download(place.host, metrics, metricBytes + endBytes);
  queue.record(place.ended);
}

bool StepReports::hasCome(int64_t number) const {
  constexpr int32_t ones = 0x01010101;
  return placeOf(number).host && *endOf(number) == ones;
}

int32_t StepReports::assertion(int64_t number) const {
  const char *first = placeOf(number).host + metricBytes + endBytes;
  const auto *words = reinterpret_cast<const int32_t *>(first);
  for (size_t i = 0; i < assertionBytes / sizeof(int32_t); ++i)
    if (words[i])
      return words[i];
  return 0;
}
