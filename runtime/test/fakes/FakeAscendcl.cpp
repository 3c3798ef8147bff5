//===- FakeAscendcl.cpp - AscendCL without an NPU ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that the hccl backend calls, with AscendCL's ABI and error numbers. There are
// DS_FAKE_DEVICES devices (8 if it is not set). Nothing works before aclInit, nor on a thread
// without a context; asynchronous copies want pinned host memory, and 64-byte alignment within the
// device.
//
//===----------------------------------------------------------------------===//
#include "FakeAscendcl.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <string>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

enum : int {
  success = 0,
  invalidParameter = 100000,
  uninitialized = 100001,
  repeatInitialize = 100002,
  invalidDevice = 107001,
  contextNull = 107002,
  streamInvalid = 107003,
  eventInvalid = 107004,
  memoryAllocation = 207001
};

struct Context {
  int32_t device = 0;
  int references = 0;
};
struct StreamHandle {
  Context *context;
  fake::Stream stream;
};

struct Runtime {
  std::mutex mutex;
  bool initialized = false;
  std::map<int32_t, Context> contexts;
  fake::Handles streams, events;
};
Runtime &runtime() {
  static Runtime *instance = new Runtime;
  return *instance;
}
thread_local Context *current = nullptr;
thread_local std::string recent;

int fail(int error, const char *text) {
  recent = text;
  return error;
}

int32_t deviceCount() {
  const char *value = std::getenv("DS_FAKE_DEVICES");
  return value ? std::atoi(value) : 8;
}

int ready() {
  {
    std::lock_guard<std::mutex> lock(runtime().mutex);
    if (!runtime().initialized)
      return fail(uninitialized, "aclInit has not been called");
  }
  return current ? success : fail(contextNull, "the thread has no context");
}

fake::Stream *streamOf(void *handle) {
  if (!runtime().streams.has(handle))
    return nullptr;
  return &static_cast<StreamHandle *>(handle)->stream;
}

} // namespace

int32_t fake::currentAclDevice() { return current ? current->device : -1; }

fake::Stream *fake::aclStream(void *handle, int32_t device) {
  fake::Stream *stream = streamOf(handle);
  return stream && static_cast<StreamHandle *>(handle)->context->device == device ? stream
                                                                                  : nullptr;
}

EXPORT int aclInit(const char *) {
  std::lock_guard<std::mutex> lock(runtime().mutex);
  if (runtime().initialized)
    return fail(repeatInitialize, "aclInit has been called before");
  runtime().initialized = true;
  return success;
}

EXPORT const char *aclGetRecentErrMsg() { return recent.c_str(); }

EXPORT int aclrtGetDeviceCount(uint32_t *count) {
  if (!count)
    return fail(invalidParameter, "count is null");
  *count = static_cast<uint32_t>(deviceCount());
  return success;
}

EXPORT int aclrtSetDevice(int32_t device) {
  std::lock_guard<std::mutex> lock(runtime().mutex);
  if (!runtime().initialized)
    return fail(uninitialized, "aclInit has not been called");
  if (device < 0 || device >= deviceCount())
    return fail(invalidDevice, "there is no such device");
  current = &runtime().contexts[device];
  current->device = device;
  ++current->references;
  return success;
}

EXPORT int aclrtResetDevice(int32_t device) {
  std::lock_guard<std::mutex> lock(runtime().mutex);
  auto found = runtime().contexts.find(device);
  if (found == runtime().contexts.end() || found->second.references == 0)
    return fail(invalidDevice, "the device is not in use");
  --found->second.references;
  return success;
}

EXPORT int aclrtGetCurrentContext(void **context) {
  if (int state = ready(); state != success)
    return state;
  *context = current;
  return success;
}

EXPORT int aclrtSetCurrentContext(void *context) {
  if (!context)
    return fail(contextNull, "the context is null");
  current = static_cast<Context *>(context);
  return success;
}

EXPORT int aclrtCreateStream(void **stream) {
  if (int state = ready(); state != success)
    return state;
  *stream = new StreamHandle{current, {}};
  runtime().streams.add(*stream);
  return success;
}

EXPORT int aclrtDestroyStream(void *stream) {
  if (int state = ready(); state != success)
    return state;
  if (!runtime().streams.remove(stream))
    return fail(streamInvalid, "not a stream");
  delete static_cast<StreamHandle *>(stream);
  return success;
}

EXPORT int aclrtCreateEventWithFlag(void **event, uint32_t flag) {
  if (int state = ready(); state != success)
    return state;
  if (flag != 1 && flag != 2 && flag != 8)
    return fail(invalidParameter, "no such flag of events");
  *event = new fake::Event;
  runtime().events.add(*event);
  return success;
}

