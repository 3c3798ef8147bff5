//===- NcclApi.h - The functions of NCCL and of the CUDA driver -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Our own declarations of the functions we call, so that the backend builds on machines without
// CUDA. One table per library: result, name as it is exported (the driver's carry the version of
// their ABI), and parameters. runtime/test/device/NcclTest.cpp walks the numbers; where CUDA's
// headers are installed, test/Judges/NcclAbi.cpp compares every line with them.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_NCCL_NCCLAPI_H
#define DSRT_SRC_BACKENDS_NCCL_NCCLAPI_H

#include "dsrt/backend.h"

#include <climits>
#include <cstddef>
#include <string>

namespace dsrt::nccl {

using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st *;
using CUstream = struct CUstream_st *;
using CUevent = struct CUevent_st *;

//===----------------------------------------------------------------------===//
// NCCL 2.18 and later.
//===----------------------------------------------------------------------===//

enum ncclResult_t : int {
  ncclSuccess = 0,
  ncclUnhandledCudaError = 1,
  ncclSystemError = 2,
  ncclInternalError = 3,
  ncclInvalidArgument = 4,
  ncclInvalidUsage = 5,
  ncclRemoteError = 6,
  ncclInProgress = 7
};

enum ncclDataType_t : int {
  ncclInt8 = 0,
  ncclUint8 = 1,
  ncclInt32 = 2,
  ncclUint32 = 3,
  ncclInt64 = 4,
  ncclUint64 = 5,
  ncclFloat16 = 6,
  ncclFloat32 = 7,
  ncclFloat64 = 8,
  ncclBfloat16 = 9
};

/// Operations that ncclRedOpCreatePreMulSum makes have numbers of their own.
enum ncclRedOp_t : int { ncclSum = 0, ncclProd = 1, ncclMax = 2, ncclMin = 3, ncclAvg = 4 };

enum ncclScalarResidence_t : int { ncclScalarDevice = 0, ncclScalarHostImmediate = 1 };

using ncclComm_t = struct ncclComm *;

struct ncclUniqueId {
  char internal[128];
};

/// The configuration as of 2.18. Newer libraries read `size` and `version` and take defaults for
/// the rest.
struct ncclConfig_t {
  size_t size = sizeof(ncclConfig_t);
  unsigned magic = 0xcafebeef;
  unsigned version = 21800;
  int blocking = INT_MIN; // INT_MIN and null: not set
  int cgaClusterSize = INT_MIN;
  int minCTAs = INT_MIN;
  int maxCTAs = INT_MIN;
  const char *netName = nullptr;
  int splitShare = INT_MIN;
};

constexpr int oldestNccl = 21800; // 2.18.0
constexpr int registeringNccl = 21901;

#define DSRT_NCCL_REQUIRED(X)                                                                      \
  X(ncclResult_t, ncclGetVersion, (int *version))                                                  \
  X(const char *, ncclGetErrorString, (ncclResult_t result))                                       \
  X(const char *, ncclGetLastError, (ncclComm_t comm))                                             \
  X(ncclResult_t, ncclGetUniqueId, (ncclUniqueId * id))                                            \
  X(ncclResult_t, ncclCommInitRankConfig,                                                          \
    (ncclComm_t * comm, int ranks, ncclUniqueId id, int rank, ncclConfig_t *config))               \
  X(ncclResult_t, ncclCommDestroy, (ncclComm_t comm))                                              \
  X(ncclResult_t, ncclCommAbort, (ncclComm_t comm))                                                \
  X(ncclResult_t, ncclCommGetAsyncError, (ncclComm_t comm, ncclResult_t * state))                  \
  X(ncclResult_t, ncclGroupStart, ())                                                              \
  X(ncclResult_t, ncclGroupEnd, ())                                                                \
  X(ncclResult_t, ncclAllReduce,                                                                   \
    (const void *send, void *recv, size_t count, ncclDataType_t type, ncclRedOp_t op,              \
     ncclComm_t comm, CUstream stream))                                                            \
  X(ncclResult_t, ncclReduceScatter,                                                               \
    (const void *send, void *recv, size_t recvCount, ncclDataType_t type, ncclRedOp_t op,          \
     ncclComm_t comm, CUstream stream))                                                            \
  X(ncclResult_t, ncclAllGather,                                                                   \
    (const void *send, void *recv, size_t sendCount, ncclDataType_t type, ncclComm_t comm,         \
     CUstream stream))                                                                             \
  X(ncclResult_t, ncclBroadcast,                                                                   \
    (const void *send, void *recv, size_t count, ncclDataType_t type, int root, ncclComm_t comm,   \
     CUstream stream))                                                                             \
  X(ncclResult_t, ncclSend,                                                                        \
    (const void *send, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,               \
     CUstream stream))                                                                             \
  X(ncclResult_t, ncclRecv,                                                                        \
    (void *recv, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, CUstream stream))   \
  X(ncclResult_t, ncclRedOpCreatePreMulSum,                                                        \
    (ncclRedOp_t * op, void *scalar, ncclDataType_t type, ncclScalarResidence_t residence,         \
     ncclComm_t comm))                                                                             \
  X(ncclResult_t, ncclRedOpDestroy, (ncclRedOp_t op, ncclComm_t comm))

/// Null if the library is older: 2.19 has them.
#define DSRT_NCCL_OPTIONAL(X)                                                                      \
  X(ncclResult_t, ncclMemAlloc, (void **data, size_t bytes))                                       \
  X(ncclResult_t, ncclMemFree, (void *data))                                                       \
  X(ncclResult_t, ncclCommRegister, (ncclComm_t comm, void *data, size_t bytes, void **handle))    \
  X(ncclResult_t, ncclCommDeregister, (ncclComm_t comm, void *handle))

//===----------------------------------------------------------------------===//
// The CUDA driver.
//===----------------------------------------------------------------------===//

enum CUresult : int {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_READY = 600
};

constexpr unsigned streamNonBlocking = 1;     // CU_STREAM_NON_BLOCKING
constexpr unsigned eventDisableTiming = 2;    // CU_EVENT_DISABLE_TIMING
constexpr int pointerAttributeMemoryType = 2; // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
constexpr int pointerAttributeIsLegacy = 10;  // CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE
constexpr unsigned memoryTypeDevice = 2;      // CU_MEMORYTYPE_DEVICE

#define DSRT_CUDA_REQUIRED(X)                                                                      \
  X(CUresult, cuInit, (unsigned flags))                                                            \
  X(CUresult, cuDriverGetVersion, (int *version))                                                  \
  X(CUresult, cuGetErrorString, (CUresult error, const char **text))                               \
  X(CUresult, cuDeviceGetCount, (int *count))                                                      \
  X(CUresult, cuDeviceGet, (CUdevice * device, int ordinal))                                       \
  X(CUresult, cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device))                    \
  X(CUresult, cuDevicePrimaryCtxRelease_v2, (CUdevice device))                                     \
  X(CUresult, cuCtxSetCurrent, (CUcontext context))                                                \
  X(CUresult, cuCtxGetStreamPriorityRange, (int *least, int *greatest))                            \
  X(CUresult, cuMemAlloc_v2, (CUdeviceptr * data, size_t bytes))                                   \
  X(CUresult, cuMemFree_v2, (CUdeviceptr data))                                                    \
  X(CUresult, cuMemHostAlloc, (void **data, size_t bytes, unsigned flags))                         \
  X(CUresult, cuMemFreeHost, (void *data))                                                         \
  X(CUresult, cuMemcpyHtoDAsync_v2,                                                                \
    (CUdeviceptr to, const void *from, size_t bytes, CUstream stream))                             \
  X(CUresult, cuMemcpyDtoHAsync_v2, (void *to, CUdeviceptr from, size_t bytes, CUstream stream))   \
  X(CUresult, cuMemcpyDtoDAsync_v2,                                                                \
    (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream))                             \
  X(CUresult, cuMemsetD8Async,                                                                     \
    (CUdeviceptr data, unsigned char value, size_t bytes, CUstream stream))                        \
  X(CUresult, cuStreamCreateWithPriority, (CUstream * stream, unsigned flags, int priority))       \
  X(CUresult, cuStreamDestroy_v2, (CUstream stream))                                               \
  X(CUresult, cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags))                 \
  X(CUresult, cuEventCreate, (CUevent * event, unsigned flags))                                    \
  X(CUresult, cuEventRecord, (CUevent event, CUstream stream))                                     \
  X(CUresult, cuEventQuery, (CUevent event))                                                       \
  X(CUresult, cuEventDestroy_v2, (CUevent event))                                                  \
  X(CUresult, cuPointerGetAttribute, (void *data, int attribute, CUdeviceptr pointer))

//===----------------------------------------------------------------------===//
// Both, loaded.
//===----------------------------------------------------------------------===//

struct Api {
#define DSRT_DECLARE(result, name, parameters) result(*name) parameters = nullptr;
  DSRT_NCCL_REQUIRED(DSRT_DECLARE)
  DSRT_NCCL_OPTIONAL(DSRT_DECLARE)
  DSRT_CUDA_REQUIRED(DSRT_DECLARE)
#undef DSRT_DECLARE
  int version = 0; // of NCCL: 22809 is 2.28.9
};

/// Loads both libraries once per process; DSRT_UNAVAILABLE with one sentence if that fails.
[[nodiscard]] dsrt_status load(const Api *&out, dsrt_error *error);

/// Returns "2.28.9" for 22809.
std::string versionName(int code);

[[nodiscard]] dsrt_status check(const Api &api, ncclResult_t result, const char *what,
                                ncclComm_t comm, dsrt_error *error);
[[nodiscard]] dsrt_status check(const Api &api, CUresult result, const char *what,
                                dsrt_error *error);

} // namespace dsrt::nccl

#endif // DSRT_SRC_BACKENDS_NCCL_NCCLAPI_H
