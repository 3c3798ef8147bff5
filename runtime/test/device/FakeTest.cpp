//===- FakeTest.cpp - The fakes refuse what the vendors refuse --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backends never do these things, so only a test of the fakes themselves shows that they would
// be seen.
//
//===----------------------------------------------------------------------===//
#include "backends/hccl/HcclApi.h"
#include "backends/nccl/NcclApi.h"

#include <gtest/gtest.h>
#include <thread>

namespace {

TEST(DeviceTestFakes, nccl_is_strict) {
  using namespace dsrt::nccl;
  const Api *api = nullptr;
  dsrt_error error = {};
  ASSERT_EQ(load(api, &error), DSRT_OK) << error.text;
  CUcontext context = nullptr, other = nullptr;
  ASSERT_EQ(api->cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  ASSERT_EQ(api->cuDevicePrimaryCtxRetain(&other, 1), CUDA_SUCCESS);

  // A thread that has no context can do nothing.
  CUdeviceptr data = 0;
  std::thread([&] { EXPECT_NE(api->cuMemAlloc_v2(&data, 4096), CUDA_SUCCESS); }).join();
  ASSERT_EQ(api->cuCtxSetCurrent(other), CUDA_SUCCESS);
  CUstream foreign = nullptr, stream = nullptr;
  ASSERT_EQ(api->cuStreamCreateWithPriority(&foreign, 1, 0), CUDA_SUCCESS);
  ASSERT_EQ(api->cuCtxSetCurrent(context), CUDA_SUCCESS);
  ASSERT_EQ(api->cuStreamCreateWithPriority(&stream, 1, 0), CUDA_SUCCESS);
  ASSERT_EQ(api->cuMemAlloc_v2(&data, 4096), CUDA_SUCCESS);

  ncclUniqueId id;
  ASSERT_EQ(api->ncclGetUniqueId(&id), ncclSuccess);
  ncclConfig_t config;
  config.blocking = 0;
  config.magic = 1;
  ncclComm_t comm = nullptr;
  EXPECT_EQ(api->ncclCommInitRankConfig(&comm, 1, id, 0, &config), ncclInvalidArgument);
  config.magic = 0xcafebeef;
  EXPECT_EQ(api->ncclCommInitRankConfig(&comm, 1, id, 1, &config), ncclSystemError);
  ASSERT_EQ(api->ncclCommInitRankConfig(&comm, 1, id, 0, &config), ncclInProgress);

  auto reduce = [&](const void *from, void *to, size_t count, int type, int op, CUstream on) {
    return api->ncclAllReduce(from, to, count, static_cast<ncclDataType_t>(type),
                              static_cast<ncclRedOp_t>(op), comm, on);
  };
  char *device = reinterpret_cast<char *>(data);
  float host[4] = {};
  EXPECT_EQ(reduce(host, host, 4, ncclFloat32, ncclSum, stream), ncclInvalidArgument);
  EXPECT_EQ(reduce(device, device, 1025, ncclFloat32, ncclSum, stream), ncclInvalidArgument);
  EXPECT_EQ(reduce(device, device + 4, 4, ncclFloat32, ncclSum, stream), ncclInvalidArgument);
  EXPECT_EQ(reduce(device, device, 4, 42, ncclSum, stream), ncclInvalidArgument);
  EXPECT_EQ(reduce(device, device, 4, ncclFloat32, 9, stream), ncclInvalidArgument);
  EXPECT_EQ(reduce(device, device, 4, ncclFloat32, ncclSum, foreign), ncclUnhandledCudaError);
  EXPECT_EQ(reduce(device, device, 4, ncclFloat32, ncclSum, stream), ncclInProgress);
  // Still in progress: the program has to ask until it is not.
  EXPECT_EQ(reduce(device, device, 4, ncclFloat32, ncclSum, stream), ncclInvalidUsage);
  ncclResult_t state = ncclInProgress;
  while (state == ncclInProgress)
    ASSERT_EQ(api->ncclCommGetAsyncError(comm, &state), ncclSuccess);
  EXPECT_EQ(api->ncclGroupEnd(), ncclInvalidUsage);
  // Nobody receives what is sent, or more of it.
  EXPECT_EQ(api->ncclSend(device, 4, ncclFloat32, 0, comm, stream), ncclInvalidUsage);
  EXPECT_EQ(api->ncclGroupStart(), ncclSuccess);
  EXPECT_EQ(api->ncclSend(device, 4, ncclFloat32, 0, comm, stream), ncclSuccess);
  EXPECT_EQ(api->ncclRecv(device + 64, 5, ncclFloat32, 0, comm, stream), ncclSuccess);
  EXPECT_EQ(api->ncclGroupEnd(), ncclInvalidUsage);
  EXPECT_EQ(api->ncclCommDestroy(comm), ncclSuccess);
  EXPECT_EQ(api->ncclCommDestroy(comm), ncclInvalidArgument);
  EXPECT_EQ(api->cuMemFree_v2(data + 64), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(api->cuMemFree_v2(data), CUDA_SUCCESS);
  EXPECT_EQ(api->cuStreamDestroy_v2(stream), CUDA_SUCCESS);
  EXPECT_NE(api->cuStreamDestroy_v2(stream), CUDA_SUCCESS);
}

TEST(DeviceTestFakes, hccl_is_strict) {
  using namespace dsrt::hccl;
  const Api *api = nullptr;
  dsrt_error error = {};
  ASSERT_EQ(load(api, &error), DSRT_OK) << error.text;
  EXPECT_EQ(api->aclInit(nullptr), aclRepeatedInitialize);
  std::thread([&] {
    aclrtStream none = nullptr;
    EXPECT_NE(api->aclrtCreateStream(&none), aclSuccess);
  }).join();
  ASSERT_EQ(api->aclrtSetDevice(0), aclSuccess);
  EXPECT_NE(api->aclrtSetDevice(99), aclSuccess);
  ASSERT_EQ(api->aclrtSetDevice(0), aclSuccess);
  aclrtStream stream = nullptr;
  ASSERT_EQ(api->aclrtCreateStream(&stream), aclSuccess);
  void *memory = nullptr, *pinned = nullptr;
  ASSERT_EQ(api->aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST), aclSuccess);
  ASSERT_EQ(api->aclrtMallocHost(&pinned, 4096), aclSuccess);
  char *device = static_cast<char *>(memory);

  auto copy = [&](void *to, size_t limit, const void *from, size_t bytes, aclrtMemcpyKind kind) {
    return api->aclrtMemcpyAsync(to, limit, from, bytes, kind, stream);
  };
  char pageable[64] = {};
  EXPECT_NE(copy(device, 64, pageable, 64, ACL_MEMCPY_HOST_TO_DEVICE), aclSuccess);
  EXPECT_NE(copy(device, 32, pinned, 64, ACL_MEMCPY_HOST_TO_DEVICE), aclSuccess);
  EXPECT_NE(copy(pinned, 64, device, 64, ACL_MEMCPY_HOST_TO_DEVICE), aclSuccess);
  EXPECT_NE(copy(device + 4, 64, device + 1024, 64, ACL_MEMCPY_DEVICE_TO_DEVICE), aclSuccess);
  EXPECT_EQ(copy(device, 64, device + 1024, 64, ACL_MEMCPY_DEVICE_TO_DEVICE), aclSuccess);
  EXPECT_NE(api->aclrtMemsetAsync(pinned, 64, 0, 64, stream), aclSuccess);
  EXPECT_NE(api->aclrtMemsetAsync(device, 32, 0, 64, stream), aclSuccess);
  EXPECT_EQ(api->aclrtMemsetAsync(device, 64, 0, 64, stream), aclSuccess);

  HcclRootInfo info;
  ASSERT_EQ(api->HcclGetRootInfo(&info), HCCL_SUCCESS);
  HcclComm comm = nullptr;
  EXPECT_EQ(api->HcclCommInitRootInfo(1, &info, 1, &comm), HCCL_E_PARA);
  EXPECT_EQ(api->HcclCommInitRootInfo(1, nullptr, 0, &comm), HCCL_E_PTR);
  ASSERT_EQ(api->HcclCommInitRootInfo(1, &info, 0, &comm), HCCL_SUCCESS);
  auto reduce = [&](void *data, uint64_t count, HcclDataType type, HcclReduceOp op) {
    return api->HcclAllReduce(data, data, count, type, op, comm, stream);
  };
  EXPECT_EQ(reduce(pinned, 4, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM), HCCL_E_PARA);
  EXPECT_EQ(reduce(nullptr, 4, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM), HCCL_E_PTR);
  EXPECT_EQ(reduce(device + 2, 4, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM), HCCL_E_PARA);
  EXPECT_EQ(reduce(device, 4, HCCL_DATA_TYPE_FP64, HCCL_REDUCE_SUM), HCCL_E_NOT_SUPPORT);
  EXPECT_EQ(reduce(device, 4, HCCL_DATA_TYPE_BFP16, HCCL_REDUCE_PROD), HCCL_E_NOT_SUPPORT);
  EXPECT_EQ(reduce(device, 4, HCCL_DATA_TYPE_BFP16, HCCL_REDUCE_SUM), HCCL_SUCCESS);
  // Nobody receives what is sent, or more of it, or there is nothing to do.
  HcclSendRecvItem items[2] = {{HCCL_SEND, device, 4, HCCL_DATA_TYPE_FP32, 0},
                               {HCCL_RECV, device + 64, 5, HCCL_DATA_TYPE_FP32, 0}};
  auto exchange = [&](uint32_t count) {
    return api->HcclBatchSendRecv(items, count, comm, stream);
  };
  EXPECT_EQ(exchange(0), HCCL_E_PARA);
  EXPECT_EQ(exchange(1), HCCL_E_PARA);
  EXPECT_EQ(exchange(2), HCCL_E_PARA);
  items[1].count = 4;
  items[1].remoteRank = 1;
  EXPECT_EQ(exchange(2), HCCL_E_PARA);
  items[1].remoteRank = 0;
  EXPECT_EQ(exchange(2), HCCL_SUCCESS);
  EXPECT_EQ(sizeof(HcclSendRecvItem), 32u);
  EXPECT_EQ(api->HcclCommDestroy(comm), HCCL_SUCCESS);
  EXPECT_EQ(api->HcclCommDestroy(comm), HCCL_E_PARA);
  EXPECT_EQ(api->aclrtDestroyStream(stream), aclSuccess);
  EXPECT_NE(api->aclrtDestroyStream(stream), aclSuccess);
  EXPECT_EQ(api->aclrtFree(memory), aclSuccess);
  EXPECT_NE(api->aclrtFree(memory), aclSuccess);
  EXPECT_EQ(api->aclrtFreeHost(pinned), aclSuccess);
}

} // namespace
