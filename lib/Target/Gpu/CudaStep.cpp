//===- CudaStep.cpp - A step loaded on GPUs ---------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CudaStep.h"

#include "StepReports.h"
#include "TargetName.h"
#include "ds/Support/Memory.h"
#include "ds/Support/UserError.h"
#include "dsrt/dsrt.h"

#include "llvm/Support/MathExtras.h"

#include <set>

using namespace ds;
using namespace ds::gpu;

size_t ds::gpu::slotBytes(ElementType type, const std::vector<int64_t> &shape) {
  size_t bytes = static_cast<size_t>(elementCount(shape) * byteSize(type));
  return llvm::alignTo(std::max<size_t>(bytes, 1), kSlotAlignment);
}

MemoryNeeds MemoryNeeds::of(const Executable &executable, size_t workspaceBytes,
                            const BorrowedSlots &borrowed) {
  MemoryNeeds needs;
  needs.arena = static_cast<int64_t>(executable.arenaBytes);
  needs.workspace = static_cast<int64_t>(workspaceBytes);
  for (auto [slot, argument] : llvm::enumerate(executable.manifest.arguments)) {
    if (borrowed.count(slot))
      continue;
    int64_t &bytes = argument.role == ArgumentRole::parameter ? needs.parameters
                     : argument.role == ArgumentRole::state   ? needs.states
                     : argument.role == ArgumentRole::batch   ? needs.samples
                                                              : needs.others;
    bytes += static_cast<int64_t>(slotBytes(argument.type, argument.shape));
  }
  needs.ahead = needs.samples;
  needs.results = StepReports::endBytes;
  for (const ResultSpec &result : executable.manifest.results)
    if (!result.updates)
      needs.results += static_cast<int64_t>(slotBytes(result.type, result.shape));
  return needs;
}

std::string MemoryNeeds::describe() const {
  std::string text;
  for (auto [bytes, what] : {std::pair(parameters, "parameters"),
                             {states, "states"},
                             {samples, "samples"},
                             {others, "other arguments"},
                             {results, "results"},
                             {arena, "values within the step and buckets"},
                             {workspace, "cuBLAS and cuDNN"}})
    if (bytes > 0)
      text += (text.empty() ? "" : ", ") + std::to_string(bytes) + " for " + what;
  return text;
}

int64_t CudaStep::ranksToCome(int64_t rank) const {
  std::lock_guard<std::mutex> lock(mutex);
  int32_t own = 0, numRanks = 1;
  const int number = devices[rank % devices.size()];
  int64_t here = 0;
  if (dsrt_launched(&own, &numRanks) && numRanks > 1)
    here = 1; // others are processes
  else
    for (int64_t other = 0; other < manifest().numRanks; ++other)
      here += devices[other % devices.size()] == number;
  auto there = instances.find(number);
  return std::max<int64_t>(1, here - (there == instances.end() ? 0 : there->second));
}

void CudaStep::count(int64_t rank, int64_t more) const {
  std::lock_guard<std::mutex> lock(mutex);
  instances[devices[rank % devices.size()]] += more;
}

std::string CudaStep::describeDevice() const {
  const DeviceCode &code = someCode();
  size_t kernels = 0, products = 0;
  for (const LoadedLaunch &launch : code.launches)
    kernels += llvm::StringRef(launch.record.scheme) != kRanksScheme;
  for (const LibraryCallSpec &call : executable.libraryCalls)
    products += std::holds_alternative<StridedContraction>(call.what);
  const size_t convolutions = executable.libraryCalls.size() - products;
  auto counted = [](size_t number, const char *what) {
    return number == 0 ? std::string()
                       : ", " + std::to_string(number) + " " + what + (number == 1 ? "" : "s");
  };
  return "cuda: " + code.device.name + ", " + code.device.chip + counted(kernels, "kernel") +
         counted(products, "product") + counted(convolutions, "convolution") +
         (isCaptured ? ", one graph a step, " : ", call by call, ") + bytesToString(memoryBytes()) +
         " a rank";
}

std::vector<std::pair<std::string, std::string>> CudaStep::libraryCalls() const {
  std::vector<std::pair<std::string, std::string>> calls;
  for (const auto &[call, plan] : llvm::zip(executable.libraryCalls, someCode().plans))
    calls.emplace_back(call.name, plan->implementation());
  return calls;
}

/// Returns the code for the newest chip that is no newer than the device's.
const std::string *CudaStep::newestFor(llvm::StringRef chip) const {
  const std::string *best = nullptr;
  unsigned bestNumber = 0;
  for (const auto &[name, image] : kernels)
    if (unsigned number = chipNumber(name); number <= chipNumber(chip) && number > bestNumber) {
      best = &image;
      bestNumber = number;
    }
  return best;
}

llvm::Expected<const DeviceCode *> CudaStep::codeFor(int64_t rank) const {
  std::lock_guard<std::mutex> lock(mutex);
  const int number = devices[rank % devices.size()];
  if (auto found = codes.find(number); found != codes.end())
    return found->second.get();
  auto device = openDevice(number);
  if (!device)
    return device.takeError();
  const std::string *image = newestFor(device->chip);
  if (!image)
    return userError("the step was compiled for " + describeTarget(executable.target) + ", but " +
                     device->name + " is " + device->chip);
  auto code = std::make_unique<DeviceCode>(std::move(*device));
  if (llvm::Error error = code->plan(executable.libraryCalls))
    return error;
  if (llvm::Error error = code->loadKernels(*image, *tables))
    return error;
  return (codes[number] = std::move(code)).get();
}

bool CudaStep::ranksShareDevices() const {
  int32_t own = 0, numRanks = 1;
  if (dsrt_launched(&own, &numRanks) && numRanks > 1)
    return false; // others are processes
  const std::set<int> distinct(devices.begin(), devices.end());
  return manifest().numRanks > static_cast<int64_t>(distinct.size());
}

bool CudaStep::ranksReachEachOther() const {
  std::set<int64_t> used; // one rank of each device
  for (int64_t rank = 0; rank < std::min<int64_t>(manifest().numRanks, devices.size()); ++rank) {
    used.insert(rank);
    if (auto code = codeFor(rank); !code) {
      llvm::consumeError(code.takeError()); // its rank reports it
      return false;
    }
  }
  std::lock_guard<std::mutex> lock(mutex);
  if (reachEachOther)
    return *reachEachOther;
  reachEachOther = true;
  for (int64_t from : used)
    for (int64_t to : used) {
      const CudaDevice &own = codes.at(devices[from])->device,
                       &other = codes.at(devices[to])->device;
      if (own.number == other.number)
        continue;
      int can = 0, result = own.api->cuDeviceCanAccessPeer(&can, own.number, other.number);
      if (result == 0 && can)
        result = own.api->cuCtxSetCurrent(own.context);
      if (result == 0 && can)
        result = own.api->cuCtxEnablePeerAccess(other.context, 0);
      reachEachOther =
          *reachEachOther && can && (result == 0 || result == cuda::errorPeerAccessEnabled);
    }
  return *reachEachOther;
}
