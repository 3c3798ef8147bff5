//===- CallEvents.h - When the calls of a step end on a GPU -----*- C++ -*-===//
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

/// Events behind the calls of a step that was compiled with `profile`. The device notes its own
/// time and nothing waits, so a short kernel's time is not that of a wait for it.
class CallEvents {
public:
  explicit CallEvents(CudaQueue &queue) : queue(queue) {}
  ~CallEvents();
  CallEvents(const CallEvents &) = delete;

  /// A step begins.
  void start();
  /// Call number `call` is queued.
  void mark(int64_t call);
  /// Tells `marks` what each call took. All that was queued has ended.
  void report(CallMarks &marks);

private:
  void note();

  CudaQueue &queue;
  std::vector<void *> events; // the first one before all calls
  std::vector<int64_t> calls; // of the events behind it, in this step
};

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_CALLEVENTS_H
