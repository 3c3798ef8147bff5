//===- HcclApi.h - The functions of HCCL and of AscendCL --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Our own declarations of the functions we call, so that the backend builds on machines without
// CANN: one table per library of result, name and parameters. runtime/test/device/HcclTest.cpp
// walks the numbers. Since the end of 2025 CANN keeps the management of communicators in libhcomm,
// before in libhccl: functions are looked for in both.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_HCCL_HCCLAPI_H
#define DSRT_SRC_BACKENDS_HCCL_HCCLAPI_H

#include "dsrt/backend.h"

#include <cstddef>

namespace dsrt::hccl {

using aclrtStream = void *;
using aclrtEvent = void *;
using aclrtContext = void *;
using aclError = int;

//===----------------------------------------------------------------------===//
// HCCL.
//===----------------------------------------------------------------------===//

enum HcclResult : int {
  HCCL_SUCCESS = 0,
  HCCL_E_PARA = 1,
  HCCL_E_PTR = 2,
  HCCL_E_MEMORY = 3,
  HCCL_E_INTERNAL = 4,
  HCCL_E_NOT_SUPPORT = 5,
  HCCL_E_TIMEOUT = 9,
  HCCL_E_REMOTE = 21,
  HCCL_E_OOM = 24
};

enum HcclReduceOp : int {
  HCCL_REDUCE_SUM = 0,
  HCCL_REDUCE_PROD = 1,
  HCCL_REDUCE_MAX = 2,
  HCCL_REDUCE_MIN = 3
};

enum HcclDataType : int {
  HCCL_DATA_TYPE_INT8 = 0,
  HCCL_DATA_TYPE_INT16 = 1,
  HCCL_DATA_TYPE_INT32 = 2,
  HCCL_DATA_TYPE_FP16 = 3,
  HCCL_DATA_TYPE_FP32 = 4,
  HCCL_DATA_TYPE_INT64 = 5,
  HCCL_DATA_TYPE_UINT64 = 6,
  HCCL_DATA_TYPE_UINT8 = 7,
  HCCL_DATA_TYPE_UINT16 = 8,
  HCCL_DATA_TYPE_UINT32 = 9,
  HCCL_DATA_TYPE_FP64 = 10,
  HCCL_DATA_TYPE_BFP16 = 11
};

using HcclComm = void *;

enum HcclSendRecvType : int { HCCL_SEND = 0, HCCL_RECV = 1 };
struct HcclSendRecvItem {
  HcclSendRecvType type;
  void *data;
  uint64_t count;
  HcclDataType dataType;
  uint32_t remoteRank;
};

struct HcclRootInfo {
  char internal[4108];
};

#define DSRT_HCCL_REQUIRED(X)                                                                      \
  X(HcclResult, HcclGetRootInfo, (HcclRootInfo * info))                                            \
  X(HcclResult, HcclCommInitRootInfo,                                                              \
    (uint32_t ranks, const HcclRootInfo *info, uint32_t rank, HcclComm *comm))                     \
  X(HcclResult, HcclCommDestroy, (HcclComm comm))                                                  \
  X(HcclResult, HcclGetCommAsyncError, (HcclComm comm, HcclResult * error))                        \
  X(const char *, HcclGetErrorString, (HcclResult code))                                           \
  X(HcclResult, HcclAllReduce,                                                                     \
    (void *send, void *recv, uint64_t count, HcclDataType type, HcclReduceOp op, HcclComm comm,    \
     aclrtStream stream))                                                                          \
  X(HcclResult, HcclReduceScatter,                                                                 \
    (void *send, void *recv, uint64_t recvCount, HcclDataType type, HcclReduceOp op,               \
     HcclComm comm, aclrtStream stream))                                                           \
  X(HcclResult, HcclAllGather,                                                                     \
    (void *send, void *recv, uint64_t sendCount, HcclDataType type, HcclComm comm,                 \
     aclrtStream stream))                                                                          \
  X(HcclResult, HcclAlltoAll,                                                                      \
    (const void *send, uint64_t sendCount, HcclDataType sendType, const void *recv,                \
     uint64_t recvCount, HcclDataType recvType, HcclComm comm, aclrtStream stream))                \
  X(HcclResult, HcclBatchSendRecv,                                                                 \
    (HcclSendRecvItem * items, uint32_t count, HcclComm comm, aclrtStream stream))                 \
  X(HcclResult, HcclBroadcast,                                                                     \
    (void *data, uint64_t count, HcclDataType type, uint32_t root, HcclComm comm,                  \
     aclrtStream stream))

//===----------------------------------------------------------------------===//
// AscendCL.
//===----------------------------------------------------------------------===//

constexpr aclError aclSuccess = 0;
constexpr aclError aclRepeatedInitialize = 100002; // ACL_ERROR_REPEAT_INITIALIZE

enum aclrtMemcpyKind : int {
  ACL_MEMCPY_HOST_TO_HOST = 0,
  ACL_MEMCPY_HOST_TO_DEVICE = 1,
  ACL_MEMCPY_DEVICE_TO_HOST = 2,
  ACL_MEMCPY_DEVICE_TO_DEVICE = 3
};
enum aclrtMemMallocPolicy : int { ACL_MEM_MALLOC_HUGE_FIRST = 0 };
enum aclrtEventRecordedStatus : int {
  ACL_EVENT_RECORDED_STATUS_NOT_READY = 0,
  ACL_EVENT_RECORDED_STATUS_COMPLETE = 1
};
constexpr uint32_t aclEventSync = 1; // ACL_EVENT_SYNC

/// aclrtPtrAttributes: `type` is 1 (ACL_MEM_LOCATION_TYPE_DEVICE) for device memory.
struct aclrtPtrAttributes {
  uint32_t id;
  int type;
  uint32_t pageSize;
  uint32_t reserved[4];
};
constexpr int aclLocationDevice = 1;

#define DSRT_ACL_REQUIRED(X)                                                                       \
  X(aclError, aclInit, (const char *config))                                                       \
  X(const char *, aclGetRecentErrMsg, ())                                                          \
  X(aclError, aclrtGetDeviceCount, (uint32_t *count))                                              \
  X(aclError, aclrtSetDevice, (int32_t device))                                                    \
  X(aclError, aclrtResetDevice, (int32_t device))                                                  \
  X(aclError, aclrtGetCurrentContext, (aclrtContext * context))                                    \
  X(aclError, aclrtSetCurrentContext, (aclrtContext context))                                      \
  X(aclError, aclrtCreateStream, (aclrtStream * stream))                                           \
  X(aclError, aclrtDestroyStream, (aclrtStream stream))                                            \
  X(aclError, aclrtCreateEventWithFlag, (aclrtEvent * event, uint32_t flag))                       \
  X(aclError, aclrtDestroyEvent, (aclrtEvent event))                                               \
  X(aclError, aclrtRecordEvent, (aclrtEvent event, aclrtStream stream))                            \
  X(aclError, aclrtStreamWaitEvent, (aclrtStream stream, aclrtEvent event))                        \
  X(aclError, aclrtQueryEventStatus, (aclrtEvent event, aclrtEventRecordedStatus * status))        \
  X(aclError, aclrtMalloc, (void **data, size_t bytes, aclrtMemMallocPolicy policy))               \
  X(aclError, aclrtFree, (void *data))                                                             \
  X(aclError, aclrtMallocHost, (void **data, size_t bytes))                                        \
  X(aclError, aclrtFreeHost, (void *data))                                                         \
  X(aclError, aclrtMemcpyAsync,                                                                    \
    (void *to, size_t limit, const void *from, size_t bytes, aclrtMemcpyKind kind,                 \
     aclrtStream stream))                                                                          \
  X(aclError, aclrtMemsetAsync,                                                                    \
    (void *data, size_t limit, int32_t value, size_t bytes, aclrtStream stream))

/// Null in older releases: device memory is then only what this backend has allocated.
#define DSRT_ACL_OPTIONAL(X)                                                                       \
  X(aclError, aclrtPointerGetAttributes, (const void *data, aclrtPtrAttributes *attributes))

//===----------------------------------------------------------------------===//
// Operators (libopapi), for the mean alone.
//===----------------------------------------------------------------------===//

enum aclDataType : int { ACL_FLOAT = 0, ACL_FLOAT16 = 1, ACL_BF16 = 27 };
constexpr int aclFormatNd = 2; // ACL_FORMAT_ND

using aclnnStatus = int32_t;
using aclTensor = struct aclTensor;
using aclScalar = struct aclScalar;
using aclOpExecutor = struct aclOpExecutor;

#define DSRT_OPAPI_REQUIRED(X)                                                                     \
  X(aclTensor *, aclCreateTensor,                                                                  \
    (const int64_t *dims, uint64_t numDims, aclDataType type, const int64_t *strides,              \
     int64_t offset, int format, const int64_t *storageDims, uint64_t numStorageDims, void *data)) \
  X(aclnnStatus, aclDestroyTensor, (const aclTensor *tensor))                                      \
  X(aclScalar *, aclCreateScalar, (void *value, aclDataType type))                                 \
  X(aclnnStatus, aclDestroyScalar, (const aclScalar *scalar))                                      \
  X(aclnnStatus, aclnnInplaceMulsGetWorkspaceSize,                                                 \
    (aclTensor * self, const aclScalar *other, uint64_t *bytes, aclOpExecutor **executor))         \
  X(aclnnStatus, aclnnInplaceMuls,                                                                 \
    (void *workspace, uint64_t bytes, aclOpExecutor *executor, aclrtStream stream))

//===----------------------------------------------------------------------===//
// All, loaded.
//===----------------------------------------------------------------------===//

struct Api {
#define DSRT_DECLARE(result, name, parameters) result(*name) parameters = nullptr;
  DSRT_HCCL_REQUIRED(DSRT_DECLARE)
  DSRT_ACL_REQUIRED(DSRT_DECLARE)
  DSRT_ACL_OPTIONAL(DSRT_DECLARE)
  DSRT_OPAPI_REQUIRED(DSRT_DECLARE)
#undef DSRT_DECLARE
};

/// Loads HCCL and AscendCL once per process; DSRT_UNAVAILABLE with one sentence if that fails.
[[nodiscard]] dsrt_status load(const Api *&out, dsrt_error *error);
/// Loads the operators; DSRT_UNSUPPORTED without them.
[[nodiscard]] dsrt_status loadOperators(const Api *&out, dsrt_error *error);

[[nodiscard]] dsrt_status check(const Api &api, HcclResult result, const char *what,
                                dsrt_error *error);
[[nodiscard]] dsrt_status checkAcl(const Api &api, aclError result, const char *what,
                                   dsrt_error *error);

} // namespace dsrt::hccl

#endif // DSRT_SRC_BACKENDS_HCCL_HCCLAPI_H
