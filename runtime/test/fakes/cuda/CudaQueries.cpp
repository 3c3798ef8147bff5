//===- CudaQueries.cpp - What the fake driver answers -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeCuda.h"

#include <algorithm>
#include <cstdio>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

enum : int {
  success = 0,
  invalidValue = 1,
  invalidDevice = 101,
  invalidHandle = 400,
  notReady = 600,
  capturedEvent = 907
};

/// A stream that may be waited for now; else the error.
int waitable(void *handle, fake::Stream *&stream) {
  stream = fake::cudaStream(handle);
  if (!stream)
    return invalidHandle;
  if (stream->recording()) {
    stream->recording()->invalid = true;
    return 900;
  }
  return fake::cudaReady();
}

} // namespace

EXPORT int cuDeviceGetName(char *name, int bytes, int) {
  if (!name || bytes < 1)
    return invalidValue;
  std::snprintf(name, static_cast<size_t>(bytes), "fake (PTX on the CPU)");
  return success;
}

EXPORT int cuDeviceGetAttribute(int *value, int attribute, int) {
  constexpr int multiprocessors = 16, major = 75, minor = 76;
  if (!value)
    return invalidValue;
  switch (attribute) {
  case multiprocessors:
    *value = 4;
    return success;
  case major:
    *value = static_cast<int>(fake::cudaCapability() / 10);
    return success;
  case minor:
    *value = static_cast<int>(fake::cudaCapability() % 10);
    return success;
  default:
    return invalidValue;
  }
}

EXPORT int cuDeviceTotalMem_v2(size_t *bytes, int) {
  if (!bytes)
    return invalidValue;
  *bytes = fake::cudaMemory();
  return success;
}

EXPORT int cuMemGetInfo_v2(size_t *available, size_t *total) {
  if (int state = fake::cudaReady(); state != success)
    return state;
  if (!available || !total)
    return invalidValue;
  *total = fake::cudaMemory();
  *available = *total - std::min(*total, fake::allocatedBytes());
  return success;
}

EXPORT int cuStreamSynchronize(void *handle) {
  fake::Stream *stream = nullptr;
  if (int state = waitable(handle, stream); state != success)
    return state;
  stream->mark()->wait();
  return fake::cudaReady();
}

EXPORT int cuStreamQuery(void *handle) {
  fake::Stream *stream = nullptr;
  if (int state = waitable(handle, stream); state != success)
    return state;
  return stream->idle() ? success : notReady;
}

EXPORT int cuEventSynchronize(void *handle) {
  if (int state = fake::cudaReady(); state != success)
    return state;
  if (!fake::isCudaEvent(handle))
    return invalidHandle;
  auto &event = *static_cast<fake::Event *>(handle);
  if (event.recording)
    return capturedEvent;
  if (std::shared_ptr<fake::Point> point = event.current())
    point->wait();
  return fake::cudaReady();
}

EXPORT int cuEventElapsedTime(float *milliseconds, void *from, void *to) {
  if (!fake::isCudaEvent(from) || !fake::isCudaEvent(to))
    return invalidHandle;
  std::shared_ptr<fake::Point> begin = static_cast<fake::Event *>(from)->current(),
                               end = static_cast<fake::Event *>(to)->current();
  if (!milliseconds || !begin || !end)
    return invalidValue;
  if (!begin->isDone() || !end->isDone())
    return notReady;
  *milliseconds = std::chrono::duration<float, std::milli>(end->when - begin->when).count();
  return success;
}
