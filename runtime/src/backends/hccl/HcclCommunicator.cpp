//===- HcclCommunicator.cpp - One HCCL communicator -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HCCL's initialisation blocks until all ranks are there, for HCCL_CONNECT_TIMEOUT. It therefore
// runs on a thread that is abandoned when our own deadline comes first. A communicator whose call
// hangs cannot be aborted: it is abandoned too, and the process should end.
//
// HCCL has no mean: the sum is multiplied by f32(1/n) on the same stream, by aclnnInplaceMuls.
//
//===----------------------------------------------------------------------===//
#include "HcclCommunicator.h"
#include "HcclTypes.h"
#include "base/Messages.h"
#include "base/Threads.h"

#include <atomic>

namespace dsrt::hccl {

HcclCommunicator::~HcclCommunicator() {
  if (comm)
    (void)api.HcclCommDestroy(comm);
}

dsrt_status HcclCommunicator::connect(int32_t index, const HcclRootInfo &info,
                                      device::Waiting &waiting, dsrt_error *error) {
  struct Attempt {
    HcclRootInfo info;
    HcclComm comm = nullptr;
    HcclResult result = HCCL_SUCCESS;
    dsrt_status bound = DSRT_OK;
    dsrt_error error = {};
    std::atomic<bool> done{false};
  };
  auto attempt = std::make_shared<Attempt>();
  attempt->info = info;
  std::string why;
  std::thread thread = startThread(
      [attempt, &api = api, context = device.current(), members = members, index] {
        attempt->bound = checkAcl(api, api.aclrtSetCurrentContext(context),
                                  "aclrtSetCurrentContext", &attempt->error);
        if (attempt->bound == DSRT_OK)
          attempt->result = api.HcclCommInitRootInfo(static_cast<uint32_t>(members), &attempt->info,
                                                     static_cast<uint32_t>(index), &attempt->comm);
        attempt->done = true;
      },
      why);
  if (!thread.joinable())
    return failWith(error, DSRT_INTERNAL, "cannot start a thread for HcclCommInitRootInfo: %s",
                    why.c_str());
  dsrt_status status = DSRT_OK;
  while (status == DSRT_OK && !attempt->done)
    status = waiting.turn(error);
  if (status != DSRT_OK) {
    thread.detach();
    return status;
  }
  thread.join();
  if (attempt->bound != DSRT_OK) {
    *error = attempt->error;
    return attempt->bound;
  }
  comm = attempt->comm;
  return is(attempt->result, "HcclCommInitRootInfo", error);
}

dsrt_status HcclCommunicator::allReduce(void *data, int64_t elements, dsrt_dtype dtype,
                                        dsrt_reduction reduction, dsrt_error *error) {
  return is(api.HcclAllReduce(data, data, static_cast<uint64_t>(elements), wireType(dtype),
                              operation(reduction), comm, device.stream()),
            "HcclAllReduce", error);
}

dsrt_status HcclCommunicator::reduceScatter(const void *input, void *output, int64_t elements,
                                            dsrt_dtype dtype, dsrt_reduction reduction,
                                            dsrt_error *error) {
  return is(api.HcclReduceScatter(const_cast<void *>(input), output,
                                  static_cast<uint64_t>(elements), wireType(dtype),
                                  operation(reduction), comm, device.stream()),
            "HcclReduceScatter", error);
}

dsrt_status HcclCommunicator::allGather(const void *input, void *output, int64_t elements,
                                        dsrt_dtype dtype, dsrt_error *error) {
  return is(api.HcclAllGather(const_cast<void *>(input), output, static_cast<uint64_t>(elements),
                              wireType(dtype), comm, device.stream()),
            "HcclAllGather", error);
}

dsrt_status HcclCommunicator::allToAll(const void *input, void *output, int64_t elements,
                                       dsrt_dtype dtype, dsrt_error *error) {
  const auto count = static_cast<uint64_t>(elements);
  return is(api.HcclAlltoAll(input, count, wireType(dtype), output, count, wireType(dtype), comm,
                             device.stream()),
            "HcclAlltoAll", error);
}

// HcclSend holds the stream until its counterpart has come, so members that all send first, as in a
// ring, would wait for ever.
dsrt_status HcclCommunicator::sendAndReceive(const void *input, int32_t destination, void *output,
                                             int32_t source, int64_t elements, dsrt_dtype dtype,
                                             dsrt_error *error) {
  HcclSendRecvItem items[2];
  uint32_t count = 0;
  auto add = [&](HcclSendRecvType type, void *data, int32_t peer) {
    if (peer >= 0)
      items[count++] = {type, data, static_cast<uint64_t>(elements), wireType(dtype),
                        static_cast<uint32_t>(peer)};
  };
  add(HCCL_SEND, const_cast<void *>(input), destination);
  add(HCCL_RECV, output, source);
  return is(api.HcclBatchSendRecv(items, count, comm, device.stream()), "HcclBatchSendRecv", error);
}

dsrt_status HcclCommunicator::broadcast(void *data, int64_t elements, dsrt_dtype dtype,
                                        int32_t root, dsrt_error *error) {
  return is(api.HcclBroadcast(data, static_cast<uint64_t>(elements), wireType(dtype),
                              static_cast<uint32_t>(root), comm, device.stream()),
            "HcclBroadcast", error);
}

static aclDataType operatorType(dsrt_dtype dtype) {
  if (dtype == DSRT_F16)
    return ACL_FLOAT16;
  return dtype == DSRT_BF16 ? ACL_BF16 : ACL_FLOAT; // reductionsOf allows a mean of no other dtype
}

dsrt_status HcclCommunicator::finishMean(void *data, int64_t elements, dsrt_dtype dtype,
                                         device::Waiting &, dsrt_error *error) {
  if (members == 1)
    return DSRT_OK;
  const Api *all = nullptr;
  if (dsrt_status status = loadOperators(all, error); status != DSRT_OK)
    return status;
  float factor = 1.0f / static_cast<float>(members);
  const int64_t stride = 1;
  aclTensor *tensor = all->aclCreateTensor(&elements, 1, operatorType(dtype), &stride, 0,
                                           aclFormatNd, &elements, 1, data);
  aclScalar *scalar = all->aclCreateScalar(&factor, ACL_FLOAT);
  uint64_t bytes = 0;
  aclOpExecutor *executor = nullptr;
  dsrt_status status = DSRT_OK;
  if (!tensor || !scalar) {
    setText(error, "the operator library makes no tensor of %lld elements",
            static_cast<long long>(elements));
    status = DSRT_INTERNAL;
  }
  if (status == DSRT_OK)
    status = checkAcl(api, all->aclnnInplaceMulsGetWorkspaceSize(tensor, scalar, &bytes, &executor),
                      "aclnnInplaceMulsGetWorkspaceSize", error);
  void *workspace = nullptr;
  if (status == DSRT_OK && bytes > 0 && !(workspace = device.workspace(bytes, error)))
    status = DSRT_OUT_OF_MEMORY;
  if (status == DSRT_OK)
    status = checkAcl(api, all->aclnnInplaceMuls(workspace, bytes, executor, device.stream()),
                      "aclnnInplaceMuls", error);
  if (tensor)
    (void)all->aclDestroyTensor(tensor);
  if (scalar)
    (void)all->aclDestroyScalar(scalar);
  return status;
}

dsrt_status HcclCommunicator::health(dsrt_error *error) {
  HcclResult state = HCCL_SUCCESS;
  dsrt_status status = is(api.HcclGetCommAsyncError(comm, &state), "HcclGetCommAsyncError", error);
  return status == DSRT_OK ? is(state, "HCCL", error) : status;
}

} // namespace dsrt::hccl
