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
#include "CudaQueue.h"

#include <map>

struct dsrt_pending;

namespace ds::gpu {

/// A buffer of the device and its copy on the host.
struct StagedBuffer {
  DevicePointer device = 0;
  std::vector<char> host;
  bool isResult = false; // goes back
};

/// What one rank has under way.
class Staging {
public:
  explicit Staging(CudaQueue &queue) : queue(queue) {}
  CudaQueue &queue;
  std::map<dsrt_pending *, std::vector<StagedBuffer>> started;
};

/// For the life of the object the calling thread's collectives are those of `staging`.
class UseStaging {
public:
  explicit UseStaging(Staging &staging);
  ~UseStaging();
};

/// The runtime's collectives for buffers of a device, by the names of the runtime's.
std::vector<NamedFunction> stagedFunctions();

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_STAGEDCOLLECTIVES_H
