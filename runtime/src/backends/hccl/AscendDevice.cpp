//===- AscendDevice.cpp - One NPU as one rank uses it -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device's default context, which aclrtSetDevice makes, is the one that operators and the
// caller's own code use too; other threads of the rank make it current.
//
//===----------------------------------------------------------------------===//
#include "AscendDevice.h"
#include "base/Messages.h"

namespace dsrt::hccl {

dsrt_status AscendDevice::open(const Api &api, int32_t localRank,
                               std::unique_ptr<device::Device> &out, dsrt_error *error) {
  uint32_t count = 0;
  if (dsrt_status status =
          checkAcl(api, api.aclrtGetDeviceCount(&count), "aclrtGetDeviceCount", error);
      status != DSRT_OK)
    return status;
  if (count < 1)
    return failWith(error, DSRT_UNAVAILABLE, "AscendCL finds no device");
  std::unique_ptr<AscendDevice> device(
      new AscendDevice(api, localRank % static_cast<int32_t>(count)));
  dsrt_status status = device->prepare(error);
  if (status == DSRT_OK)
    out = std::move(device);
  return status;
}

dsrt_status AscendDevice::prepare(dsrt_error *error) {
  dsrt_status status = is(api.aclrtSetDevice(number), "aclrtSetDevice", error);
  if (status == DSRT_OK)
    status = is(api.aclrtGetCurrentContext(&context), "aclrtGetCurrentContext", error);
  if (status == DSRT_OK)
    status = is(api.aclrtCreateStream(&messages), "aclrtCreateStream", error);
  for (aclrtEvent &event : marks)
    if (status == DSRT_OK)
      status =
          is(api.aclrtCreateEventWithFlag(&event, aclEventSync), "aclrtCreateEventWithFlag", error);
  return status;
}

AscendDevice::~AscendDevice() {
  dsrt_error ignored = {};
  if (abandoned || !context || bind(&ignored) != DSRT_OK)
    return;
  if (workspaceMemory)
    outgrown.push_back(workspaceMemory);
  for (void *memory : outgrown)
    (void)api.aclrtFree(memory);
  for (aclrtEvent event : marks)
    if (event)
      (void)api.aclrtDestroyEvent(event);
  for (aclrtEvent event : callersEvents)
    (void)api.aclrtDestroyEvent(event);
  if (messages)
    (void)api.aclrtDestroyStream(messages);
  (void)api.aclrtResetDevice(number);
}

dsrt_status AscendDevice::bind(dsrt_error *error) {
  return is(api.aclrtSetCurrentContext(context), "aclrtSetCurrentContext", error);
}

dsrt_status AscendDevice::allocate(int64_t bytes, void **out, dsrt_error *error) {
  dsrt_status status =
      is(api.aclrtMalloc(out, static_cast<size_t>(bytes), ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc",
         error);
  if (status == DSRT_OK) {
    std::lock_guard<std::mutex> lock(mutex);
    blocks[static_cast<const char *>(*out)] = bytes;
  }
  return status;
}

void AscendDevice::release(void *data) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    blocks.erase(static_cast<const char *>(data));
  }
  (void)api.aclrtFree(data);
}

dsrt_status AscendDevice::allocatePinned(int64_t bytes, void **out, dsrt_error *error) {
  return is(api.aclrtMallocHost(out, static_cast<size_t>(bytes)), "aclrtMallocHost", error);
}

void AscendDevice::releasePinned(void *data) { (void)api.aclrtFreeHost(data); }

bool AscendDevice::isDeviceMemory(const void *data) {
  const char *address = static_cast<const char *>(data);
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto after = blocks.upper_bound(address);
    if (after != blocks.begin()) {
      auto &[begin, bytes] = *std::prev(after);
      if (address < begin + bytes)
        return true;
    }
  }
  aclrtPtrAttributes attributes = {};
  return api.aclrtPointerGetAttributes &&
         api.aclrtPointerGetAttributes(data, &attributes) == aclSuccess &&
         attributes.type == aclLocationDevice;
}

dsrt_status AscendDevice::copy(void *to, const void *from, int64_t bytes, aclrtMemcpyKind kind,
                               dsrt_error *error) {
  return is(api.aclrtMemcpyAsync(to, static_cast<size_t>(bytes), from, static_cast<size_t>(bytes),
                                 kind, messages),
            "aclrtMemcpyAsync", error);
}

dsrt_status AscendDevice::toDevice(void *device, const void *pinned, int64_t bytes,
                                   dsrt_error *error) {
  return copy(device, pinned, bytes, ACL_MEMCPY_HOST_TO_DEVICE, error);
}

dsrt_status AscendDevice::toHost(void *pinned, const void *device, int64_t bytes,
                                 dsrt_error *error) {
  return copy(pinned, device, bytes, ACL_MEMCPY_DEVICE_TO_HOST, error);
}

dsrt_status AscendDevice::onDevice(void *to, const void *from, int64_t bytes, dsrt_error *error) {
  constexpr uintptr_t alignment = 64; // of aclrtMemcpyAsync between device memory
  if ((reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from)) % alignment != 0)
    return failWith(error, DSRT_INVALID_ARGUMENT,
                    "a copy within the device needs addresses aligned to 64 bytes");
  return copy(to, from, bytes, ACL_MEMCPY_DEVICE_TO_DEVICE, error);
}

dsrt_status AscendDevice::zero(void *data, int64_t bytes, dsrt_error *error) {
  return is(api.aclrtMemsetAsync(data, static_cast<size_t>(bytes), 0, static_cast<size_t>(bytes),
                                 messages),
            "aclrtMemsetAsync", error);
}

dsrt_status AscendDevice::mark(int index, dsrt_error *error) {
  return is(api.aclrtRecordEvent(marks[index], messages), "aclrtRecordEvent", error);
}

dsrt_status AscendDevice::reached(int index, bool &done, dsrt_error *error) {
  aclrtEventRecordedStatus state = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  dsrt_status status =
      is(api.aclrtQueryEventStatus(marks[index], &state), "aclrtQueryEventStatus", error);
  done = status == DSRT_OK && state == ACL_EVENT_RECORDED_STATUS_COMPLETE;
  return status;
}

dsrt_status AscendDevice::markCaller(void *stream, void **outEvent, dsrt_error *error) {
  aclrtEvent event = takeEvent();
  dsrt_status status = DSRT_OK;
  if (!event)
    status =
        is(api.aclrtCreateEventWithFlag(&event, aclEventSync), "aclrtCreateEventWithFlag", error);
  if (status == DSRT_OK)
    status =
        is(api.aclrtRecordEvent(event, stream), "aclrtRecordEvent on the caller's stream", error);
  *outEvent = event;
  return status;
}

dsrt_status AscendDevice::waitForCaller(void *event, dsrt_error *error) {
  dsrt_status status = is(api.aclrtStreamWaitEvent(messages, event), "aclrtStreamWaitEvent", error);
  forgetCaller(event);
  return status;
}

void *AscendDevice::workspace(uint64_t bytes, dsrt_error *error) {
  if (bytes <= workspaceBytes)
    return workspaceMemory;
  // A queued operator may still use the smaller workspace, so that is freed at the end.
  if (workspaceMemory)
    outgrown.push_back(workspaceMemory);
  workspaceMemory = nullptr;
  workspaceBytes = 0;
  if (is(api.aclrtMalloc(&workspaceMemory, bytes, ACL_MEM_MALLOC_HUGE_FIRST),
         "aclrtMalloc of a workspace", error) != DSRT_OK)
    return nullptr;
  workspaceBytes = bytes;
  return workspaceMemory;
}

} // namespace dsrt::hccl
