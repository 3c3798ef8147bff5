//===- CudaQueue.h - One rank's work on a GPU -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_CUDAQUEUE_H
#define DS_LIB_TARGET_GPU_CUDAQUEUE_H

#include "CudaApi.h"

#include "llvm/ADT/Twine.h"

namespace ds::gpu {

/// The device that steps run on, and the kernels of one of them.
struct CudaDevice {
  const CudaApi *api = nullptr;
  void *context = nullptr;
  int number = 0;
  std::string name, chip; // "NVIDIA H100", "sm_90"
};

/// Device `number`, whose context is made current for the calling thread. Fails with one sentence.
llvm::Expected<CudaDevice> openDevice(int number);

/// A stream, and the first thing that went wrong on it: CUDA's errors are sticky and come late, so
/// that all after the first say nothing.
class CudaQueue {
public:
  explicit CudaQueue(const CudaDevice &device);
  ~CudaQueue();
  CudaQueue(const CudaQueue &) = delete;
  CudaQueue &operator=(const CudaQueue &) = delete;

  /// Makes the calling thread use the device.
  void bind();
  /// Records a failure unless there is one already. True if all is well.
  bool check(int result, const char *function);
  void fail(const llvm::Twine &why);
  bool hasFailed() const { return !failure.empty(); }
  const std::string &error() const { return failure; }

  DevicePointer allocate(size_t bytes);
  void release(DevicePointer data);
  void zero(DevicePointer data, size_t bytes);
  void upload(DevicePointer to, const void *from, size_t bytes);
  void download(void *to, DevicePointer from, size_t bytes);
  /// Returns when all that is queued has ended.
  void wait();

  const CudaDevice &device;
  void *stream = nullptr;

private:
  std::string failure;
};

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_CUDAQUEUE_H
