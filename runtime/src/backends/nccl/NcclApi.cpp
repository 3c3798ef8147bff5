//===- NcclApi.cpp - Loads NCCL and the CUDA driver -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NcclApi.h"
#include "base/Messages.h"
#include "device/Library.h"

#include <cstdlib>
#include <cstring>

namespace dsrt::nccl {
namespace {

// NCCL looks up the driver by itself, so the driver comes first: both then use one copy.
const device::LibraryName cudaName = {
    "the CUDA driver", "DS_CUDA_LIBRARY", {"libcuda.so.1"}, "install the NVIDIA driver"};
const device::LibraryName ncclName = {
    "NCCL", "DS_NCCL_LIBRARY", {"libnccl.so.2"}, "install NCCL 2.18 or newer"};

// When ranks share a GPU, the first launch of a kernel that is not loaded yet waits for the device
// to drain, while another rank's collective spins on it: a deadlock. So kernels are loaded at once,
// and streams get queues of their own. The driver reads these variables once; values that the user
// has set stay.
void prepareSharedDevices() {
  const char *shared = std::getenv("NCCL_MULTI_RANK_GPU_ENABLE");
  if (!shared || std::strcmp(shared, "1") != 0)
    return;
  setenv("CUDA_MODULE_LOADING", "EAGER", /*overwrite=*/0);
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", /*overwrite=*/0);
}

dsrt_status loadCuda(Api &api, dsrt_error *error) {
  prepareSharedDevices();
  device::Library library;
  dsrt_status status = library.open(cudaName, error);
#define DSRT_REQUIRE(result, name, parameters)                                                     \
  if (status == DSRT_OK)                                                                           \
    status = library.require(#name, api.name, error);
  DSRT_CUDA_REQUIRED(DSRT_REQUIRE)
  if (status == DSRT_OK)
    status = check(api, api.cuInit(0), "cuInit", error);
  return status == DSRT_INTERNAL ? DSRT_UNAVAILABLE : status;
}

// The version is queried before any other function is looked for: an old library then gets a
// sentence about its age.
dsrt_status loadNccl(Api &api, dsrt_error *error) {
  device::Library library;
  dsrt_status status = library.open(ncclName, error);
  if (status == DSRT_OK)
    status = library.require("ncclGetVersion", api.ncclGetVersion, error);
  if (status == DSRT_OK && api.ncclGetVersion(&api.version) != ncclSuccess)
    return failWith(error, DSRT_UNAVAILABLE, "NCCL in '%.400s' does not give its version",
                    library.file().c_str());
  if (status == DSRT_OK && api.version < oldestNccl)
    return failWith(error, DSRT_UNAVAILABLE,
                    "NCCL in '%.400s' is %s, expected 2.18 or newer; DS_NCCL_LIBRARY names another",
                    library.file().c_str(), versionName(api.version).c_str());
  DSRT_NCCL_REQUIRED(DSRT_REQUIRE)
#undef DSRT_REQUIRE
#define DSRT_FIND(result, name, parameters)                                                        \
  if (status == DSRT_OK && api.version >= registeringNccl)                                         \
    api.name = reinterpret_cast<decltype(api.name)>(library.find(#name));
  DSRT_NCCL_OPTIONAL(DSRT_FIND)
#undef DSRT_FIND
  return status;
}

} // namespace

dsrt_status load(const Api *&out, dsrt_error *error) {
  static device::Loaded<Api> loaded;
  return loaded.get(
      [](Api &api, dsrt_error *error) {
        dsrt_status status = loadCuda(api, error);
        return status == DSRT_OK ? loadNccl(api, error) : status;
      },
      out, error);
}

// 2.8 and older were numbered 2804; newer ones are 20904.
std::string versionName(int code) {
  const int unit = code < 10000 ? 1000 : 10000;
  return std::to_string(code / unit) + '.' + std::to_string(code % unit / 100) + '.' +
         std::to_string(code % 100);
}

dsrt_status check(const Api &api, ncclResult_t result, const char *what, ncclComm_t comm,
                  dsrt_error *error) {
  if (result == ncclSuccess || result == ncclInProgress)
    return DSRT_OK;
  const char *detail = api.ncclGetLastError(comm);
  return failWith(error, DSRT_INTERNAL, "%s: %s%s%.400s", what, api.ncclGetErrorString(result),
                  detail && *detail ? ": " : "", detail ? detail : "");
}

dsrt_status check(const Api &api, CUresult result, const char *what, dsrt_error *error) {
  if (result == CUDA_SUCCESS)
    return DSRT_OK;
  const char *text = nullptr;
  if (api.cuGetErrorString(result, &text) != CUDA_SUCCESS || !text)
    text = "unknown error";
  setText(error, "%s: %s (CUDA error %d)", what, text, static_cast<int>(result));
  return result == CUDA_ERROR_OUT_OF_MEMORY ? DSRT_OUT_OF_MEMORY : DSRT_INTERNAL;
}

} // namespace dsrt::nccl
