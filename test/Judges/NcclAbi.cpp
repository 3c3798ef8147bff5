//===- NcclAbi.cpp - Our declarations are those of the vendor's headers -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled by check_headers.py; everything happens at compile time. The vendor's names live in the
// global namespace, ours in dsrt::nccl.
//
//===----------------------------------------------------------------------===//
#include "../../runtime/src/backends/nccl/NcclApi.h"
#include "SamePassing.h"

#include <cstddef>
#include <cuda.h>
#include <nccl.h>

namespace {

#define CHECK(result, name, parameters)                                                            \
  static_assert(ds::judges::SameCall<decltype(dsrt::nccl::Api::name), decltype(&::name)>::value,   \
                #name " differs from the vendor's header");
DSRT_NCCL_REQUIRED(CHECK)
DSRT_NCCL_OPTIONAL(CHECK)
DSRT_CUDA_REQUIRED(CHECK)

#define SAME(name) static_assert(static_cast<int>(dsrt::nccl::name) == static_cast<int>(::name))
SAME(ncclSuccess);
SAME(ncclUnhandledCudaError);
SAME(ncclSystemError);
SAME(ncclInternalError);
SAME(ncclInvalidArgument);
SAME(ncclInvalidUsage);
SAME(ncclRemoteError);
SAME(ncclInProgress);
SAME(ncclInt8);
SAME(ncclUint8);
SAME(ncclInt32);
SAME(ncclUint32);
SAME(ncclInt64);
SAME(ncclUint64);
SAME(ncclFloat16);
SAME(ncclFloat32);
SAME(ncclFloat64);
SAME(ncclBfloat16);
SAME(ncclSum);
SAME(ncclProd);
SAME(ncclMax);
SAME(ncclMin);
SAME(ncclAvg);
SAME(ncclScalarDevice);
SAME(ncclScalarHostImmediate);
SAME(CUDA_SUCCESS);
SAME(CUDA_ERROR_INVALID_VALUE);
SAME(CUDA_ERROR_OUT_OF_MEMORY);
SAME(CUDA_ERROR_NOT_READY);
static_assert(dsrt::nccl::streamNonBlocking == CU_STREAM_NON_BLOCKING);
static_assert(dsrt::nccl::eventDisableTiming == CU_EVENT_DISABLE_TIMING);
static_assert(dsrt::nccl::pointerAttributeMemoryType == CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
static_assert(dsrt::nccl::pointerAttributeIsLegacy ==
              CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE);
static_assert(dsrt::nccl::memoryTypeDevice == CU_MEMORYTYPE_DEVICE);
static_assert(sizeof(dsrt::nccl::ncclUniqueId) == sizeof(::ncclUniqueId));

// The configuration of 2.18 is the beginning of every later one.
#define FIELD(name)                                                                                \
  static_assert(offsetof(dsrt::nccl::ncclConfig_t, name) == offsetof(::ncclConfig_t, name))
FIELD(size);
FIELD(magic);
FIELD(version);
FIELD(blocking);
FIELD(cgaClusterSize);
FIELD(minCTAs);
FIELD(maxCTAs);
FIELD(netName);
FIELD(splitShare);

} // namespace
