//===- DevicePlan.h - Library calls queued on a GPU -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_LIBRARY_DEVICEPLAN_H
#define DS_LIB_TARGET_GPU_LIBRARY_DEVICEPLAN_H

#include "../Cuda/CudaQueue.h"
#include "LibraryHandles.h"
#include "ds/Step/LibraryCalls.h"

#include <map>
#include <memory>
#include <vector>

namespace ds::gpu {

/// Where the operands of a call begin; offsets of its specification count from there.
struct CallBuffers {
  DevicePointer lhs, rhs, out, bias, workspace;
};

/// Arrays of addresses in a device's memory, which live as long as one rank's step: its calls have
/// the same buffers in each step, and a graph keeps what it was captured with.
class AddressTables {
public:
  explicit AddressTables(CudaQueue &queue) : queue(queue) {}
  ~AddressTables();
  AddressTables(const AddressTables &) = delete;
  /// Returns the array with these addresses, which the first call copies there; 0 after an error.
  DevicePointer find(const std::vector<DevicePointer> &addresses);

private:
  CudaQueue &queue;
  std::map<std::vector<DevicePointer>, DevicePointer> known;
  std::vector<DevicePointer> memory; // chunks
  DevicePointer next = 0, end = 0;   // within the last chunk
};

/// One distinct library call of a step, planned for a device. All ranks of it share the plan.
class DevicePlan {
public:
  virtual ~DevicePlan() = default;
  /// Returns "cublasLt 2 products", for reports.
  virtual std::string implementation() const = 0;
  virtual size_t workspaceBytes() const = 0;
  /// Queues the call.
  virtual void run(CudaQueue &queue, const CallBuffers &buffers, AddressTables &tables) const = 0;
};

llvm::Expected<std::unique_ptr<DevicePlan>> planProduct(const StridedContraction &contraction,
                                                        LibraryHandles &handles);
llvm::Expected<std::unique_ptr<DevicePlan>> planConvolution(const Convolution &convolution,
                                                            LibraryHandles &handles);

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_LIBRARY_DEVICEPLAN_H
