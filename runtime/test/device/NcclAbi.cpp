//===- NcclAbi.cpp - Our declarations are those of the vendor's headers -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled where CUDA's headers and nccl.h are installed; everything happens at compile time. The
// vendor's names live in the global namespace, ours in dsrt::nccl. Types have other names but must
// have the same shape: pointers for pointers, integers of the same size and sign for enums.
//
//===----------------------------------------------------------------------===//
#include "backends/nccl/NcclApi.h"

#include <cuda.h>
#include <nccl.h>
#include <type_traits>

namespace {

/// Whether a value of one type is passed exactly like one of the other.
template <typename Ours, typename Theirs> constexpr bool samePassing() {
  if constexpr (std::is_pointer_v<Ours> || std::is_pointer_v<Theirs>)
    return std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>;
  else if constexpr (std::is_class_v<Ours> || std::is_class_v<Theirs>)
    return std::is_class_v<Ours> && std::is_class_v<Theirs> && sizeof(Ours) == sizeof(Theirs) &&
           alignof(Ours) == alignof(Theirs);
  else
    return sizeof(Ours) == sizeof(Theirs);
}

template <typename Ours, typename Theirs> struct SameCall : std::false_type {};
template <typename R, typename... A, typename S, typename... B>
struct SameCall<R (*)(A...), S (*)(B...)> {
  static constexpr bool test() {
    if constexpr (sizeof...(A) != sizeof...(B))
      return false;
    else
      return samePassing<R, S>() && (samePassing<A, B>() && ...);
  }
  static constexpr bool value = test();
};

#define CHECK(result, name, parameters)                                                            \
  static_assert(SameCall<decltype(dsrt::nccl::Api::name), decltype(&::name)>::value,               \
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
