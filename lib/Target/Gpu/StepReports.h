//===- StepReports.h - Metrics and assertions of each step ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_STEPREPORTS_H
#define DS_LIB_TARGET_GPU_STEPREPORTS_H

#include "Cuda/CudaQueue.h"

#include <array>

namespace ds::gpu {

/// Copies metrics and assertions of each step to a pinned place of its own, so that the next step
/// can be queued before the host reads them. A place is used again two steps later. The last word
/// of a report shows that the step has ended: after a device has failed all calls fail alike, and
/// only the reports that came show which step it was.
class StepReports {
public:
  /// `metrics` on the device has room for the last word after `metricBytes`; `assertions` are the
  /// words of assertions.
  StepReports(CudaQueue &queue, EventPool &events, DevicePointer metrics, size_t metricBytes,
              DevicePointer assertions, size_t assertionBytes);
  ~StepReports();
  StepReports(const StepReports &) = delete;

  /// Bytes after the metrics.
  static constexpr size_t endBytes = 64;

  /// Queues the copies after all queued work of step `number`, from 1 on. `withEnd`: hasCome() will
  /// be called.
  void queueCopies(int64_t number, bool withEnd);
  /// Returns the event that is recorded after these copies.
  void *event(int64_t number) const { return placeOf(number).ended; }
  /// True if the report of a step has come.
  bool hasCome(int64_t number) const;
  /// Returns the bytes of a metric at this offset. The report must have come.
  const char *metric(int64_t number, size_t offset) const { return placeOf(number).host + offset; }
  /// Returns the word of the first assertion that did not hold; 0: all did.
  int32_t assertion(int64_t number) const;

private:
  struct Place {
    char *host = nullptr; // pinned: metrics, last word, assertions
    void *ended = nullptr;
  };
  const Place &placeOf(int64_t number) const { return places[number % places.size()]; }
  volatile int32_t *endOf(int64_t number) const;

  CudaQueue &queue;
  EventPool &events;
  const DevicePointer metrics, assertions;
  const size_t metricBytes, assertionBytes;
  std::array<Place, 2> places;
};

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_STEPREPORTS_H
