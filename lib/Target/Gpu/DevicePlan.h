//===- DevicePlan.h - Library calls queued on a GPU -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_DEVICEPLAN_H
#define DS_LIB_TARGET_GPU_DEVICEPLAN_H

#include "CudaQueue.h"
#include "ds/Step/LibraryCalls.h"

#include <memory>

namespace ds::gpu {

/// One distinct library call of a step, planned for a device. All ranks of it share the plan.
class DevicePlan {
public:
  virtual ~DevicePlan() = default;
  /// "cublasLt 2 products", for reports.
  virtual std::string implementation() const = 0;
  virtual size_t workspaceBytes() const = 0;
  /// How many calls of the library it takes.
  virtual unsigned numCalls() const = 0;
  /// Queues it. Addresses begin where the driver says; offsets of the specification count from
  /// there.
  virtual void run(CudaQueue &queue, DevicePointer lhs, DevicePointer rhs, DevicePointer out,
                   DevicePointer workspace) const = 0;
};

llvm::Expected<std::unique_ptr<DevicePlan>> planProduct(const StridedContraction &contraction);
llvm::Expected<std::unique_ptr<DevicePlan>> planConvolution(const Convolution &convolution);

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_DEVICEPLAN_H
