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
#include <cstdio>
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
  notReady = 600,
  captureUnsupported = 900,
  captureIsolation = 905,
  capturedEvent = 907,
  unknown = 999
};

struct Context {
  int32_t device;
  int references = 0;
  std::atomic<int> failure{success}; // of work on the device: every call returns it
  std::string finding;
};
struct StreamHandle {
  explicit StreamHandle(Context *context) : context(context) {}
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

int ready() { return fake::cudaReady(); }

/// The handles 1 and 2 are the context's default stream, here of all threads. It waits for no other
/// one, as the driver's does for none that is non-blocking.
StreamHandle *handleOf(void *handle) {
  const auto number = reinterpret_cast<uintptr_t>(handle);
  if (current && (number == 1 || number == 2)) {
    static auto *defaults = new std::map<Context *, StreamHandle>;
    std::lock_guard<std::mutex> lock(driver().mutex);
    return &defaults->try_emplace(current, current).first->second;
  }
  return driver().streams.has(handle) ? static_cast<StreamHandle *>(handle) : nullptr;
}

fake::Stream *streamOf(void *handle) {
  StreamHandle *found = handleOf(handle);
  return found ? &found->stream : nullptr;
}

} // namespace

int32_t fake::currentCudaDevice() { return current ? current->device : -1; }

int32_t fake::cudaContextDevice(void *context) {
  std::lock_guard<std::mutex> lock(driver().mutex);
  for (auto &[device, primary] : driver().contexts)
    if (&primary == context)
      return device;
  return -1;
}

fake::Stream *fake::cudaStream(void *handle, int32_t device) {
  fake::Stream *stream = streamOf(handle);
  return stream && cudaDeviceOf(handle) == device ? stream : nullptr;
}

fake::Stream *fake::cudaStream(void *handle) { return streamOf(handle); }

int32_t fake::cudaDeviceOf(void *stream) { return handleOf(stream)->context->device; }

bool fake::isCudaEvent(void *handle) { return driver().events.has(handle); }

int fake::cudaReady() {
  if (!initialized())
    return notInitialized;
  return current ? current->failure.load() : invalidContext;
}

std::shared_ptr<fake::Recording> &fake::cudaCapture() {
  thread_local std::shared_ptr<Recording> capture;
  return capture;
}

int fake::cudaReadyUncaptured() {
  if (!cudaCapture())
    return cudaReady();
  cudaCapture()->invalid = true;
  return captureUnsupported;
}

void fake::failCuda(int32_t device, int error, const std::string &what) {
  std::lock_guard<std::mutex> lock(driver().mutex);
  Context &context = driver().contexts[device];
  if (context.failure != success)
    return;
  context.finding = what;
  context.failure = error;
  std::fprintf(stderr, "fake CUDA: %s\n", what.c_str());
}

bool fake::cudaFailed(int32_t device) {
  std::lock_guard<std::mutex> lock(driver().mutex);
  return driver().contexts[device].failure != success;
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
  const char *claimed = std::getenv("DS_FAKE_CUDA_VERSION");
  *version = claimed ? std::atoi(claimed) : 13000;
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
      {notReady, "device not ready"},
      {200, "device kernel image is invalid"},
      {209, "no kernel image is available for execution on the device"},
      {218, "a PTX JIT compilation failed"},
      {500, "named symbol not found"},
      {700, "an illegal memory access was encountered"},
      {701, "too many resources requested for launch"},
      {716, "misaligned address"},
      {719, "unspecified launch failure"},
      {captureUnsupported, "operation not permitted when stream is capturing"},
      {901, "operation failed due to a previous error during capture"},
      {903, "capture sequence is not in progress"},
      {904, "capture sequence contains unjoined work"},
      {captureIsolation, "dependency created on uncaptured work in another stream"},
      {capturedEvent, "operation not permitted on an event last recorded in a capturing stream"},
      {unknown, "unknown error"}};
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

EXPORT int cuStreamCreateWithPriority(void **stream, unsigned flags, int) {
  if (int state = ready(); state != success)
    return state;
  if (!stream || flags > 1)
    return invalidValue;
  auto *made = new StreamHandle(current);
  driver().streams.add(made);
  *stream = made;
  return success;
}

EXPORT int cuStreamCreate(void **stream, unsigned flags) {
  return cuStreamCreateWithPriority(stream, flags, 0);
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
  auto &recorded = *static_cast<fake::Event *>(event);
  std::vector<size_t> nodes;
  if (std::shared_ptr<fake::Recording> recording = recorded.capture(nodes)) {
    // Waiting for a captured event takes a stream into the capture, from whatever thread.
    if (recording->ended || (queue->recording() && queue->recording() != recording))
      return captureIsolation;
    queue->record(recording, nodes);
    return success;
  }
  if (std::shared_ptr<fake::Point> point = recorded.current()) {
    if (queue->recording()) {
      queue->recording()->invalid = true;
      return captureIsolation;
    }
    queue->waitFor(point);
  }
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
  if (current && current->failure != success)
    return current->failure;
  std::vector<size_t> nodes;
  if (static_cast<fake::Event *>(event)->capture(nodes))
    return capturedEvent;
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

//===----------------------------------------------------------------------===//
// For tests: a program's own work on a stream, without a compiler for devices.
//===----------------------------------------------------------------------===//

/// What went wrong on a device first; empty for nothing.
EXPORT const char *fake_cuda_finding(int device) {
  std::lock_guard<std::mutex> lock(driver().mutex);
  return driver().contexts[device].finding.c_str();
}

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
    fake::markWritten(data, static_cast<size_t>(elements) * 4);
  });
}
