//===- CudaStep.cpp - A step loaded on GPUs ---------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CudaStep.h"

#include "TargetName.h"
#include "ds/Support/UserError.h"

#include "llvm/Support/MathExtras.h"

#include <set>

using namespace ds;
using namespace ds::gpu;

size_t ds::gpu::slotBytes(ElementType type, const std::vector<int64_t> &shape) {
  size_t bytes = static_cast<size_t>(elementCount(shape) * byteSize(type));
  return llvm::alignTo(std::max<size_t>(bytes, 1), kSlotAlignment);
}

int64_t CudaStep::memoryBytes() const {
  int64_t total = executable.arenaBytes + workspaceBytes();
  for (const ArgumentSpec &argument : executable.manifest.arguments)
    total += slotBytes(argument.type, argument.shape);
  for (const ResultSpec &result : executable.manifest.results)
    if (!result.updates)
      total += slotBytes(result.type, result.shape);
  return total;
}

std::vector<std::pair<std::string, std::string>> CudaStep::libraryCalls() const {
  std::vector<std::pair<std::string, std::string>> calls;
  for (const auto &[call, plan] : llvm::zip(executable.libraryCalls, someCode().plans))
    calls.emplace_back(call.name, plan->implementation());
  return calls;
}

/// The code for the newest chip that is no newer than the device's.
const std::string *CudaStep::newestFor(llvm::StringRef chip) const {
  const std::string *best = nullptr;
  unsigned bestNumber = 0;
  for (const auto &[name, ptx] : kernels)
    if (unsigned number = chipNumber(name); number <= chipNumber(chip) && number > bestNumber) {
      best = &ptx;
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
  const std::string *ptx = newestFor(device->chip);
  if (!ptx)
    return userError("the step was compiled for " + describeTarget(executable.target) + ", but " +
                     device->name + " is " + device->chip);
  auto code = std::make_unique<DeviceCode>(std::move(*device));
  if (llvm::Error error = code->plan(executable.libraryCalls))
    return error;
  if (llvm::Error error = code->loadKernels(*ptx, *tables))
    return error;
  return (codes[number] = std::move(code)).get();
}

bool CudaStep::ranksReachEachOther() const {
  std::set<int64_t> used; // a rank of each device
  for (int64_t rank = 0; rank < std::min<int64_t>(manifest().numRanks, devices.size()); ++rank) {
    used.insert(rank);
    if (auto code = codeFor(rank); !code) {
      llvm::consumeError(code.takeError()); // its rank says it
      return false;
    }
  }
  std::lock_guard<std::mutex> lock(mutex);
  if (reachEachOther)
    return *reachEachOther;
  constexpr int enabledAlready = 704;
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
      reachEachOther = *reachEachOther && can && (result == 0 || result == enabledAlready);
    }
  return *reachEachOther;
}
