//===- StepReports.h - What the host learns of each step --------*- C++ -*-===//
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

/// Metrics and assertions of steps, copied behind each to a pinned place of its own, so that the
/// next step can be queued before anybody has looked. A place is used again two steps later.
///
/// The last word of a report says that the step has ended: where a device has failed, all calls
/// fail alike, and only the reports that came tell which step it was.
class StepReports {
public:
  /// On the device: the metrics, with room for the last word behind `metricBytes`, and the words of
  /// assertions.
  StepReports(CudaQueue &queue, EventPool &events, DevicePointer metrics, size_t metricBytes,
              DevicePointer assertions, size_t assertionBytes);
  ~StepReports();
  StepReports(const StepReports &) = delete;

  /// Bytes behind the metrics.
  static constexpr size_t endBytes = 64;

  /// Behind all that is queued of step `number`, from 1 on. `withEnd`: hasCome() will be asked.
  void queueCopies(int64_t number, bool withEnd);
  /// Recorded behind these copies.
  void *event(int64_t number) const { return placeOf(number).ended; }
  /// Whether its report has come.
  bool hasCome(int64_t number) const;
  /// The bytes of a metric at this offset. The report has come.
  const char *metric(int64_t number, size_t offset) const { return placeOf(number).host + offset; }
  /// The word of the first assertion that did not hold; 0: all did.
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
