//===- FakeCuda.cpp - A CUDA driver without a GPU ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that the nccl backend calls, with the driver's ABI, errors and order of work. There
// are DS_FAKE_DEVICES devices (8 if it is not set). A thread must have made a context current
// before it touches memory or streams, and every handle is checked.
//
//===----------------------------------------------------------------------===//
#include "FakeCuda.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

enum : int {
  success = 0,
  invalidValue = 1,
  outOfMemory = 2,
  notInitialized = 3,
  noDevice = 100,
  invalidDevice = 101,
  invalidContext = 201,
  invalidHandle = 400,
  notReady = 600
};

struct Context {
  int32_t device;
  int references = 0;
};
struct StreamHandle {
  Context *context;
  fake::Stream stream;
};

int32_t deviceCount() {
  const char *value = std::getenv("DS_FAKE_DEVICES");
  return value ? std::atoi(value) : 8;
}

struct Driver {
  std::mutex mutex;
  bool initialized = false;
  std::map<int32_t, Context> contexts;
  fake::Handles streams, events;
};
Driver &driver() {
  static Driver *instance = new Driver;
  return *instance;
}
thread_local Context *current = nullptr;

bool initialized() {
  std::lock_guard<std::mutex> lock(driver().mutex);
  return driver().initialized;
}

/// What every call on memory and streams needs first.
int ready() {
  if (!initialized())
    return notInitialized;
  return current ? success : invalidContext;
}

fake::Stream *streamOf(void *handle) {
  if (!driver().streams.has(handle))
    return nullptr;
  return &static_cast<StreamHandle *>(handle)->stream;
}

int copy(void *stream, void *to, const void *from, size_t bytes, fake::Direction direction) {
  if (int state = ready(); state != success)
    return state;
  fake::Stream *queue = streamOf(stream);
  if (!queue)
    return invalidHandle;
  return fake::copy(*queue, to, from, bytes, direction) ? success : invalidValue;
}

} // namespace

int32_t fake::currentCudaDevice() { return current ? current->device : -1; }

fake::Stream *fake::cudaStream(void *handle, int32_t device) {
  fake::Stream *stream = streamOf(handle);
  return stream && static_cast<StreamHandle *>(handle)->context->device == device ? stream
                                                                                  : nullptr;
}

EXPORT int cuInit(unsigned flags) {
  if (flags != 0)
    return invalidValue;
  if (deviceCount() < 1)
    return noDevice;
  std::lock_guard<std::mutex> lock(driver().mutex);
  driver().initialized = true;
  return success;
}

EXPORT int cuDriverGetVersion(int *version) {
  if (!version)
    return invalidValue;
  *version = 13000;
  return success;
}

EXPORT int cuGetErrorString(int error, const char **text) {
  static const std::map<int, const char *> texts = {
      {success, "no error"},
      {invalidValue, "invalid argument"},
      {outOfMemory, "out of memory"},
      {notInitialized, "initialization error"},
      {noDevice, "no CUDA-capable device is detected"},
      {invalidDevice, "invalid device ordinal"},
      {invalidContext, "invalid device context"},
      {invalidHandle, "invalid resource handle"},
      {notReady, "device not ready"}};
  auto found = texts.find(error);
  if (!text || found == texts.end())
    return invalidValue;
  *text = found->second;
  return success;
}

EXPORT int cuDeviceGetCount(int *count) {
  if (!initialized())
    return notInitialized;
  *count = deviceCount();
  return success;
}

EXPORT int cuDeviceGet(int *device, int ordinal) {
  if (!initialized())
    return notInitialized;
  if (ordinal < 0 || ordinal >= deviceCount())
    return invalidDevice;
  *device = ordinal;
  return success;
}

EXPORT int cuDevicePrimaryCtxRetain(void **context, int device) {
  if (!initialized())
    return notInitialized;
  if (device < 0 || device >= deviceCount())
    return invalidDevice;
  std::lock_guard<std::mutex> lock(driver().mutex);
  Context &primary = driver().contexts[device];
  primary.device = device;
  ++primary.references;
  *context = &primary;
  return success;
}

EXPORT int cuDevicePrimaryCtxRelease_v2(int device) {
  std::lock_guard<std::mutex> lock(driver().mutex);
  auto found = driver().contexts.find(device);
  if (found == driver().contexts.end() || found->second.references == 0)
    return invalidContext;
  --found->second.references;
  return success;
}

EXPORT int cuCtxSetCurrent(void *context) {
  if (!initialized())
    return notInitialized;
  current = static_cast<Context *>(context);
  return success;
}

EXPORT int cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  if (int state = ready(); state != success)
    return state;
  *least = 0;
  *greatest = -5;
  return success;
}

