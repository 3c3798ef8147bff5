//===- LibraryHandles.h - One device's handles of libraries -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_LIBRARY_LIBRARYHANDLES_H
#define DS_LIB_TARGET_GPU_LIBRARY_LIBRARYHANDLES_H

#include "../Cuda/CudaApi.h"

#include <mutex>

namespace ds::gpu {

/// The handles of cuBLASLt and cuDNN on one device, each made when a plan first needs it: it costs
/// start time and memory of the device. All plans of the device share them and end before them.
class LibraryHandles {
public:
  LibraryHandles() = default;
  LibraryHandles(const LibraryHandles &) = delete;
  ~LibraryHandles();
  /// Returns the handle of cuBLASLt, which serves several threads at a time.
  llvm::Expected<void *> forProducts();
  /// Returns the handle of cuDNN, which has one stream at a time: `turn` is held from naming the
  /// stream until the call is queued.
  llvm::Expected<void *> forConvolutions();
  std::mutex turn;

private:
  void *cublasLt = nullptr, *cudnn = nullptr;
};

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_LIBRARY_LIBRARYHANDLES_H
