//===- CudaQueue.cpp - One rank's work on a GPU -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CudaQueue.h"

#include "ds/Support/UserError.h"

using namespace ds;
using namespace ds::gpu;

// Numbers of cuda.h.
static constexpr int capabilityMajor = 75, capabilityMinor = 76;
static constexpr int oldestDriver = 12000;
static constexpr unsigned nonBlocking = 1;

llvm::Expected<CudaDevice> ds::gpu::openDevice(int number) {
  auto cuda = loadCuda();
  if (!cuda)
    return cuda.takeError();
  CudaDevice device;
  device.api = *cuda;
  device.number = number;
  int version = 0, handle = 0, major = 0, minor = 0;
  char name[256] = {};
  auto check = [&](int result, const char *function) {
    return result == 0 ? llvm::Error::success()
                       : userError("the GPU cannot be used: " +
                                   describeCudaError(**cuda, function, result));
  };
  if (llvm::Error error = check((*cuda)->cuInit(0), "cuInit"))
    return error;
  if (llvm::Error error = check((*cuda)->cuDriverGetVersion(&version), "cuDriverGetVersion"))
    return error;
  if (version < oldestDriver)
    return userError("the CUDA driver is of version " + llvm::Twine(version / 1000) + "." +
                     llvm::Twine(version % 1000 / 10) + ", expected 12.0 or newer");
  if (llvm::Error error = check((*cuda)->cuDeviceGet(&handle, number), "cuDeviceGet"))
    return error;
  if (llvm::Error error =
          check((*cuda)->cuDeviceGetName(name, sizeof name, handle), "cuDeviceGetName"))
    return error;
  if (llvm::Error error = check((*cuda)->cuDeviceGetAttribute(&major, capabilityMajor, handle),
                                "cuDeviceGetAttribute"))
    return error;
  if (llvm::Error error = check((*cuda)->cuDeviceGetAttribute(&minor, capabilityMinor, handle),
                                "cuDeviceGetAttribute"))
    return error;
  if (llvm::Error error = check((*cuda)->cuDevicePrimaryCtxRetain(&device.context, handle),
                                "cuDevicePrimaryCtxRetain"))
    return error;
  if (llvm::Error error = check((*cuda)->cuCtxSetCurrent(device.context), "cuCtxSetCurrent"))
    return error;
  device.name = name;
  device.chip = "sm_" + std::to_string(major) + std::to_string(minor);
  return device;
}

CudaQueue::CudaQueue(const CudaDevice &device) : device(device) {
  bind();
  check(device.api->cuStreamCreate(&stream, nonBlocking), "cuStreamCreate");
}

CudaQueue::~CudaQueue() {
  bind();
  if (stream)
    (void)device.api->cuStreamDestroy_v2(stream);
}

void CudaQueue::bind() { check(device.api->cuCtxSetCurrent(device.context), "cuCtxSetCurrent"); }

bool CudaQueue::check(int result, const char *function) {
  if (result != 0)
    fail(describeCudaError(*device.api, function, result));
  return result == 0;
}

void CudaQueue::fail(const llvm::Twine &why) {
  if (failure.empty())
    failure = why.str();
}

DevicePointer CudaQueue::allocate(size_t bytes) {
  DevicePointer data = 0;
  if (!hasFailed())
    check(device.api->cuMemAlloc_v2(&data, bytes), "cuMemAlloc");
  return data;
}

void CudaQueue::release(DevicePointer data) {
  if (data)
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

void CudaQueue::wait() {
  if (!hasFailed())
    check(device.api->cuStreamSynchronize(stream), "cuStreamSynchronize");
}
