//===- DeviceCode.h - A step's kernels and plans on one GPU -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_DEVICECODE_H
#define DS_LIB_TARGET_GPU_DEVICECODE_H

#include "CompleteGpuDriver.h"
#include "Library/DevicePlan.h"
#include "RankReduction.h"

#include <atomic>
#include <map>

namespace ds::gpu {

/// How long the end of a run waits for work of a device, in milliseconds.
inline constexpr int64_t kFarewellMs = 1000;

/// One launch, ready to be queued.
struct LoadedLaunch {
  LaunchRecord record;
  void *function = nullptr;
};

/// The part of a step that the ranks of one device share.
class DeviceCode {
public:
  explicit DeviceCode(CudaDevice opened)
      : device(std::move(opened)), events(device), marks(events), queue(device) {}
  ~DeviceCode();
  /// Plans the library calls.
  llvm::Error plan(const std::vector<LibraryCallSpec> &calls);
  /// Loads the kernels, PTX or a fat binary, finds each launch's, and copies constants to the
  /// device. `driver` holds the tables of both.
  llvm::Error loadKernels(const std::string &image, const DeviceTables &driver);
  /// Returns the kernel; null if the step has no such kernel.
  void *find(const RankReduction &reduction) const;

  /// Keeps memory of a rank that has failed: others may still use it, so it is freed with the code.
  void keep(llvm::ArrayRef<DevicePointer> memory) const;

  const CudaDevice device;
  LibraryHandles handles; // of the plans
  std::vector<std::unique_ptr<DevicePlan>> plans;
  size_t workspaceBytes = 0; // the most that a library call needs; calls of one rank never overlap
  std::vector<LoadedLaunch> launches;
  std::vector<DevicePointer> constants;
  void *loaded = nullptr; // event: constants are there
  mutable EventPool events;
  mutable MarkPool marks;
  mutable std::atomic<bool> isAbandoned{false}; // queued work may never end

private:
  CudaQueue queue; // of loading
  void *module = nullptr;
  mutable std::mutex keeping;
  mutable std::vector<DevicePointer> kept;
  std::map<std::string, void *, std::less<>> reductions; // by name
};

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_DEVICECODE_H
