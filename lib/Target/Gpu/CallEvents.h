//===- CallEvents.h - Times of a step's calls on a GPU ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_CALLEVENTS_H
#define DS_LIB_TARGET_GPU_CALLEVENTS_H

#include "Cuda/CudaQueue.h"
#include "ds/Target/CallMarks.h"

namespace ds::gpu {

/// Records events after the calls of a step that was compiled with `profile`. The device notes its
/// own time and no call is waited for, so a short kernel's time does not include a wait.
class CallEvents {
public:
  explicit CallEvents(CudaQueue &queue) : queue(queue) {}
  ~CallEvents();
  CallEvents(const CallEvents &) = delete;

  /// Begins a step.
  void start();
  /// Called when call number `call` is queued.
  void mark(int64_t call);
  /// Adds the time of each call to `marks`. All queued work must have ended.
  void report(CallMarks &marks);

private:
  void note();

  CudaQueue &queue;
  std::vector<void *> events; // the first one before all calls
  std::vector<int64_t> calls; // of the events after it, in this step
};

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_CALLEVENTS_H
