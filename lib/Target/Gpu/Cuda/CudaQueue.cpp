//===- CudaQueue.cpp - One rank's work on a GPU -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CudaQueue.h"

#include "ds/Support/UserError.h"
#include "ds/Target/DeviceVariables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <numeric>
#include <thread>

using namespace ds;
using namespace ds::gpu;

/// Errors of queued work, while it runs.
static constexpr int lateErrors[] = {
    cuda::errorIllegalAddress,      cuda::errorLaunchTimeout,      cuda::errorAssert,
    cuda::errorHardwareStack,       cuda::errorIllegalInstruction, cuda::errorMisalignedAddress,
    cuda::errorInvalidAddressSpace, cuda::errorInvalidPc,          cuda::errorLaunchFailed};
static constexpr int oldestDriver = 12000;

static llvm::Error deviceError(const CudaApi &cuda, int result, const char *function) {
  return result == 0
             ? llvm::Error::success()
             : userError("the GPU cannot be used: " + describeCudaError(cuda, function, result));
}

static llvm::Expected<int> countDevices(const CudaApi &cuda) {
  int version = 0, count = 0;
  if (llvm::Error error = deviceError(cuda, cuda.cuInit(0), "cuInit"))
    return error;
  if (llvm::Error error =
          deviceError(cuda, cuda.cuDriverGetVersion(&version), "cuDriverGetVersion"))
    return error;
  if (version < oldestDriver)
    return userError("the CUDA driver is of version " + llvm::Twine(version / 1000) + "." +
                     llvm::Twine(version % 1000 / 10) + ", expected 12.0 or newer");
  if (llvm::Error error = deviceError(cuda, cuda.cuDeviceGetCount(&count), "cuDeviceGetCount"))
    return error;
  return count;
}

llvm::Expected<CudaDevice> ds::gpu::findDevice(int number) {
  auto cuda = loadCuda();
  if (!cuda)
    return cuda.takeError();
  auto count = countDevices(**cuda);
  if (!count)
    return count.takeError();
  CudaDevice device;
  device.api = *cuda;
  device.number = number;
  int major = 0, minor = 0;
  char name[256] = {};
  auto check = [&](int result, const char *function) {
    return deviceError(**cuda, result, function);
  };
  if (llvm::Error error = check((*cuda)->cuDeviceGet(&device.handle, number), "cuDeviceGet"))
    return error;
  if (llvm::Error error =
          check((*cuda)->cuDeviceGetName(name, sizeof name, device.handle), "cuDeviceGetName"))
    return error;
  for (auto [attribute, value] :
       {std::pair(cuda::capabilityMajor, &major), std::pair(cuda::capabilityMinor, &minor)})
    if (llvm::Error error = check((*cuda)->cuDeviceGetAttribute(value, attribute, device.handle),
                                  "cuDeviceGetAttribute"))
      return error;
  device.name = name;
  device.chip = "sm_" + std::to_string(major) + std::to_string(minor);
  return device;
}

llvm::Expected<CudaDevice> ds::gpu::openDevice(int number) {
  auto device = findDevice(number);
  if (!device)
    return device;
  const CudaApi &cuda = *device->api;
  if (llvm::Error error =
          deviceError(cuda, cuda.cuDevicePrimaryCtxRetain(&device->context, device->handle),
                      "cuDevicePrimaryCtxRetain"))
    return error;
  if (llvm::Error error =
          deviceError(cuda, cuda.cuCtxSetCurrent(device->context), "cuCtxSetCurrent"))
    return error;
  return device;
}

llvm::Expected<std::vector<int>> ds::gpu::usedDevices(llvm::StringRef listed) {
  auto cuda = loadCuda();
  if (!cuda)
    return cuda.takeError();
  auto count = countDevices(**cuda);
  if (!count)
    return count.takeError();
  std::vector<int> devices;
  const char *variable = std::getenv(kDevicesVariable);
  const llvm::StringRef named = !listed.empty() ? listed : variable ? variable : "";
  if (named.empty()) {
    devices.resize(*count);
    std::iota(devices.begin(), devices.end(), 0);
    return devices;
  }
  llvm::SmallVector<llvm::StringRef> numbers;
  named.split(numbers, ',');
  for (llvm::StringRef number : numbers) {
    int device = 0;
    if (number.getAsInteger(10, device) || device < 0)
      return userError("'" + named + "' names no GPUs, expected their numbers as in 0 or 0,2");
    if (device >= *count) {
      std::string there = *count == 1 ? "number 0" : "numbers 0 to " + std::to_string(*count - 1);
      return userError("there is no GPU " + number + ": this machine has " + llvm::Twine(*count) +
                       ", " + there);
    }
    devices.push_back(device);
  }
  return devices;
}

EventPool::~EventPool() {
  (void)device.api->cuCtxSetCurrent(device.context);
  for (void *event : all)
    (void)device.api->cuEventDestroy_v2(event);
}

void *EventPool::take(int &error) {
  error = 0;
  return unused.take([&]() -> void * {
    void *event = nullptr;
    error = device.api->cuEventCreate(&event, cuda::eventWithoutTiming);
    if (error)
      return nullptr;
    all.push_back(event);
    return event;
  });
}

Mark *MarkPool::take(int &error) {
  error = 0;
  return unused.take([&]() -> Mark * {
    Mark mark;
    for (void **event : {&mark.ready, &mark.done, &mark.joined})
      if (*event = events.take(error); error)
        return nullptr;
    return &all.emplace_back(mark);
  });
}

