//===- CudaStep.h - A GPU's step and its instances --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_CUDASTEP_H
#define DS_LIB_TARGET_GPU_CUDASTEP_H

#include "../Cpu/Symbols.h"
#include "DeviceCode.h"
#include "MemoryNeeds.h"
#include "ds/Target/CompiledStep.h"
#include "ds/Target/EntrySlots.h"

#include <mutex>
#include <optional>

namespace ds::gpu {

/// Every buffer ends on a multiple of so many bytes, because code may read whole words of 16.
inline constexpr size_t kSlotAlignment = 64;

class CudaStep final : public CompiledStep {
public:
  const Manifest &manifest() const override { return executable.manifest; }
  size_t arenaBytes() const override { return executable.arenaBytes + workspaceBytes(); }
  int64_t memoryBytes() const override { return memoryNeeds().total(); }
  int64_t hostMemoryBytes() const override { return 0; } // except for a copy of one slot
  std::string describeDevice() const override;
  const std::vector<StageTime> &compileTimes() const override { return times; }
  const std::vector<std::string> &kernelNames() const override { return executable.kernels; }
  std::vector<std::pair<std::string, std::string>> libraryCalls() const override;
  bool canBorrow() const override { return true; }
  std::unique_ptr<StepInstance> instantiate(std::shared_ptr<SharedMemory> shared,
                                            int64_t rank) const override;

  /// Returns the code on the device of a rank, loaded by the first rank there.
  llvm::Expected<const DeviceCode *> codeFor(int64_t rank) const;
  /// Returns the code of any device.
  const DeviceCode &someCode() const { return *codes.begin()->second; }
  size_t workspaceBytes() const { return someCode().workspaceBytes; }
  /// The first returns the needs of one rank; the second, how many ranks of this process on the
  /// rank's device, this one included, have nothing allocated yet.
  MemoryNeeds memoryNeeds(const BorrowedSlots &borrowed = {}) const {
    return MemoryNeeds::of(executable, workspaceBytes(), borrowed);
  }
  int64_t ranksToCome(int64_t rank) const;
  /// Counts a rank whose memory is allocated, or freed.
  void count(int64_t rank, int64_t more) const;
  /// True if this process has more of the step's ranks than it has devices.
  bool ranksShareDevices() const;
  /// True if each of the step's ranks, all of this process, can touch the memory of all others,
  /// which the first call arranges.
  bool ranksReachEachOther() const;

  Executable executable;    // without its objects, which are loaded
  std::vector<int> devices; // rank r computes on the (r modulo their number)th
  std::vector<std::pair<std::string, std::string>> kernels; // chips and images
  AssertionRecord assertions = {};
  std::vector<StageTime> times;
  std::shared_ptr<const void> code; // of the driver; null where it is a part of the program
  const DeviceTables *tables = nullptr;
  EntryFunction entry = nullptr;
  bool checksLaunches = false; // waits for each launch, and names it if it fails
  bool isCaptured = false;     // steps are one CUDA graph, where their exchanges can be in one
  /// A graph of several ranks is captured by one of their threads at a time.
  mutable std::mutex captureTurn;

private:
  const std::string *newestFor(llvm::StringRef chip) const;

  mutable std::mutex mutex;                                 // guards the members below
  mutable std::map<int, std::unique_ptr<DeviceCode>> codes; // by device
  mutable std::map<int, int64_t> instances;                 // instances that have memory, by device
  mutable std::optional<bool> reachEachOther;
};

/// Returns the functions that the driver's code calls, by name.
std::vector<NamedFunction> deviceFunctions();

/// Loads a step whose driver is here: `entry` and `tables` live as long as `code`. Fails with one
/// sentence.
llvm::Expected<std::unique_ptr<CompiledStep>>
loadOnDevices(Executable executable, EntryFunction entry, const DeviceTables &tables,
              std::shared_ptr<const void> code, std::vector<StageTime> times,
              llvm::StringRef devices);

/// Returns the bytes of a slot.
size_t slotBytes(ElementType type, const std::vector<int64_t> &shape);

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_CUDASTEP_H
