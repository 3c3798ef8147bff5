//===- FakeNcclMemory.cpp - NCCL's memory, and its errors -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DS_FAKE_NCCL_MEMORY=none: there is none of it; plain: what there is is the driver's plain memory,
// as NCCL gives where devices have no virtual addresses.
//
//===----------------------------------------------------------------------===//
#include "FakeCuda.h"
#include "FakeRegistrations.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {
enum : int { success = 0, cudaError = 1, systemError = 2, invalidArgument = 4 };
}

namespace fake {

Registrations &Registrations::all() {
  static auto *instance = new Registrations;
  return *instance;
}

void Registrations::add(void *communicator, const void *data, size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  spans.push_back({communicator, static_cast<const char *>(data), bytes});
}

bool Registrations::remove(void *communicator, const void *data) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = std::find_if(spans.begin(), spans.end(), [&](const Span &span) {
    return span.communicator == communicator && span.data == data;
  });
  if (found == spans.end())
    return false;
  spans.erase(found);
  return true;
}

void Registrations::drop(void *communicator) {
  std::lock_guard<std::mutex> lock(mutex);
  spans.erase(std::remove_if(spans.begin(), spans.end(),
                             [&](const Span &span) { return span.communicator == communicator; }),
              spans.end());
}

int64_t Registrations::offsetOf(void *communicator, const void *data, size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  auto *begin = static_cast<const char *>(data);
  for (const Span &span : spans)
    if (span.communicator == communicator && span.data <= begin &&
        begin + bytes <= span.data + span.bytes)
      return begin - span.data;
  return -1;
}

bool Registrations::has(const void *data) {
  std::lock_guard<std::mutex> lock(mutex);
  return std::any_of(spans.begin(), spans.end(),
                     [&](const Span &span) { return span.data == data; });
}

void forbid(const char *what) {
  std::fprintf(stderr, "fake NCCL: %s\n", what);
  std::abort();
}

} // namespace fake

EXPORT int ncclMemAlloc(void **data, size_t bytes) {
  if (fake::currentCudaDevice() < 0 || !data || bytes == 0)
    return invalidArgument;
  const char *kind = std::getenv("DS_FAKE_NCCL_MEMORY");
  if (kind && std::string(kind) == "none")
    return systemError;
  if (fake::nextCudaFault("memory") != fake::CudaFault::none ||
      bytes > fake::cudaMemory() - std::min(fake::allocatedBytes(), fake::cudaMemory()))
    return cudaError;
  *data = fake::allocateDevice(bytes, fake::currentCudaDevice());
  if (*data && !kind)
    fake::setVirtual(*data, bytes);
  return *data ? success : cudaError;
}

EXPORT int ncclMemFree(void *data) {
  if (fake::Registrations::all().has(data))
    fake::forbid("ncclMemFree of memory that a communicator has registered");
  fake::forgetVirtual(data);
  return fake::releaseDevice(data) ? success : invalidArgument;
}

EXPORT const char *ncclGetErrorString(int result) {
  static const char *const texts[] = {"no error",
                                      "unhandled cuda error",
                                      "unhandled system error",
                                      "internal error",
                                      "invalid argument",
                                      "invalid usage",
                                      "remote process exited or there was a network error",
                                      "NCCL operation in progress"};
  return result >= 0 && result <= 7 ? texts[result] : "unknown result code";
}
