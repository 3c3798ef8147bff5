//===- CudaDevice.cpp - One GPU as one rank uses it -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses the driver alone: the primary context is the one that the CUDA runtime, and hence NCCL and
// the caller's own code, use too. The stream has the highest priority, so that messages do not
// queue after computation, and does not wait for the null stream.
//
//===----------------------------------------------------------------------===//
#include "CudaDevice.h"
#include "base/Messages.h"

#include <cstdlib>
#include <vector>

namespace dsrt::nccl {

static CUdeviceptr address(const void *data) { return reinterpret_cast<CUdeviceptr>(data); }

/// Chooses one of the devices that DS_CUDA_DEVICES lists, or of all `count`.
static dsrt_status choose(int32_t localRank, int count, int &out, dsrt_error *error) {
  const char *listed = std::getenv("DS_CUDA_DEVICES");
  if (!listed || !*listed) {
    out = localRank % count;
    return DSRT_OK;
  }
  std::vector<int> devices;
  for (const char *at = listed;; ++at) {
    char *end = nullptr;
    const long number = std::strtol(at, &end, 10);
    if (end == at || (*end && *end != ',') || number < 0 || number >= count)
      return failWith(error, DSRT_INVALID_ARGUMENT,
                      "DS_CUDA_DEVICES is '%.100s', expected numbers from 0 to %d, as in 0,2",
                      listed, count - 1);
    devices.push_back(static_cast<int>(number));
    if (!*end)
      break;
    at = end;
  }
  out = devices[static_cast<size_t>(localRank) % devices.size()];
  return DSRT_OK;
}

dsrt_status CudaDevice::open(const Api &api, int32_t localRank,
                             std::unique_ptr<device::Device> &out, dsrt_error *error) {
  int count = 0;
  if (dsrt_status status = check(api, api.cuDeviceGetCount(&count), "cuDeviceGetCount", error);
      status != DSRT_OK)
    return status;
  if (count < 1)
    return failWith(error, DSRT_UNAVAILABLE, "the CUDA driver finds no device");
  int wanted = 0;
  if (dsrt_status status = choose(localRank, count, wanted, error); status != DSRT_OK)
    return status;
  CUdevice number = 0;
  if (dsrt_status status = check(api, api.cuDeviceGet(&number, wanted), "cuDeviceGet", error);
      status != DSRT_OK)
    return status;
  std::unique_ptr<CudaDevice> device(new CudaDevice(api, number));
  dsrt_status status = device->prepare(error);
  if (status == DSRT_OK)
    out = std::move(device);
  return status;
}

dsrt_status CudaDevice::prepare(dsrt_error *error) {
  dsrt_status status =
      is(api.cuDevicePrimaryCtxRetain(&context, number), "cuDevicePrimaryCtxRetain", error);
  if (status == DSRT_OK)
    status = bind(error);
  int least = 0, greatest = 0;
  if (status == DSRT_OK)
    status = is(api.cuCtxGetStreamPriorityRange(&least, &greatest), "cuCtxGetStreamPriorityRange",
                error);
  if (status == DSRT_OK)
    status = is(api.cuStreamCreateWithPriority(&messages, streamNonBlocking, greatest),
                "cuStreamCreateWithPriority", error);
  for (CUevent &event : marks)
    if (status == DSRT_OK)
      status = is(api.cuEventCreate(&event, eventDisableTiming), "cuEventCreate", error);
  return status;
}

CudaDevice::~CudaDevice() {
  dsrt_error ignored = {};
  if (abandoned || !context || bind(&ignored) != DSRT_OK)
    return;
  for (CUevent event : marks)
    if (event)
      (void)api.cuEventDestroy_v2(event);
  for (void *event : callersEvents)
    (void)api.cuEventDestroy_v2(static_cast<CUevent>(event));
  if (messages)
    (void)api.cuStreamDestroy_v2(messages);
  (void)api.cuDevicePrimaryCtxRelease_v2(number);
}

dsrt_status CudaDevice::bind(dsrt_error *error) {
  return is(api.cuCtxSetCurrent(context), "cuCtxSetCurrent", error);
}

// ncclMemAlloc needs virtual memory management, which some systems do not have: it then fails, or
// returns the driver's plain memory.
bool CudaDevice::canRegister() {
  const char *wanted = std::getenv("NCCL_LOCAL_REGISTER");
  if (!api.ncclMemAlloc || !api.ncclMemFree || !api.ncclCommRegister || !api.ncclCommDeregister ||
      (wanted && std::atoi(wanted) == 0))
    return false;
  void *probe = nullptr;
  if (api.ncclMemAlloc(&probe, 1) != ncclSuccess)
    return false;
  unsigned isPlain = 0;
  const bool isKnown =
      api.cuPointerGetAttribute(&isPlain, pointerAttributeIsLegacy, address(probe)) == CUDA_SUCCESS;
  (void)api.ncclMemFree(probe);
  return isKnown && !isPlain;
}

bool CudaDevice::isFromNccl(const void *data) {
  std::lock_guard<std::mutex> lock(mutex);
  auto next = fromNccl.upper_bound(static_cast<const char *>(data));
  if (next == fromNccl.begin())
    return false;
  auto [begin, bytes] = *std::prev(next);
  return static_cast<const char *>(data) < begin + bytes;
}

dsrt_status CudaDevice::allocate(int64_t bytes, void **out, dsrt_error *error) {
  if (registers()) {
    dsrt_status status = check(api, api.ncclMemAlloc(out, static_cast<size_t>(bytes)),
                               "ncclMemAlloc", nullptr, error);
    std::lock_guard<std::mutex> lock(mutex);
    if (status == DSRT_OK)
      fromNccl[static_cast<const char *>(*out)] = bytes;
    return status;
  }
  CUdeviceptr data = 0;
  dsrt_status status =
      is(api.cuMemAlloc_v2(&data, static_cast<size_t>(bytes)), "cuMemAlloc", error);
  *out = reinterpret_cast<void *>(data);
  return status;
}

void CudaDevice::release(void *data) {
  bool ours;
  {
    std::lock_guard<std::mutex> lock(mutex);
    ours = fromNccl.erase(static_cast<const char *>(data)) == 1;
  }
  if (ours)
    (void)api.ncclMemFree(data);
  else
    (void)api.cuMemFree_v2(address(data));
}

dsrt_status CudaDevice::allocatePinned(int64_t bytes, void **out, dsrt_error *error) {
  return is(api.cuMemHostAlloc(out, static_cast<size_t>(bytes), 0), "cuMemHostAlloc", error);
}

void CudaDevice::releasePinned(void *data) { (void)api.cuMemFreeHost(data); }

// The driver returns CUDA_ERROR_INVALID_VALUE for memory that it does not know.
bool CudaDevice::isDeviceMemory(const void *data) {
  unsigned type = 0;
  return api.cuPointerGetAttribute(&type, pointerAttributeMemoryType, address(data)) ==
             CUDA_SUCCESS &&
         type == memoryTypeDevice;
}

dsrt_status CudaDevice::toDevice(void *device, const void *pinned, int64_t bytes,
                                 dsrt_error *error) {
  return is(api.cuMemcpyHtoDAsync_v2(address(device), pinned, static_cast<size_t>(bytes), messages),
            "cuMemcpyHtoDAsync", error);
}

dsrt_status CudaDevice::toHost(void *pinned, const void *device, int64_t bytes, dsrt_error *error) {
  return is(api.cuMemcpyDtoHAsync_v2(pinned, address(device), static_cast<size_t>(bytes), messages),
            "cuMemcpyDtoHAsync", error);
}

dsrt_status CudaDevice::onDevice(void *to, const void *from, int64_t bytes, dsrt_error *error) {
  return is(
      api.cuMemcpyDtoDAsync_v2(address(to), address(from), static_cast<size_t>(bytes), messages),
      "cuMemcpyDtoDAsync", error);
}

dsrt_status CudaDevice::zero(void *data, int64_t bytes, dsrt_error *error) {
  return is(api.cuMemsetD8Async(address(data), 0, static_cast<size_t>(bytes), messages),
            "cuMemsetD8Async", error);
}

dsrt_status CudaDevice::mark(int index, dsrt_error *error) {
  return is(api.cuEventRecord(marks[index], messages), "cuEventRecord", error);
}

dsrt_status CudaDevice::reached(int index, bool &done, dsrt_error *error) {
  CUresult result = api.cuEventQuery(marks[index]);
  done = result == CUDA_SUCCESS;
  return result == CUDA_ERROR_NOT_READY ? DSRT_OK : is(result, "cuEventQuery", error);
}

dsrt_status CudaDevice::record(CUstream stream, const char *what, void **outEvent,
                               dsrt_error *error) {
  CUevent event = static_cast<CUevent>(takeEvent());
  dsrt_status status = DSRT_OK;
  if (!event)
    status = is(api.cuEventCreate(&event, eventDisableTiming), "cuEventCreate", error);
  if (status == DSRT_OK)
    status = is(api.cuEventRecord(event, stream), what, error);
  *outEvent = event;
  return status;
}

dsrt_status CudaDevice::markCaller(void *stream, void **outEvent, dsrt_error *error) {
  return record(static_cast<CUstream>(stream), "cuEventRecord on the caller's stream", outEvent,
                error);
}

dsrt_status CudaDevice::markOwn(void **outEvent, dsrt_error *error) {
  return record(messages, "cuEventRecord", outEvent, error);
}

dsrt_status CudaDevice::letCallerWait(void *stream, void *event, dsrt_error *error) {
  dsrt_status status =
      is(api.cuStreamWaitEvent(static_cast<CUstream>(stream), static_cast<CUevent>(event), 0),
         "cuStreamWaitEvent on the caller's stream", error);
  forgetCaller(event);
  return status;
}

dsrt_status CudaDevice::waitForCaller(void *event, dsrt_error *error) {
  dsrt_status status = is(api.cuStreamWaitEvent(messages, static_cast<CUevent>(event), 0),
                          "cuStreamWaitEvent", error);
  forgetCaller(event); // recording it again does not change what the stream waits for
  return status;
}

} // namespace dsrt::nccl
