//===- NcclCommunicator.cpp - One NCCL communicator -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communicators are not blocking: NCCL's calls return at once, and their progress is polled, so
// that a rank which never comes ends in our timeout and not in theirs.
//
// The mean is a sum, then a multiplication by f32(1/n), as on every other backend. NCCL multiplies
// only inside a reduction (ncclRedOpCreatePreMulSum), so the multiplication is an all_reduce in a
// communicator of this rank alone: x * 1/n summed over one rank. With `deterministic` off the mean
// is NCCL's own ncclAvg.
//
//===----------------------------------------------------------------------===//
#include "NcclCommunicator.h"
#include "NcclTypes.h"
#include "base/Kernels.h"
#include "base/Messages.h"

#include <cstring>

namespace dsrt::nccl {

NcclCommunicator::~NcclCommunicator() {
  while (!handles.empty())
    remove(handles.begin()->first);
  for (auto &[dtype, op] : scalings)
    if (alone)
      (void)api.ncclRedOpDestroy(op, alone);
  for (ncclComm_t each : {alone, comm})
    if (each)
      (void)api.ncclCommDestroy(each);
}

dsrt_status NcclCommunicator::settle(ncclComm_t which, const char *what, device::Waiting &waiting,
                                     dsrt_error *error) {
  while (true) {
    ncclResult_t state = ncclSuccess;
    dsrt_status status =
        is(api.ncclCommGetAsyncError(which, &state), "ncclCommGetAsyncError", error);
    if (status == DSRT_OK)
      status = check(api, state, what, which, error);
    if (status == DSRT_OK && state == ncclInProgress)
      status = waiting.turn(error);
    if (status != DSRT_OK || state != ncclInProgress)
      return status;
  }
}

dsrt_status NcclCommunicator::open(ncclComm_t &out, int32_t size, int32_t index,
                                   const ncclUniqueId &id, device::Waiting &waiting,
                                   dsrt_error *error) {
  ncclConfig_t config;
  config.blocking = 0;
  dsrt_status status = is(api.ncclCommInitRankConfig(&out, size, id, index, &config),
                          "ncclCommInitRankConfig", error);
  return status == DSRT_OK ? settle(out, "ncclCommInitRankConfig", waiting, error) : status;
}

dsrt_status NcclCommunicator::connect(int32_t index, const ncclUniqueId &id,
                                      device::Waiting &waiting, dsrt_error *error) {
  dsrt_status status = open(comm, members, index, id, waiting, error);
  if (status != DSRT_OK)
    abort();
  return status;
}

dsrt_status NcclCommunicator::begin(dsrt_error *error) {
  return is(api.ncclGroupStart(), "ncclGroupStart", error);
}

dsrt_status NcclCommunicator::end(device::Waiting &waiting, dsrt_error *error) {
  dsrt_status status = is(api.ncclGroupEnd(), "ncclGroupEnd", error);
  return status == DSRT_OK ? settle(comm, "ncclGroupEnd", waiting, error) : status;
}

dsrt_status NcclCommunicator::allReduce(void *data, int64_t elements, dsrt_dtype dtype,
                                        dsrt_reduction reduction, dsrt_error *error) {
  return is(api.ncclAllReduce(data, data, static_cast<size_t>(elements), wireType(dtype).type,
                              operation(reduction, meanInside), comm, device.stream()),
            "ncclAllReduce", error);
}

dsrt_status NcclCommunicator::reduceScatter(const void *input, void *output, int64_t elements,
                                            dsrt_dtype dtype, dsrt_reduction reduction,
                                            dsrt_error *error) {
  return is(api.ncclReduceScatter(input, output, static_cast<size_t>(elements),
                                  wireType(dtype).type, operation(reduction, meanInside), comm,
                                  device.stream()),
            "ncclReduceScatter", error);
}

dsrt_status NcclCommunicator::allGather(const void *input, void *output, int64_t elements,
                                        dsrt_dtype dtype, dsrt_error *error) {
  const WireType wire = wireType(dtype);
  return is(api.ncclAllGather(input, output, static_cast<size_t>(elements * wire.perElement),
                              wire.type, comm, device.stream()),
            "ncclAllGather", error);
}

// NCCL has an all-to-all only since 2.28; between begin and end these messages are one.
dsrt_status NcclCommunicator::allToAll(const void *input, void *output, int64_t elements,
                                       dsrt_dtype dtype, dsrt_error *error) {
  const WireType wire = wireType(dtype);
  const auto count = static_cast<size_t>(elements * wire.perElement);
  const int64_t bytes = elements * dsrt_dtype_size(dtype);
  dsrt_status status = DSRT_OK;
  for (int32_t m = 0; m < members && status == DSRT_OK; ++m) {
    status = is(api.ncclSend(static_cast<const char *>(input) + m * bytes, count, wire.type, m,
                             comm, device.stream()),
                "ncclSend", error);
    if (status == DSRT_OK)
      status = is(api.ncclRecv(static_cast<char *>(output) + m * bytes, count, wire.type, m, comm,
                               device.stream()),
                  "ncclRecv", error);
  }
  return status;
}

dsrt_status NcclCommunicator::sendAndReceive(const void *input, int32_t destination, void *output,
                                             int32_t source, int64_t elements, dsrt_dtype dtype,
                                             dsrt_error *error) {
  const WireType wire = wireType(dtype);
  const auto count = static_cast<size_t>(elements * wire.perElement);
  dsrt_status status = DSRT_OK;
  if (destination >= 0)
    status = is(api.ncclSend(input, count, wire.type, destination, comm, device.stream()),
                "ncclSend", error);
  if (source >= 0 && status == DSRT_OK)
    status = is(api.ncclRecv(output, count, wire.type, source, comm, device.stream()), "ncclRecv",
                error);
  return status;
}

dsrt_status NcclCommunicator::broadcast(void *data, int64_t elements, dsrt_dtype dtype,
                                        int32_t root, dsrt_error *error) {
  const WireType wire = wireType(dtype);
  return is(api.ncclBroadcast(data, data, static_cast<size_t>(elements * wire.perElement),
                              wire.type, root, comm, device.stream()),
            "ncclBroadcast", error);
}

/// Writes 1/n as an element of the dtype: scaleToMean of a one.
static void meanFactor(dsrt_dtype dtype, int64_t n, char *out) {
  const double f64 = 1;
  const float f32 = 1;
  const uint16_t f16 = 0x3c00, bf16 = 0x3f80;
  switch (dtype) {
  case DSRT_F64:
    std::memcpy(out, &f64, sizeof f64);
    break;
  case DSRT_F32:
    std::memcpy(out, &f32, sizeof f32);
    break;
  case DSRT_F16:
    std::memcpy(out, &f16, sizeof f16);
    break;
  case DSRT_BF16:
    std::memcpy(out, &bf16, sizeof bf16);
    break;
  case DSRT_I64:
  case DSRT_I32:
  case DSRT_I16:
  case DSRT_I8:
  case DSRT_I1:
  case DSRT_U64:
  case DSRT_U32:
  case DSRT_U16:
  case DSRT_U8:
    return; // integers have no mean
  }
  scaleToMean(dtype, n, 1, out);
}

dsrt_status NcclCommunicator::scaling(dsrt_dtype dtype, ncclRedOp_t &out, device::Waiting &waiting,
                                      dsrt_error *error) {
  if (auto found = scalings.find(dtype); found != scalings.end()) {
    out = found->second;
    return DSRT_OK;
  }
  dsrt_status status = DSRT_OK;
  if (!alone) {
    ncclUniqueId id;
    status = is(api.ncclGetUniqueId(&id), "ncclGetUniqueId", error);
    if (status == DSRT_OK)
      status = open(alone, 1, 0, id, waiting, error);
  }
  alignas(8) char factor[8] = {};
  meanFactor(dtype, members, factor);
  if (status == DSRT_OK)
    status = check(api,
                   api.ncclRedOpCreatePreMulSum(&out, factor, wireType(dtype).type,
                                                ncclScalarHostImmediate, alone),
                   "ncclRedOpCreatePreMulSum", alone, error);
  if (status == DSRT_OK)
    scalings[dtype] = out;
  return status;
}

dsrt_status NcclCommunicator::finishMean(void *data, int64_t elements, dsrt_dtype dtype,
                                         device::Waiting &waiting, dsrt_error *error) {
  if (meanInside || members == 1)
    return DSRT_OK;
  ncclRedOp_t op = ncclSum;
  dsrt_status status = scaling(dtype, op, waiting, error);
  if (status == DSRT_OK)
    status = check(api,
                   api.ncclAllReduce(data, data, static_cast<size_t>(elements),
                                     wireType(dtype).type, op, alone, device.stream()),
                   "ncclAllReduce of the mean's factor", alone, error);
  return status == DSRT_OK ? settle(alone, "ncclAllReduce", waiting, error) : status;
}

dsrt_status NcclCommunicator::health(dsrt_error *error) {
  ncclResult_t state = ncclSuccess;
  dsrt_status status = is(api.ncclCommGetAsyncError(comm, &state), "ncclCommGetAsyncError", error);
  return status == DSRT_OK ? is(state, "NCCL", error) : status;
}

// NCCL frees an aborted communicator: the handle is gone.
void NcclCommunicator::abort() {
  for (ncclComm_t *each : {&comm, &alone})
    if (*each)
      (void)api.ncclCommAbort(*each);
  comm = alone = nullptr;
  scalings.clear();
  handles.clear();
}

// Memory of other allocators is used as it is.
dsrt_status NcclCommunicator::add(void *data, int64_t bytes, dsrt_error *error) {
  if (!comm || !device.isFromNccl(data))
    return DSRT_OK;
  void *handle = nullptr;
  dsrt_status status = is(api.ncclCommRegister(comm, data, static_cast<size_t>(bytes), &handle),
                          "ncclCommRegister", error);
  if (status == DSRT_OK && handle)
    handles[data] = handle;
  return status;
}

void NcclCommunicator::remove(void *data) {
  auto found = handles.find(data);
  if (found == handles.end())
    return;
  (void)api.ncclCommDeregister(comm, found->second);
  handles.erase(found);
}

} // namespace dsrt::nccl
