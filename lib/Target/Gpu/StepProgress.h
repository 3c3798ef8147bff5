//===- StepProgress.h - How far a step's work is ----------------*- C++ -*-===//
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

/// A word of the host's that the device counts up at each exchange of a step, so that one which
/// does not end can be told by where it stands. In a graph events say nothing.
class StepProgress {
public:
  StepProgress(CudaQueue &queue, EventPool &events);
  ~StepProgress();
  StepProgress(const StepProgress &) = delete;

  /// The host begins a step, whose calls follow or were captured.
  void start() { used = noted = 0; }
  /// The step's stream begins to count: the step before, which may still run, has its own count.
  void reset() { noteCount(0); }
  /// The step's stream has come to its next exchange.
  void note() { noteCount(++noted); }
  /// The step's stream goes on behind all notes.
  void join();
  /// How many exchanges the device has come to in the step that it is at.
  int64_t reached() const;

private:
  void *takeEvent();
  void noteCount(size_t count);

  CudaQueue &queue;
  EventPool &events;
  SideStream side;                  // so that nothing waits for the notes
  volatile int32_t *word = nullptr; // pinned
  DevicePointer counts = 0;         // 0, 1, 2, ..
  std::vector<void *> points;       // of a step
  size_t used = 0, noted = 0;
};

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_STEPPROGRESS_H
