//===- StepProgress.h - Progress of a step's work ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_STEPPROGRESS_H
#define DS_LIB_TARGET_GPU_STEPPROGRESS_H

#include "Cuda/CudaQueue.h"

namespace ds::gpu {

/// A word of the host's that the device counts up at each exchange of a step, which shows where a
/// step that does not end has stopped. In a graph events do not show it.
class StepProgress {
public:
  StepProgress(CudaQueue &queue, EventPool &events);
  ~StepProgress();
  StepProgress(const StepProgress &) = delete;

  /// Called when the host begins a step, whose calls follow or were captured.
  void start() { used = noted = 0; }
  /// Makes the step's stream begin to count: the step before, which may still run, has its own
  /// count.
  void reset() { noteCount(0); }
  /// Queues the count of the step's next exchange.
  void note() { noteCount(++noted); }
  /// Makes the step's stream wait for all counts.
  void join();
  /// Returns how many exchanges the device has reached in its current step.
  int64_t reached() const;

private:
  void *takeEvent();
  void noteCount(size_t count);

  CudaQueue &queue;
  EventPool &events;
  SideStream side;                  // so that no work waits for the counts
  volatile int32_t *word = nullptr; // pinned
  DevicePointer counts = 0;         // 0, 1, 2, ..
  std::vector<void *> points;       // of a step
  size_t used = 0, noted = 0;
};

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_STEPPROGRESS_H
