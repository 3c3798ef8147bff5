//===- HcclCommunicator.h - One HCCL communicator ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_HCCL_HCCLCOMMUNICATOR_H
#define DSRT_SRC_BACKENDS_HCCL_HCCLCOMMUNICATOR_H

#include "AscendDevice.h"

namespace dsrt::hccl {

class HcclCommunicator final : public device::Communicator {
public:
  HcclCommunicator(const Api &api, AscendDevice &device, int32_t members)
      : api(api), device(device), members(members) {}
  ~HcclCommunicator() override;

  /// Connects to the other members.
  [[nodiscard]] dsrt_status connect(int32_t index, const HcclRootInfo &info,
                                    device::Waiting &waiting, dsrt_error *error);

  dsrt_status begin(dsrt_error *) override { return DSRT_OK; }
  dsrt_status end(device::Waiting &, dsrt_error *) override { return DSRT_OK; }
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
  void abort() override { comm = nullptr; }
  dsrt_status add(void *, int64_t, dsrt_error *) override { return DSRT_OK; }
  void remove(void *) override {}

private:
  dsrt_status is(HcclResult result, const char *what, dsrt_error *error) {
    return check(api, result, what, error);
  }

  const Api &api;
  AscendDevice &device;
  const int32_t members;
  HcclComm comm = nullptr;
};

} // namespace dsrt::hccl

#endif // DSRT_SRC_BACKENDS_HCCL_HCCLCOMMUNICATOR_H
