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
#include <cstdlib>
#include <cstring>
#include <set>

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

EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device) {
  constexpr int multiprocessors = 16, major = 75, minor = 76;
  if (!value)
    return invalidValue;
  switch (attribute) {
  case multiprocessors:
    *value = 4;
    return success;
  case major:
    *value = static_cast<int>(fake::cudaCapability(device) / 10);
    return success;
  case minor:
    *value = static_cast<int>(fake::cudaCapability(device) % 10);
    return success;
  default:
    return invalidValue;
  }
}

namespace {
struct Peers {
  std::mutex mutex;
  std::set<std::pair<int32_t, int32_t>> enabled; // device, whose memory
};
Peers &peers() {
  static auto *instance = new Peers;
  return *instance;
}

bool havePeers() {
  const char *set = std::getenv("DS_FAKE_CUDA_PEERS");
  return !set || std::strcmp(set, "0") != 0;
}
} // namespace

bool fake::cudaReaches(int32_t device, int32_t owner) {
  std::lock_guard<std::mutex> lock(peers().mutex);
  return device == owner || peers().enabled.count({device, owner}) == 1;
}

EXPORT int cuDeviceCanAccessPeer(int *can, int device, int peer) {
  if (!can || device == peer)
    return invalidDevice;
  *can = havePeers();
  return success;
}

EXPORT int cuCtxEnablePeerAccess(void *context, unsigned flags) {
  constexpr int enabledAlready = 704, notSupported = 217;
  if (int state = fake::cudaReadyUncaptured(); state != success)
    return state;
  const int32_t device = fake::currentCudaDevice(), peer = fake::cudaContextDevice(context);
  if (flags != 0 || peer < 0 || peer == device)
    return invalidValue;
  if (!havePeers())
    return notSupported;
  std::lock_guard<std::mutex> lock(peers().mutex);
  return peers().enabled.insert({device, peer}).second ? success : enabledAlready;
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
  std::vector<size_t> nodes;
  if (event.capture(nodes))
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
