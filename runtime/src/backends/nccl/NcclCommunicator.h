//===- NcclCommunicator.h - One NCCL communicator ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_NCCL_NCCLCOMMUNICATOR_H
#define DSRT_SRC_BACKENDS_NCCL_NCCLCOMMUNICATOR_H

#include "CudaDevice.h"

#include <map>

namespace dsrt::nccl {

class NcclCommunicator final : public device::Communicator {
public:
  NcclCommunicator(const Api &api, CudaDevice &device, int32_t members, bool meanInside)
      : api(api), device(device), members(members), meanInside(meanInside) {}
  ~NcclCommunicator() override;

  /// Connects to the other members.
  [[nodiscard]] dsrt_status connect(int32_t index, const ncclUniqueId &id, device::Waiting &waiting,
                                    dsrt_error *error);

  dsrt_status begin(dsrt_error *error) override;
  dsrt_status end(device::Waiting &waiting, dsrt_error *error) override;
  dsrt_status allReduce(void *data, int64_t elements, dsrt_dtype dtype, dsrt_reduction reduction,
                        dsrt_error *error) override;
  dsrt_status reduceScatter(const void *input, void *output, int64_t elements, dsrt_dtype dtype,
                            dsrt_reduction reduction, dsrt_error *error) override;
  dsrt_status allGather(const void *input, void *output, int64_t elements, dsrt_dtype dtype,
                        dsrt_error *error) override;
  dsrt_status allToAll(const void *input, void *output, int64_t elements, dsrt_dtype dtype,
                       dsrt_error *error) override;
  dsrt_status sendAndReceive(const void *input, int32_t destination, void *output, int32_t source,
                             int64_t elements, dsrt_dtype dtype, dsrt_error *error) override;
  dsrt_status broadcast(void *data, int64_t elements, dsrt_dtype dtype, int32_t root,
                        dsrt_error *error) override;
  dsrt_status finishMean(void *data, int64_t elements, dsrt_dtype dtype, device::Waiting &waiting,
                         dsrt_error *error) override;
  dsrt_status health(dsrt_error *error) override;
  void abort() override;
  dsrt_status add(void *data, int64_t bytes, dsrt_error *error) override;
  void remove(void *data) override;

private:
  dsrt_status is(ncclResult_t result, const char *what, dsrt_error *error) {
    return check(api, result, what, comm, error);
  }
  [[nodiscard]] dsrt_status settle(ncclComm_t which, const char *what, device::Waiting &waiting,
                                   dsrt_error *error);
  [[nodiscard]] dsrt_status open(ncclComm_t &out, int32_t size, int32_t index,
                                 const ncclUniqueId &id, device::Waiting &waiting,
                                 dsrt_error *error);
  [[nodiscard]] dsrt_status scaling(dsrt_dtype dtype, ncclRedOp_t &out, device::Waiting &waiting,
                                    dsrt_error *error);

  const Api &api;
  CudaDevice &device;
  const int32_t members;
  const bool meanInside;
  ncclComm_t comm = nullptr;
  ncclComm_t alone = nullptr; // of this rank only: its sums scale the means
  std::map<dsrt_dtype, ncclRedOp_t> scalings;
  std::map<void *, void *> handles; // of registered memory
};

} // namespace dsrt::nccl

#endif // DSRT_SRC_BACKENDS_NCCL_NCCLCOMMUNICATOR_H
