//===- CudaFault.cpp - Faults that a test plans -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeCuda.h"

#include <cstdio>
#include <cstdlib>
#include <map>

namespace fake {

size_t cudaMemory() {
  const char *bytes = std::getenv("DS_FAKE_CUDA_MEMORY");
  return bytes ? std::strtoull(bytes, nullptr, 10) : size_t(16) << 30;
}

unsigned cudaCapability(int32_t device) {
  const char *set = std::getenv("DS_FAKE_CUDA_CAPABILITY");
  std::string list = set ? set : "90";
  for (size_t comma; device > 0 && (comma = list.find(',')) != std::string::npos; --device)
    list = list.substr(comma + 1);
  return static_cast<unsigned>(std::atoi(list.c_str()));
}

CudaFault nextCudaFault(const char *kind) {
  static std::mutex mutex;
  static auto *counts = new std::map<std::pair<std::string, int32_t>, unsigned long long>;
  const char *plan = std::getenv("DS_FAKE_CUDA_FAULTS");
  if (!plan)
    return CudaFault::none;
  std::lock_guard<std::mutex> lock(mutex);
  const int32_t device = currentCudaDevice();
  const unsigned long long ofAll = ++(*counts)[{kind, -1}], ofDevice = ++(*counts)[{kind, device}];
  CudaFault fault = CudaFault::none;
  for (std::string rest = plan; !rest.empty();) {
    const size_t end = rest.find(';');
    const std::string entry = rest.substr(0, end);
    rest = end == std::string::npos ? "" : rest.substr(end + 1);
    int named = -1, read = 0;
    unsigned long long call = 0;
    char name[16] = {}, action[16] = {};
    std::sscanf(entry.c_str(), " device=%d,%n", &named, &read);
    if (std::sscanf(entry.c_str() + read, " %15[a-z]=%llu,do=%15[a-z]", name, &call, action) != 3) {
      std::fprintf(stderr, "DS_FAKE_CUDA_FAULTS: cannot read '%s'\n", entry.c_str());
      std::_Exit(3);
    }
    if (std::string(kind) != name || call != (named < 0 ? ofAll : ofDevice) ||
        (named >= 0 && named != device))
      continue;
    const std::string what = action;
    if (what != "error" && what != "fail" && what != "hang") {
      std::fprintf(stderr, "DS_FAKE_CUDA_FAULTS: no action '%s'\n", action);
      std::_Exit(3);
    }
    std::fprintf(stderr, "fake CUDA: the planned fault '%s' is met\n", entry.c_str());
    fault = what == "error" ? CudaFault::error : what == "fail" ? CudaFault::fail : CudaFault::hang;
  }
  return fault;
}

void pushWithFault(Stream &stream, int32_t device, CudaFault fault, std::function<void()> work) {
  stream.push([=, work = std::move(work)] {
    if (cudaFailed(device))
      return; // nothing runs in a context that has failed
    if (fault == CudaFault::fail)
      return failCuda(device, 700, "a planned fault of the device");
    while (fault == CudaFault::hang)
      std::this_thread::sleep_for(std::chrono::seconds(1));
    work();
  });
}

} // namespace fake
