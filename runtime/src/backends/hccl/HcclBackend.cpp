//===- HcclBackend.cpp - Ranks as Ascend devices ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HcclBackend.h"
#include "HcclCommunicator.h"
#include "HcclTypes.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>

namespace dsrt::hccl {
namespace {

/// Returns a positive number in a variable of HCCL, or `fallback`.
int64_t setting(const char *variable, int64_t fallback) {
  const char *value = std::getenv(variable);
  char *end = nullptr;
  const long long number = value ? std::strtoll(value, &end, 10) : 0;
  return value && end != value && number > 0 ? number : fallback;
}

class HcclVendor final : public device::Vendor {
public:
  dsrt_status open(const dsrt_options &, int32_t localRank, std::unique_ptr<device::Device> &out,
                   dsrt_error *error) override {
    const Api *loaded = nullptr;
    if (dsrt_status status = load(loaded, error); status != DSRT_OK)
      return status;
    api = loaded;
    return AscendDevice::open(*loaded, localRank, out, error);
  }

  dsrt_status newId(std::string &id, dsrt_error *error) override {
    auto info = std::make_unique<HcclRootInfo>();
    const Api &all = *api;
    dsrt_status status = check(all, all.HcclGetRootInfo(info.get()), "HcclGetRootInfo", error);
    id.assign(info->internal, sizeof info->internal);
    return status;
  }

  dsrt_status connect(device::Device &device, const dsrt_options &, int32_t members, int32_t index,
                      const std::string &id, device::Waiting &waiting,
                      std::unique_ptr<device::Communicator> &out, dsrt_error *error) override {
    auto info = std::make_unique<HcclRootInfo>();
    if (dsrt_status status = device::readId(id, info->internal, error); status != DSRT_OK)
      return status;
    auto made = std::make_unique<HcclCommunicator>(*api.load(), static_cast<AscendDevice &>(device),
                                                   members);
    dsrt_status status = made->connect(index, *info, waiting, error);
    if (status == DSRT_OK)
      out = std::move(made);
    return status;
  }

  // The size of a communicator's buffer: longer messages lose speed in HCCL.
  int64_t largestMessage() override { return setting("HCCL_BUFFSIZE", 200) << 20; }
  // After this time HCCL ends a collective by itself, with an error that names no rank.
  int64_t limitTimeout(int64_t timeoutMs) override {
    constexpr int64_t longest = INT64_MAX / 1000;
    return std::min(timeoutMs, std::min(setting("HCCL_EXEC_TIMEOUT", 1836), longest) * 1000);
  }

  static uint32_t reductions(dsrt_dtype dtype) { return reductionsOf(dtype); }

  /// Returns how many devices AscendCL finds; 0 without CANN.
  static int32_t devices() {
    const Api *api = nullptr;
    dsrt_error ignored = {};
    uint32_t count = 0;
    if (load(api, &ignored) != DSRT_OK || api->aclrtGetDeviceCount(&count) != aclSuccess)
      return 0;
    return static_cast<int32_t>(count);
  }

private:
  std::atomic<const Api *> api{nullptr}; // the same for all ranks of the process
};

} // namespace

const dsrt_backend *backend() {
  static const dsrt_backend table = device::makeTable<HcclVendor>("hccl");
  return &table;
}

} // namespace dsrt::hccl
