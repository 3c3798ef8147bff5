//===- StagedCollectives.h - Exchanges of a GPU's buffers -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_STAGEDCOLLECTIVES_H
#define DS_LIB_TARGET_GPU_STAGEDCOLLECTIVES_H

#include "../Cpu/Symbols.h"
#include "Cuda/CudaQueue.h"

#include <functional>
#include <map>

struct dsrt_pending;

namespace ds::gpu {

/// A buffer of the device and its copy on the host.
struct StagedBuffer {
  DevicePointer device = 0;
  std::vector<char> host;
  bool isResult = false; // goes back
};

/// The exchanges of one rank's step.
class Exchanges {
public:
  explicit Exchanges(CudaQueue &queue) : queue(queue) {}
  CudaQueue &queue;
  /// True: buffers go through the host, one exchange after the other. False: the runtime queues
  /// them.
  bool areStaged = true;
  std::map<dsrt_pending *, std::vector<StagedBuffer>> started; // their staged buffers
  /// Returns when the device has done its queued work, or cannot.
  std::function<void()> wait;
  /// `begins` is called when an exchange begins; `before` and `after` around each call of the
  /// runtime that queues, waits included.
  std::function<void()> begins, before, after;
};

/// For the life of the object the calling thread's collectives are those of `exchanges`.
class UseExchanges {
public:
  explicit UseExchanges(Exchanges &exchanges);
  ~UseExchanges();
};

/// Returns the collectives for buffers of a device, by the names of the runtime's.
std::vector<NamedFunction> exchangeFunctions();

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_STAGEDCOLLECTIVES_H
