//===- CudaStep.h - What a step on a GPU and its instances hold -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_CUDASTEP_H
#define DS_LIB_TARGET_GPU_CUDASTEP_H

#include "../Cpu/Jit.h"
#include "../Cpu/Symbols.h"
#include "CompleteGpuDriver.h"
#include "DevicePlan.h"
#include "ds/Target/CompiledStep.h"

namespace ds::gpu {

/// One launch, ready to be queued.
struct LoadedLaunch {
  LaunchRecord record;
  void *function = nullptr;
};

class CudaStep final : public CompiledStep {
public:
  ~CudaStep() override;
  const Manifest &manifest() const override { return executable.manifest; }
  size_t arenaBytes() const override { return executable.arenaBytes + workspaceBytes; }
  int64_t memoryBytes() const override;
  const std::vector<StageTime> &compileTimes() const override { return times; }
  const std::vector<std::string> &kernelNames() const override { return executable.kernels; }
  std::vector<std::pair<std::string, std::string>> libraryCalls() const override;
  std::unique_ptr<StepInstance> instantiate(std::shared_ptr<SharedMemory> shared,
                                            int64_t rank) const override;
  /// Loads the kernels, finds each launch's, and copies constants to the device.
  llvm::Error loadKernels(const std::string &ptx);

  Executable executable; // without its objects, which are loaded
  CudaDevice device;
  std::unique_ptr<CudaQueue> queue; // of loading
  std::vector<std::unique_ptr<DevicePlan>> plans;
  size_t workspaceBytes = 0; // largest need of any library call; those of one rank never overlap
  std::vector<LoadedLaunch> launches;
  std::vector<DevicePointer> constants;
  AssertionRecord assertions = {};
  std::vector<StageTime> times;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  EntryFunction entry = nullptr;
  void *module = nullptr;
  bool isCaptured = false; // steps are one CUDA graph
};

/// What the driver's code calls, by name.
std::vector<NamedFunction> deviceFunctions();

/// Bytes of a slot; every buffer ends on 64, because code may read whole words of 16.
size_t slotBytes(ElementType type, const std::vector<int64_t> &shape);

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_CUDASTEP_H
