//===- DeviceFaultTest.cpp - Devices and libraries that fail ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Faults once all ranks are in a call, and calls that are not compared. What happens outside of
// calls is the same for all backends: faults/faults.py.
//
//===----------------------------------------------------------------------===//
#include "DeviceFixture.h"

#include <atomic>
#include <unistd.h>

namespace {

class DeviceTestFaults : public dsrt::test::DeviceTest {};

TEST_P(DeviceTestFaults, a_slow_device_is_no_fault) {
  open(3, "rank=1,call=1,do=slow,ms=150");
  sumOnAll();
  EXPECT_EQ(statuses, std::vector<dsrt_status>(3, DSRT_OK)) << errors[0];
}

TEST_P(DeviceTestFaults, a_device_that_hangs_ends_in_the_timeout) {
  options.timeout_ms = 2000;
  open(3, "rank=1,call=1,do=hang");
  sumOnAll();
  for (int r = 0; r < 3; ++r) {
    EXPECT_TRUE(statuses[r] == DSRT_TIMEOUT || statuses[r] == DSRT_PEER_FAILED) << errors[r];
    EXPECT_TRUE(has(errors[r], "timed out after 2000 ms: all ranks are in the call, but its data "
                               "does not move"))
        << errors[r];
    EXPECT_TRUE(has(errors[r], "all_reduce sum f32 (1 buffer, 400 bytes) in the world of 3"))
        << errors[r];
  }
}

// What the host gathers beside a device that is at work.
TEST_P(DeviceTestFaults, a_few_bytes_of_the_host_need_no_device) {
  open(3, "rank=1,call=1,do=hang");
  onAll([&](dsrt_context *context, int32_t rank) {
    const double mine[2][2] = {{rank + 0.5, -1.0 * rank}, {rank * 3.0, 7}};
    double all[2][6] = {};
    const void *inputs[] = {mine[0], mine[1]};
    void *outputs[] = {all[0], all[1]};
    const int64_t elements[] = {2, 1};
    EXPECT_EQ(dsrt_all_gather(context, 2, inputs, outputs, elements, DSRT_F64, DSRT_WORLD), DSRT_OK)
        << dsrt_last_error(context);
    for (int r = 0; r < 3; ++r) {
      EXPECT_EQ(all[0][2 * r], r + 0.5);
      EXPECT_EQ(all[0][2 * r + 1], -1.0 * r);
      EXPECT_EQ(all[1][r], r * 3.0);
    }
  });
}

TEST_P(DeviceTestFaults, a_gather_of_few_bytes_is_compared_with_one_of_many) {
  open(2);
  std::vector<dsrt_status> found(2);
  errors.resize(2);
  onAll([&](dsrt_context *context, int32_t rank) {
    const int64_t elements = rank == 0 ? 4 : 4000;
    std::vector<double> mine(elements), all(2 * elements);
    const void *input = mine.data();
    void *output = all.data();
    found[rank] = dsrt_all_gather(context, 1, &input, &output, &elements, DSRT_F64, DSRT_WORLD);
    errors[rank] = dsrt_last_error(context);
  });
  // The last to look may hear of it from the first.
  EXPECT_TRUE(found[0] == DSRT_MISMATCH || found[1] == DSRT_MISMATCH) << errors[0] << errors[1];
  for (int rank = 0; rank < 2; ++rank) {
    EXPECT_TRUE(found[rank] == DSRT_MISMATCH || found[rank] == DSRT_PEER_FAILED) << errors[rank];
    EXPECT_NE(errors[rank].find("ranks disagree on the elements"), std::string::npos)
        << errors[rank];
  }
}

TEST_P(DeviceTestFaults, the_vendors_own_timeout_counts_if_it_is_shorter) {
  if (isNccl())
    return;                            // NCCL has none
  setenv("HCCL_EXEC_TIMEOUT", "1", 1); // seconds
  open(2, "rank=1,call=1,do=hang");
  sumOnAll();
  for (int r = 0; r < 2; ++r)
    EXPECT_TRUE(has(errors[r], "timed out after 1000 ms")) << errors[r];
  unsetenv("HCCL_EXEC_TIMEOUT");
}

TEST_P(DeviceTestFaults, an_error_of_the_library_is_told_in_its_words) {
  open(2, "rank=1,call=1,do=error");
  sumOnAll();
  EXPECT_EQ(statuses[1], DSRT_INTERNAL);
  EXPECT_TRUE(has(errors[1], isNccl()
                                 ? "ncclGroupEnd: unhandled system error: a planned fault"
                                 : "HcclAllReduce: call system interface error (HCCL error 8)"))
      << errors[1];
  EXPECT_EQ(statuses[0], DSRT_PEER_FAILED) << errors[0];
  EXPECT_TRUE(has(errors[0], "rank 1 failed first: all_reduce")) << errors[0];
}

TEST_P(DeviceTestFaults, a_lost_connection_is_told_by_the_library) {
  open(2, "rank=1,call=1,do=disconnect");
  sumOnAll();
  for (int r = 0; r < 2; ++r) {
    EXPECT_TRUE(statuses[r] == DSRT_INTERNAL || statuses[r] == DSRT_PEER_FAILED) << errors[r];
    EXPECT_TRUE(has(errors[r], isNccl() ? "remote process exited or there was a network error"
                                        : ": error cqe (HCCL error 21)"))
        << errors[r];
  }
}

// Without the check the library hangs, as the real ones do, and the timeout ends it.
TEST_P(DeviceTestFaults, unchecked_ranks_that_disagree_end_in_the_timeout) {
  options.timeout_ms = 1000;
  options.check_calls = 0;
  open(2);
  onAll([&](dsrt_context *context, int32_t rank) {
    std::vector<float> values(200, 1.0f);
    EXPECT_NE(sum(context, values.data(), rank == 0 ? 100 : 200), DSRT_OK);
    EXPECT_TRUE(has(dsrt_last_error(context), "timed out after 1000 ms"))
        << dsrt_last_error(context);
  });
}

TEST_P(DeviceTestFaults, an_unchecked_rank_that_does_not_come_is_named) {
  options.timeout_ms = 1000;
  options.check_calls = 0;
  open(2);
  std::vector<float> values(100, 1.0f);
  EXPECT_EQ(sum(contexts[0], values.data()), DSRT_TIMEOUT);
  EXPECT_TRUE(has(dsrt_last_error(contexts[0]), "waiting for rank 1"))
      << dsrt_last_error(contexts[0]);
  int32_t late = -1;
  EXPECT_EQ(dsrt_late_ranks(contexts[0], 1, &late), 1);
  EXPECT_EQ(late, 1);
}

TEST_P(DeviceTestFaults, unchecked_barriers_still_wait) {
  options.check_calls = 0;
  open(2);
  std::atomic<int> before{0};
  onAll([&](dsrt_context *context, int32_t rank) {
    if (rank == 1)
      usleep(100000);
    ++before;
    EXPECT_EQ(dsrt_barrier(context, DSRT_WORLD), DSRT_OK) << dsrt_last_error(context);
    EXPECT_EQ(before, 2);
  });
}

TEST_P(DeviceTestFaults, abort_frees_a_rank_that_waits) {
  open(2);
  onAll([&](dsrt_context *context, int32_t rank) {
    if (rank == 1) {
      usleep(50000);
      dsrt_abort(context, "loss is not a number");
      return;
    }
    std::vector<float> values(100, 1.0f);
    EXPECT_EQ(sum(context, values.data()), DSRT_ABORTED);
    EXPECT_TRUE(has(dsrt_last_error(context), "rank 1 aborted: loss is not a number"))
        << dsrt_last_error(context);
  });
}

TEST_P(DeviceTestFaults, ranks_on_one_device_are_refused_by_the_vendor) {
  setenv("DS_FAKE_DEVICES", "1", 1);
  contexts.assign(2, nullptr);
  EXPECT_EQ(dsrt_world_create(GetParam(), 2, &options, contexts.data()), DSRT_INTERNAL);
  EXPECT_TRUE(has(dsrt_last_error(nullptr),
                  isNccl() ? "Duplicate GPU detected" : "HcclCommInitRootInfo: parameter error"))
      << dsrt_last_error(nullptr);
  if (isNccl()) { // NCCL can be told to allow it
    setenv("NCCL_MULTI_RANK_GPU_ENABLE", "1", 1);
    open(2);
    sumOnAll();
    EXPECT_EQ(statuses, std::vector<dsrt_status>(2, DSRT_OK)) << errors[0];
    unsetenv("NCCL_MULTI_RANK_GPU_ENABLE");
  }
  unsetenv("DS_FAKE_DEVICES");
}

INSTANTIATE_TEST_SUITE_P(Fakes, DeviceTestFaults, testing::Values("nccl", "hccl"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
