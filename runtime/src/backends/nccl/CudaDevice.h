//===- CudaDevice.h - One GPU as one rank uses it ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_NCCL_CUDADEVICE_H
#define DSRT_SRC_BACKENDS_NCCL_CUDADEVICE_H

#include "NcclApi.h"
#include "device/Device.h"

#include <map>

namespace dsrt::nccl {

class CudaDevice final : public device::Device {
public:
  /// Opens device `localRank` modulo their number, of those that DS_CUDA_DEVICES lists if it is
  /// set.
  [[nodiscard]] static dsrt_status open(const Api &api, int32_t localRank,
                                        std::unique_ptr<device::Device> &out, dsrt_error *error);
  ~CudaDevice() override;

  dsrt_status bind(dsrt_error *error) override;
  dsrt_status allocate(int64_t bytes, void **out, dsrt_error *error) override;
  void release(void *data) override;
  bool canRegister() override;
  /// True if `data` lies in memory that NCCL can register.
  bool isFromNccl(const void *data);
  dsrt_status allocatePinned(int64_t bytes, void **out, dsrt_error *error) override;
  void releasePinned(void *data) override;
  bool isDeviceMemory(const void *data) override;
  dsrt_status toDevice(void *device, const void *pinned, int64_t bytes, dsrt_error *error) override;
  dsrt_status toHost(void *pinned, const void *device, int64_t bytes, dsrt_error *error) override;
  dsrt_status onDevice(void *to, const void *from, int64_t bytes, dsrt_error *error) override;
  dsrt_status zero(void *data, int64_t bytes, dsrt_error *error) override;
  dsrt_status mark(int index, dsrt_error *error) override;
  dsrt_status reached(int index, bool &done, dsrt_error *error) override;
  dsrt_status markCaller(void *stream, void **outEvent, dsrt_error *error) override;
  dsrt_status waitForCaller(void *event, dsrt_error *error) override;
  dsrt_status markOwn(void **outEvent, dsrt_error *error) override;
  dsrt_status letCallerWait(void *stream, void *event, dsrt_error *error) override;

  CUstream stream() const { return messages; }

private:
  CudaDevice(const Api &api, CUdevice number) : api(api), number(number) {}
  dsrt_status prepare(dsrt_error *error);
  dsrt_status record(CUstream stream, const char *what, void **outEvent, dsrt_error *error);
  dsrt_status is(CUresult result, const char *what, dsrt_error *error) {
    return check(api, result, what, error);
  }

  const Api &api;
  const CUdevice number;
  CUcontext context = nullptr;
  CUstream messages = nullptr;
  CUevent marks[numMarks] = {};

  std::map<const char *, int64_t> fromNccl; // bytes by address, of ncclMemAlloc; under the mutex
};

} // namespace dsrt::nccl

#endif // DSRT_SRC_BACKENDS_NCCL_CUDADEVICE_H
