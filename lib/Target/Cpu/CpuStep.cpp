//===- CpuStep.cpp - A step on the cores, ready for instances -------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CpuMemory.h"

#include "llvm/Support/MathExtras.h"

using namespace ds;

static std::unique_ptr<LibraryPlan> plan(const LibraryCallSpec &call) {
  if (const auto *contraction = std::get_if<StridedContraction>(&call.what))
    return planContraction(*contraction);
  return planConvolution(std::get<Convolution>(call.what));
}

CpuStep::CpuStep(Executable given, std::shared_ptr<const void> code, EntryFunction entry,
                 std::vector<StageTime> times)
    : executable(std::move(given)), times(std::move(times)), code(std::move(code)), entry(entry) {
  StageTimer timer(this->times, "plans");
  for (const LibraryCallSpec &call : executable.libraryCalls) {
    plans.push_back(plan(call));
    scratchBytes = std::max(scratchBytes, plans.back()->scratchBytes());
  }
}

int64_t CpuStep::memoryBytes() const {
  size_t total = slotBytes(executable.arenaBytes) + slotBytes(scratchBytes);
  for (auto [slot, argument] : llvm::enumerate(executable.manifest.arguments))
    if (!isShared(slot))
      total += slotBytesOf(argument);
  for (const ResultSpec &result : executable.manifest.results)
    if (!result.updates)
      total += slotBytesOf(result);
  return llvm::alignTo(total, hugePage);
}

int64_t CpuStep::sharedBytes() const {
  size_t total = 0;
  for (unsigned slot : executable.sharedArguments)
    total += slotBytesOf(executable.manifest.arguments[slot]);
  return llvm::alignTo(total, hugePage);
}

std::shared_ptr<SharedMemory> CpuStep::makeShared() const {
  return executable.sharedArguments.empty() ? nullptr : std::make_shared<CpuSharedMemory>(*this);
}

std::vector<std::pair<std::string, std::string>> CpuStep::libraryCalls() const {
  std::vector<std::pair<std::string, std::string>> calls;
  for (size_t i = 0; i < plans.size(); ++i)
    calls.emplace_back(executable.libraryCalls[i].name, plans[i]->implementation());
  return calls;
}
