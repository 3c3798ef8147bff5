//===- CudaMemory.cpp - Memory and copies of the fake driver ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeCuda.h"

#include <algorithm>
#include <map>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

enum : int {
  success = 0,
  invalidValue = 1,
  outOfMemory = 2,
  invalidHandle = 400,
  captureUnsupported = 900,
  unknown = 999
};

int copy(void *stream, void *to, const void *from, size_t bytes, fake::Direction direction) {
  if (int state = fake::cudaReady(); state != success)
    return state;
  fake::Stream *queue = fake::cudaStream(stream);
  if (!queue)
    return invalidHandle;
  const void *host = direction == fake::Direction::toHost     ? to
                     : direction == fake::Direction::toDevice ? from
                                                              : nullptr;
  if (queue->recording() && host && !fake::isPinned(host, bytes)) {
    queue->recording()->invalid = true;
    return captureUnsupported; // a replay would find other memory there
  }
  const fake::CudaFault fault = fake::nextCudaFault("copy");
  if (fault == fake::CudaFault::error)
    return unknown;
  if (fault != fake::CudaFault::none)
    fake::pushWithFault(*queue, fake::cudaDeviceOf(stream), fault, [] {});
  auto isDead = [device = fake::cudaDeviceOf(stream)] { return fake::cudaFailed(device); };
  return fake::copy(*queue, to, from, bytes, direction, isDead) ? success : invalidValue;
}

/// Copies between host and device that have happened when they return.
int copyNow(void *to, const void *from, size_t bytes, fake::Direction direction) {
  if (int state = fake::cudaReadyUncaptured(); state != success)
    return state;
  fake::Stream stream;
  const bool good = fake::copy(stream, to, from, bytes, direction);
  stream.mark()->wait();
  return good ? success : invalidValue;
}

} // namespace

namespace {
struct VirtualMemory {
  std::mutex mutex;
  std::map<const char *, size_t> spans;
};
VirtualMemory &virtualMemory() {
  static auto *instance = new VirtualMemory;
  return *instance;
}
} // namespace

void fake::setVirtual(const void *data, size_t bytes) {
  std::lock_guard<std::mutex> lock(virtualMemory().mutex);
  virtualMemory().spans[static_cast<const char *>(data)] = bytes;
}

void fake::forgetVirtual(const void *data) {
  std::lock_guard<std::mutex> lock(virtualMemory().mutex);
  virtualMemory().spans.erase(static_cast<const char *>(data));
}

bool fake::isVirtual(const void *data, size_t bytes) {
  std::lock_guard<std::mutex> lock(virtualMemory().mutex);
  auto *begin = static_cast<const char *>(data);
  return std::any_of(virtualMemory().spans.begin(), virtualMemory().spans.end(), [&](auto &span) {
    return span.first <= begin && begin + bytes <= span.first + span.second;
  });
}

EXPORT int cuMemAlloc_v2(unsigned long long *data, size_t bytes) {
  if (int state = fake::cudaReadyUncaptured(); state != success)
    return state;
  if (!data || bytes == 0)
    return invalidValue;
  if (fake::nextCudaFault("alloc") != fake::CudaFault::none ||
      bytes > fake::cudaMemory() - std::min(fake::allocatedBytes(), fake::cudaMemory()))
    return outOfMemory;
  *data =
      reinterpret_cast<unsigned long long>(fake::allocateDevice(bytes, fake::currentCudaDevice()));
  return *data ? success : outOfMemory;
}

EXPORT int cuMemFree_v2(unsigned long long data) {
  if (int state = fake::cudaReadyUncaptured(); state != success)
    return state;
  return fake::releaseDevice(reinterpret_cast<void *>(data)) ? success : invalidValue;
}

EXPORT int cuMemHostAlloc(void **data, size_t bytes, unsigned flags) {
  if (int state = fake::cudaReadyUncaptured(); state != success)
    return state;
  if (!data || bytes == 0 || flags > 7)
    return invalidValue;
  *data = fake::allocatePinned(bytes);
  return *data ? success : outOfMemory;
}

EXPORT int cuMemFreeHost(void *data) {
  if (int state = fake::cudaReady(); state != success)
    return state;
  return fake::releasePinned(data) ? success : invalidValue;
}

EXPORT int cuMemcpyHtoDAsync_v2(unsigned long long to, const void *from, size_t bytes,
                                void *stream) {
  return copy(stream, reinterpret_cast<void *>(to), from, bytes, fake::Direction::toDevice);
}

EXPORT int cuMemcpyDtoHAsync_v2(void *to, unsigned long long from, size_t bytes, void *stream) {
  return copy(stream, to, reinterpret_cast<void *>(from), bytes, fake::Direction::toHost);
}

EXPORT int cuMemcpyDtoDAsync_v2(unsigned long long to, unsigned long long from, size_t bytes,
                                void *stream) {
  return copy(stream, reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), bytes,
              fake::Direction::onDevice);
}

namespace {
struct Copy2D { // CUDA_MEMCPY2D
  size_t fromX, fromY;
  int fromType;
  const void *fromHost;
  unsigned long long from;
  void *fromArray;
  size_t fromPitch, toX, toY;
  int toType;
  void *toHost;
  unsigned long long to;
  void *toArray;
  size_t toPitch, width, height;
};
} // namespace

EXPORT int cuMemcpy2DAsync_v2(const Copy2D *copy, void *stream) {
  if (int state = fake::cudaReady(); state != success)
    return state;
  fake::Stream *queue = fake::cudaStream(stream);
  if (!queue)
    return invalidHandle;
  constexpr int onDevice = 2;
  if (!copy || copy->fromType != onDevice || copy->toType != onDevice)
    return invalidValue; // nobody makes others
  auto begin = [](unsigned long long data, size_t x, size_t y, size_t pitch) {
    return reinterpret_cast<void *>(data + x + y * pitch);
  };
  return fake::copyRows(*queue, begin(copy->to, copy->toX, copy->toY, copy->toPitch),
                        begin(copy->from, copy->fromX, copy->fromY, copy->fromPitch),
                        {copy->width, copy->height, copy->toPitch, copy->fromPitch})
             ? success
             : invalidValue;
}

EXPORT int cuMemsetD8Async(unsigned long long data, unsigned char value, size_t bytes,
                           void *stream) {
  if (int state = fake::cudaReady(); state != success)
    return state;
  fake::Stream *queue = fake::cudaStream(stream);
  if (!queue)
    return invalidHandle;
  return fake::fill(*queue, reinterpret_cast<void *>(data), value, bytes) ? success : invalidValue;
}

EXPORT int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t bytes) {
  return copyNow(reinterpret_cast<void *>(to), from, bytes, fake::Direction::toDevice);
}

EXPORT int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t bytes) {
  return copyNow(to, reinterpret_cast<void *>(from), bytes, fake::Direction::toHost);
}

EXPORT int cuPointerGetAttribute(void *data, int attribute, unsigned long long pointer) {
  if (int state = fake::cudaReady(); state != success)
    return state;
  const void *address = reinterpret_cast<const void *>(pointer);
  constexpr int memoryType = 2, isLegacy = 10;
  if (!data || (attribute != memoryType && attribute != isLegacy))
    return invalidValue;
  const bool device = fake::reach(address, 1) != nullptr;
  if (!device && !fake::isPinned(address, 1))
    return invalidValue;
  *static_cast<unsigned *>(data) = attribute == isLegacy ? device && !fake::isVirtual(address, 1)
                                   : device              ? 2
                                                         : 1;
  return success;
}