EXPORT int cuMemAlloc_v2(unsigned long long *data, size_t bytes) {
  if (int state = ready(); state != success)
    return state;
  if (!data || bytes == 0)
    return invalidValue;
  *data = reinterpret_cast<unsigned long long>(fake::allocateDevice(bytes));
  return *data ? success : outOfMemory;
}

EXPORT int cuMemFree_v2(unsigned long long data) {
  if (int state = ready(); state != success)
    return state;
  return fake::releaseDevice(reinterpret_cast<void *>(data)) ? success : invalidValue;
}

EXPORT int cuMemHostAlloc(void **data, size_t bytes, unsigned flags) {
  if (int state = ready(); state != success)
    return state;
  if (!data || bytes == 0 || flags > 7)
    return invalidValue;
  *data = fake::allocatePinned(bytes);
  return *data ? success : outOfMemory;
}

EXPORT int cuMemFreeHost(void *data) {
  if (int state = ready(); state != success)
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

EXPORT int cuMemsetD8Async(unsigned long long data, unsigned char value, size_t bytes,
                           void *stream) {
  if (int state = ready(); state != success)
    return state;
  fake::Stream *queue = streamOf(stream);
  if (!queue)
    return invalidHandle;
  return fake::fill(*queue, reinterpret_cast<void *>(data), value, bytes) ? success : invalidValue;
}

EXPORT int cuStreamCreateWithPriority(void **stream, unsigned flags, int) {
  if (int state = ready(); state != success)
    return state;
  if (!stream || flags > 1)
    return invalidValue;
  auto *made = new StreamHandle{current, {}};
  driver().streams.add(made);
  *stream = made;
  return success;
}

EXPORT int cuStreamDestroy_v2(void *stream) {
  if (int state = ready(); state != success)
    return state;
  if (!driver().streams.remove(stream))
    return invalidHandle;
  delete static_cast<StreamHandle *>(stream);
  return success;
}

EXPORT int cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
  if (int state = ready(); state != success)
    return state;
  fake::Stream *queue = streamOf(stream);
  if (!queue || !driver().events.has(event))
    return invalidHandle;
  if (flags > 1)
    return invalidValue;
  if (std::shared_ptr<fake::Point> point = static_cast<fake::Event *>(event)->current())
    queue->waitFor(point);
  return success;
}

EXPORT int cuEventCreate(void **event, unsigned flags) {
  if (int state = ready(); state != success)
    return state;
  if (!event || flags > 7)
    return invalidValue;
  *event = new fake::Event;
  driver().events.add(*event);
  return success;
}

EXPORT int cuEventRecord(void *event, void *stream) {
  if (int state = ready(); state != success)
    return state;
  fake::Stream *queue = streamOf(stream);
  if (!queue || !driver().events.has(event))
    return invalidHandle;
  static_cast<fake::Event *>(event)->record(*queue);
  return success;
}

EXPORT int cuEventQuery(void *event) {
  if (!initialized())
    return notInitialized;
  if (!driver().events.has(event))
    return invalidHandle;
  std::shared_ptr<fake::Point> point = static_cast<fake::Event *>(event)->current();
  return !point || point->isDone() ? success : notReady;
}

EXPORT int cuEventDestroy_v2(void *event) {
  if (int state = ready(); state != success)
    return state;
  if (!driver().events.remove(event))
    return invalidHandle;
  delete static_cast<fake::Event *>(event);
  return success;
}

EXPORT int cuPointerGetAttribute(void *data, int attribute, unsigned long long pointer) {
  if (int state = ready(); state != success)
    return state;
  const void *address = reinterpret_cast<const void *>(pointer);
  constexpr int memoryType = 2;
  if (!data || attribute != memoryType)
    return invalidValue;
  const bool device = fake::reach(address, 1) != nullptr;
  if (!device && !fake::isPinned(address, 1))
    return invalidValue;
  *static_cast<unsigned *>(data) = device ? 2 : 1;
  return success;
}

//===----------------------------------------------------------------------===//
// For tests: a program's own work on a stream, without a compiler for devices.
//===----------------------------------------------------------------------===//

EXPORT void *fake_stream_create() {
  void *stream = nullptr;
  return cuStreamCreateWithPriority(&stream, 1, 0) == success ? stream : nullptr;
}

/// `elements` times `value`, after so many milliseconds.
EXPORT void fake_stream_fill_late(void *stream, void *data, float value, int64_t elements,
                                  int milliseconds) {
  auto *values = reinterpret_cast<float *>(fake::reach(data, static_cast<size_t>(elements) * 4));
  streamOf(stream)->push([=] {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    std::fill_n(values, elements, value);
  });
}