CudaQueue::CudaQueue(const CudaDevice &device) : device(device) {
  bind();
  check(device.api->cuStreamCreate(&stream, cuda::streamNonBlocking), "cuStreamCreate");
}

CudaQueue::~CudaQueue() {
  if (abandoned)
    return;
  bind();
  if (stream)
    (void)device.api->cuStreamDestroy_v2(stream);
}

void CudaQueue::bind() { check(device.api->cuCtxSetCurrent(device.context), "cuCtxSetCurrent"); }

bool CudaQueue::check(int result, const char *function) {
  const bool isOfKernel = result >= cuda::errorIllegalAddress && result <= cuda::errorLaunchFailed;
  if (result == 0)
    return true;
  // These errors may surface in any later call.
  const std::string late =
      llvm::is_contained(lateErrors, result) && !namesWork && whereLate ? whereLate() : "";
  fail(late.empty() ? during : late,
       describeCudaError(*device.api, function, result) +
           (isOfKernel && !namesWork ? "; run with --check-launches, or DS_CUDA_CHECK_LAUNCHES=1, "
                                       "to learn of which kernel or product"
                                     : ""));
  return false;
}

void CudaQueue::fail(const llvm::Twine &why) { fail(during, why); }

void CudaQueue::fail(const std::string &where, const llvm::Twine &why) {
  if (failure.empty())
    failure = (where + why).str();
}

DevicePointer CudaQueue::allocate(size_t bytes) {
  DevicePointer data = 0;
  if (!hasFailed())
    check(device.api->cuMemAlloc_v2(&data, bytes), "cuMemAlloc");
  return data;
}

void CudaQueue::release(DevicePointer data) {
  if (data && !abandoned)
    (void)device.api->cuMemFree_v2(data);
}

void CudaQueue::zero(DevicePointer data, size_t bytes) {
  if (!hasFailed())
    check(device.api->cuMemsetD8Async(data, 0, bytes, stream), "cuMemsetD8Async");
}

void CudaQueue::upload(DevicePointer to, const void *from, size_t bytes) {
  if (!hasFailed() && bytes)
    check(device.api->cuMemcpyHtoDAsync_v2(to, from, bytes, stream), "cuMemcpyHtoDAsync");
}

void CudaQueue::download(void *to, DevicePointer from, size_t bytes) {
  if (!hasFailed() && bytes)
    check(device.api->cuMemcpyDtoHAsync_v2(to, from, bytes, stream), "cuMemcpyDtoHAsync");
}

void CudaQueue::copy(DevicePointer to, DevicePointer from, size_t bytes) {
  if (!hasFailed() && bytes)
    check(device.api->cuMemcpyDtoDAsync_v2(to, from, bytes, stream), "cuMemcpyDtoDAsync");
}

/// True if `query` ends, or fails, in time.
bool CudaQueue::ends(llvm::function_ref<int()> query, int64_t ms) {
  using Clock = std::chrono::steady_clock;
  constexpr int spins = 1000;
  const Clock::time_point end = Clock::now() + std::chrono::milliseconds(ms);
  // Work queued before a capture may be under way until the capture ends.
  for (int round = 0, result;
       (result = query()) == cuda::errorNotReady || result == cuda::errorCapturing; ++round) {
    if (Clock::now() > end)
      return false;
    if (round < spins)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return true;
}

bool CudaQueue::drain(int64_t ms) const {
  auto drains = [&](void *one) { return ends([&] { return device.api->cuStreamQuery(one); }, ms); };
  return (!stream || drains(stream)) && llvm::all_of(sides, drains);
}

void CudaQueue::wait() {
  if (hasFailed())
    return;
  if (!ends([&] { return device.api->cuStreamQuery(stream); }, patienceMs))
    return abandon("the device did not end what it copies within " + llvm::Twine(patienceMs) +
                   " ms");
  check(device.api->cuStreamSynchronize(stream), "cuStreamSynchronize");
}

void CudaQueue::waitFor(void *event) {
  int result = 0;
  if (hasFailed())
    return;
  if (!ends([&] { return result = device.api->cuEventQuery(event); }, patienceMs))
    return abandon("the device did not end what is queued within " + llvm::Twine(patienceMs) +
                   " ms");
  check(result, "cuEventQuery");
}

void CudaQueue::record(void *event, void *on) {
  if (!hasFailed())
    check(device.api->cuEventRecord(event, on ? on : stream), "cuEventRecord");
}

void CudaQueue::follow(void *event, void *on) {
  if (!hasFailed())
    check(device.api->cuStreamWaitEvent(on ? on : stream, event, 0), "cuStreamWaitEvent");
}

void CudaQueue::abandon(const llvm::Twine &why) {
  fail(why);
  abandoned = true;
}

SideStream::SideStream(CudaQueue &queue) : queue(queue) {
  int least = 0, greatest = 0;
  const CudaApi &cuda = *queue.device.api;
  if (!queue.hasFailed() && queue.check(cuda.cuCtxGetStreamPriorityRange(&least, &greatest),
                                        "cuCtxGetStreamPriorityRange"))
    queue.check(cuda.cuStreamCreateWithPriority(&stream, cuda::streamNonBlocking, greatest),
                "cuStreamCreateWithPriority");
  if (stream)
    queue.sides.push_back(stream);
}

SideStream::~SideStream() {
  if (!stream || queue.isAbandoned())
    return;
  queue.sides.erase(std::remove(queue.sides.begin(), queue.sides.end(), stream), queue.sides.end());
  queue.bind();
  (void)queue.device.api->cuStreamDestroy_v2(stream);
}
