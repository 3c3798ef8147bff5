//===- CpuStep.h - A CPU's step and its instances ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_CPU_CPUSTEP_H
#define DS_LIB_TARGET_CPU_CPUSTEP_H

#include "Library/LibraryPlan.h"
#include "ds/Step/Executable.h"
#include "ds/Target/CompiledStep.h"
#include "ds/Target/EntrySlots.h"

#include "llvm/ADT/STLExtras.h"

namespace ds {

class CpuStep final : public CompiledStep {
public:
  /// Plans the library's calls; `entry` lives as long as `code`.
  CpuStep(Executable executable, std::shared_ptr<const void> code, EntryFunction entry,
          std::vector<StageTime> times);
  const Manifest &manifest() const override { return executable.manifest; }
  size_t arenaBytes() const override { return executable.arenaBytes + scratchBytes; }
  int64_t memoryBytes() const override;
  int64_t sharedBytes() const override;
  const std::vector<StageTime> &compileTimes() const override { return times; }
  const std::vector<std::string> &kernelNames() const override { return executable.kernels; }
  std::vector<std::pair<std::string, std::string>> libraryCalls() const override;
  std::shared_ptr<SharedMemory> makeShared() const override;
  std::unique_ptr<StepInstance> instantiate(std::shared_ptr<SharedMemory> shared,
                                            int64_t rank) const override;
  bool isShared(unsigned argument) const {
    return llvm::is_contained(executable.sharedArguments, argument);
  }

  Executable executable;   // without its objects, which are linked
  size_t scratchBytes = 0; // the most that a library call needs; calls of one rank never overlap
  std::vector<std::unique_ptr<LibraryPlan>> plans; // of its library calls
  std::vector<StageTime> times;
  std::shared_ptr<const void> code; // null where it is a part of the program
  EntryFunction entry;
};

} // namespace ds

#endif // DS_LIB_TARGET_CPU_CPUSTEP_H
