//===- AsyncTest.cpp - Started collectives ----------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Fleet.h"
#include "Values.h"

#include <gtest/gtest.h>
#include <numeric>
#include <thread>

using namespace dsrt::cts;

namespace {

TEST(Async, started_collectives_end_with_the_bits_of_blocking_ones) {
  onAllRanks([](const Seat &seat, const Mode &mode) {
    constexpr int count = 5;
    std::vector<int32_t> ranks(seat.numRanks);
    std::iota(ranks.begin(), ranks.end(), 0);
    const int64_t elements = 1000;
    std::vector<Bytes> buffers;
    std::vector<dsrt_pending *> pending(count);
    for (int i = 0; i < count; ++i)
      buffers.push_back(contribution(DSRT_F32, seat.rank, elements, static_cast<uint32_t>(i)));
    for (int i = 0; i < count; ++i) {
      void *data = buffers[i].data();
      EXPECT_OK(seat, dsrt_all_reduce_start(seat.context, 1, &data, &elements, DSRT_F32, DSRT_SUM,
                                            DSRT_WORLD, &pending[i]));
    }
    // A blocking call comes after everything that was started.
    EXPECT_OK(seat, dsrt_barrier(seat.context, DSRT_WORLD));
    for (int i = count - 1; i >= 0; --i) {
      EXPECT_OK(seat, dsrt_wait(seat.context, pending[i]));
      Bytes expected = reduced(DSRT_F32, DSRT_SUM, ranks, elements, static_cast<uint32_t>(i));
      EXPECT_EQ(compare(DSRT_F32, buffers[i].data(), expected.data(), elements, mode.inRankOrder,
                        seat.numRanks),
                "");
    }
  });
}

// Without a wait, by the backend's thread or by what the caller does between its own work.
TEST(Async, progress_ends_started_collectives) {
  onAllRanks([](const Seat &seat, const Mode &mode) {
    const int64_t elements = 1 << (mode.smallOnly ? 14 : 20);
    std::vector<std::vector<float>> values(3, std::vector<float>(elements, 1.0f));
    std::vector<dsrt_pending *> pending(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      void *data = values[i].data();
      EXPECT_OK(seat, dsrt_all_reduce_start(seat.context, 1, &data, &elements, DSRT_F32, DSRT_SUM,
                                            DSRT_WORLD, &pending[i]));
    }
    while (dsrt_progress(seat.context) > 0)
      std::this_thread::yield();
    for (size_t i = 0; i < values.size(); ++i) {
      EXPECT_OK(seat, dsrt_wait(seat.context, pending[i]));
      EXPECT_EQ(values[i].back(), static_cast<float>(seat.numRanks));
    }
  });
}

// Rank 0 meets the others elsewhere, where they come only after theirs has ended.
TEST(Async, a_started_collective_ends_while_the_caller_is_elsewhere) {
  Fleet &fleet = Fleet::instance();
  if (fleet.modes().size() < 2 || fleet.modes()[0].contexts.size() > 1 ||
      fleet.modes()[0].processes)
    return; // this backend has one world here, or a thread for what was started
  dsrt_context *first = fleet.modes()[0].contexts[0], *second = fleet.modes()[1].contexts[0];
  std::vector<float> values(1 << 20, 1.0f);
  void *data = values.data();
  const int64_t elements = static_cast<int64_t>(values.size());
  dsrt_pending *pending = nullptr;
  (void)dsrt_all_reduce_start(first, 1, &data, &elements, DSRT_F32, DSRT_SUM, DSRT_WORLD, &pending);
  if (dsrt_rank(first) != 0) {
    EXPECT_EQ(dsrt_wait(first, pending), DSRT_OK);
  } else {
    while (dsrt_progress(first) > 0)
      std::this_thread::yield();
  }
  EXPECT_EQ(dsrt_barrier(second, DSRT_WORLD), DSRT_OK) << dsrt_last_error(second);
  if (dsrt_rank(first) == 0) {
    EXPECT_EQ(dsrt_wait(first, pending), DSRT_OK);
  }
  EXPECT_EQ(values.back(), static_cast<float>(fleet.numRanks()));
}

TEST(Async, scatter_and_gather_can_be_started) {
  onAllRanks([](const Seat &seat, const Mode &) {
    const int64_t part = 10;
    std::vector<int32_t> input(static_cast<size_t>(part * seat.numRanks), seat.rank + 1),
        middle(part), output;
    output.resize(input.size());
    const void *in = input.data();
    void *out = middle.data();
    dsrt_pending *scatter = nullptr, *gather = nullptr;
    EXPECT_OK(seat, dsrt_reduce_scatter_start(seat.context, 1, &in, &out, &part, DSRT_I32, DSRT_SUM,
                                              DSRT_WORLD, &scatter));
    const void *from = middle.data();
    void *to = output.data();
    EXPECT_OK(seat, dsrt_all_gather_start(seat.context, 1, &from, &to, &part, DSRT_I32, DSRT_WORLD,
                                          &gather));
    EXPECT_OK(seat, dsrt_wait(seat.context, scatter));
    EXPECT_OK(seat, dsrt_wait(seat.context, gather));
    const int32_t sum = seat.numRanks * (seat.numRanks + 1) / 2;
    EXPECT_EQ(output, std::vector<int32_t>(input.size(), sum));
  });
}

} // namespace
