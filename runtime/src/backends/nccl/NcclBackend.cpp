//===- NcclBackend.cpp - Ranks as GPUs --------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NcclBackend.h"
#include "NcclCommunicator.h"
#include "NcclTypes.h"
#include "device/DeviceState.h"

#include <atomic>

namespace dsrt::nccl {
namespace {

class NcclVendor final : public device::Vendor {
public:
  dsrt_status open(const dsrt_options &, int32_t localRank, std::unique_ptr<device::Device> &out,
                   dsrt_error *error) override {
    const Api *loaded = nullptr;
    if (dsrt_status status = load(loaded, error); status != DSRT_OK)
      return status;
    api = loaded;
    return CudaDevice::open(*loaded, localRank, out, error);
  }

  dsrt_status newId(std::string &id, dsrt_error *error) override {
    ncclUniqueId made;
    const Api &all = *api;
    dsrt_status status = check(all, all.ncclGetUniqueId(&made), "ncclGetUniqueId", nullptr, error);
    id.assign(made.internal, sizeof made.internal);
    return status;
  }

  dsrt_status connect(device::Device &device, const dsrt_options &options, int32_t members,
                      int32_t index, const std::string &id, device::Waiting &waiting,
                      std::unique_ptr<device::Communicator> &out, dsrt_error *error) override {
    ncclUniqueId parsed;
    if (dsrt_status status = device::readId(id, parsed.internal, error); status != DSRT_OK)
      return status;
    auto made =
        std::make_unique<NcclCommunicator>(*api.load(), static_cast<CudaDevice &>(device), members,
                                           /*meanInside=*/!options.deterministic);
    dsrt_status status = made->connect(index, parsed, waiting, error);
    if (status == DSRT_OK)
      out = std::move(made);
    return status;
  }

  static uint32_t reductions(dsrt_dtype dtype) { return reductionsOf(dtype); }

  /// Returns how many GPUs the driver finds; 0 without a driver or without NCCL.
  static int32_t devices() {
    const Api *api = nullptr;
    dsrt_error ignored = {};
    int count = 0;
    if (load(api, &ignored) != DSRT_OK || api->cuDeviceGetCount(&count) != CUDA_SUCCESS)
      return 0;
    return count;
  }

private:
  std::atomic<const Api *> api{nullptr}; // the same for all ranks of the process
};

} // namespace

const dsrt_backend *backend() {
  static const dsrt_backend table = [] {
    dsrt_backend made = device::makeTable<NcclVendor>("nccl");
    device::addQueue(made);
    return made;
  }();
  return &table;
}

} // namespace dsrt::nccl
