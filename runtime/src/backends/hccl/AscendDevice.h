//===- AscendDevice.h - One NPU as one rank uses it -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_HCCL_ASCENDDEVICE_H
#define DSRT_SRC_BACKENDS_HCCL_ASCENDDEVICE_H

#include "HcclApi.h"
#include "device/Device.h"

#include <map>
#include <vector>

namespace dsrt::hccl {

class AscendDevice final : public device::Device {
public:
  /// Opens device `localRank` modulo their number.
  [[nodiscard]] static dsrt_status open(const Api &api, int32_t localRank,
                                        std::unique_ptr<device::Device> &out, dsrt_error *error);
  ~AscendDevice() override;

  dsrt_status bind(dsrt_error *error) override;
  dsrt_status allocate(int64_t bytes, void **out, dsrt_error *error) override;
  void release(void *data) override;
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

  aclrtStream stream() const { return messages; }
  /// Returns device memory of at least this size for an operator, kept; null if there is none.
  void *workspace(uint64_t bytes, dsrt_error *error);
  aclrtContext current() const { return context; }

private:
  AscendDevice(const Api &api, int32_t number) : api(api), number(number) {}
  dsrt_status prepare(dsrt_error *error);
  dsrt_status copy(void *to, const void *from, int64_t bytes, aclrtMemcpyKind kind,
                   dsrt_error *error);
  dsrt_status is(aclError result, const char *what, dsrt_error *error) {
    return checkAcl(api, result, what, error);
  }

  const Api &api;
  const int32_t number;
  aclrtContext context = nullptr;
  aclrtStream messages = nullptr;
  aclrtEvent marks[numMarks] = {};
  void *workspaceMemory = nullptr;
  uint64_t workspaceBytes = 0;
  std::vector<void *> outgrown; // workspaces

  std::map<const char *, int64_t> blocks; // memory that we have allocated; under the mutex
};

} // namespace dsrt::hccl

#endif // DSRT_SRC_BACKENDS_HCCL_ASCENDDEVICE_H