EXPORT int aclrtDestroyEvent(void *event) {
  if (int state = ready(); state != success)
    return state;
  if (!runtime().events.remove(event))
    return fail(eventInvalid, "not an event");
  delete static_cast<fake::Event *>(event);
  return success;
}

EXPORT int aclrtRecordEvent(void *event, void *stream) {
  if (int state = ready(); state != success)
    return state;
  fake::Stream *queue = streamOf(stream);
  if (!queue || !runtime().events.has(event))
    return fail(queue ? eventInvalid : streamInvalid, "not a stream, or not an event");
  static_cast<fake::Event *>(event)->record(*queue);
  return success;
}

EXPORT int aclrtStreamWaitEvent(void *stream, void *event) {
  if (int state = ready(); state != success)
    return state;
  fake::Stream *queue = streamOf(stream);
  if (!queue || !runtime().events.has(event))
    return fail(queue ? eventInvalid : streamInvalid, "not a stream, or not an event");
  if (std::shared_ptr<fake::Point> point = static_cast<fake::Event *>(event)->current())
    queue->waitFor(point);
  return success;
}

EXPORT int aclrtQueryEventStatus(void *event, int *status) {
  if (int state = ready(); state != success)
    return state;
  if (!runtime().events.has(event))
    return fail(eventInvalid, "not an event");
  std::shared_ptr<fake::Point> point = static_cast<fake::Event *>(event)->current();
  *status = !point || point->isDone();
  return success;
}

EXPORT int aclrtMalloc(void **data, size_t bytes, int policy) {
  if (int state = ready(); state != success)
    return state;
  if (!data || bytes == 0 || policy < 0 || policy > 5)
    return fail(invalidParameter, "aclrtMalloc: an argument is wrong");
  *data = fake::allocateDevice(bytes);
  return *data ? success : fail(memoryAllocation, "no device memory");
}

EXPORT int aclrtFree(void *data) {
  if (int state = ready(); state != success)
    return state;
  return fake::releaseDevice(data) ? success : fail(invalidParameter, "not device memory");
}

EXPORT int aclrtMallocHost(void **data, size_t bytes) {
  if (int state = ready(); state != success)
    return state;
  if (!data || bytes == 0)
    return fail(invalidParameter, "aclrtMallocHost: an argument is wrong");
  *data = fake::allocatePinned(bytes);
  return *data ? success : fail(memoryAllocation, "no host memory");
}

EXPORT int aclrtFreeHost(void *data) {
  if (int state = ready(); state != success)
    return state;
  return fake::releasePinned(data) ? success : fail(invalidParameter, "not pinned memory");
}

EXPORT int aclrtMemcpyAsync(void *to, size_t limit, const void *from, size_t bytes, int kind,
                            void *stream) {
  if (int state = ready(); state != success)
    return state;
  fake::Stream *queue = streamOf(stream);
  if (!queue)
    return fail(streamInvalid, "not a stream");
  if (bytes > limit || kind < 1 || kind > 3)
    return fail(invalidParameter, "aclrtMemcpyAsync: too long, or no such direction");
  const auto direction = static_cast<fake::Direction>(kind - 1);
  if (direction == fake::Direction::onDevice &&
      (reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from)) % 64 != 0)
    return fail(invalidParameter, "aclrtMemcpyAsync: not aligned to 64 bytes");
  if (direction != fake::Direction::onDevice &&
      !fake::isPinned(direction == fake::Direction::toHost ? to : from, bytes))
    return fail(invalidParameter, "aclrtMemcpyAsync: the host memory is not pinned");
  return fake::copy(*queue, to, from, bytes, direction)
             ? success
             : fail(invalidParameter, "aclrtMemcpyAsync: not the memory of that direction");
}

EXPORT int aclrtMemsetAsync(void *data, size_t limit, int32_t value, size_t bytes, void *stream) {
  if (int state = ready(); state != success)
    return state;
  fake::Stream *queue = streamOf(stream);
  if (!queue)
    return fail(streamInvalid, "not a stream");
  return bytes <= limit && fake::fill(*queue, data, static_cast<unsigned char>(value), bytes)
             ? success
             : fail(invalidParameter, "aclrtMemsetAsync: too long, or not device memory");
}

EXPORT int aclrtPointerGetAttributes(const void *data, uint32_t *attributes) {
  if (int state = ready(); state != success)
    return state;
  if (!data || !attributes)
    return fail(invalidParameter, "a pointer is null");
  attributes[0] = 0;
  attributes[1] = fake::reach(data, 1) ? 1 : fake::isPinned(data, 1) ? 0 : 2;
  return success;
}

//===----------------------------------------------------------------------===//
// For tests: a program's own work on a stream, without a compiler for devices.
//===----------------------------------------------------------------------===//

EXPORT void *fake_stream_create() {
  void *stream = nullptr;
  return aclrtCreateStream(&stream) == success ? stream : nullptr;
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
