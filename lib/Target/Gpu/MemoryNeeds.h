//===- MemoryNeeds.h - A step's needs of a GPU's memory ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_MEMORYNEEDS_H
#define DS_LIB_TARGET_GPU_MEMORYNEEDS_H

#include "ds/Step/Executable.h"
#include "ds/Target/OnDevice.h"

namespace ds::gpu {

/// Bytes of one rank, as they are allocated: borrowed memory does not count.
struct MemoryNeeds {
  int64_t parameters = 0, states = 0, samples = 0, others = 0, results = 0;
  int64_t arena = 0; // values within a step, and the buckets that gradients are exchanged in
  int64_t workspace = 0;
  int64_t ahead = 0; // second buffers of samples, allocated if all else fits beside them

  static MemoryNeeds of(const Executable &executable, size_t workspaceBytes,
                        const BorrowedSlots &borrowed = {});
  int64_t total() const {
    return parameters + states + samples + others + results + arena + workspace;
  }
  /// Returns `4096 for parameters, 128 for samples`: the bytes that are not zero, by their use.
  std::string describe() const;
};

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_MEMORYNEEDS_H
