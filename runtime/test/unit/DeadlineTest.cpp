//===- DeadlineTest.cpp - Time that counts, and time that does not -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A whole job that is stopped is faults.BACKEND.suspended.
//
//===----------------------------------------------------------------------===//
#include "base/Deadline.h"

#include <gtest/gtest.h>

using namespace dsrt;

namespace {

constexpr uint64_t ms = 1000000, start = 5000 * ms;

TEST(RunningClock, counts_every_slice_of_a_wait) {
  RunningClock clock;
  const uint64_t begin = clock.look(start);
  for (uint64_t i = 1; i <= 100; ++i)
    EXPECT_EQ(clock.look(start + i * waitSliceMs * ms) - begin, i * waitSliceMs * ms);
}

TEST(RunningClock, counts_a_look_that_is_one_slice_late) {
  RunningClock clock;
  const uint64_t begin = clock.look(start);
  EXPECT_EQ(clock.look(start + 2 * waitSliceMs * ms) - begin, 2 * waitSliceMs * ms);
}

TEST(RunningClock, counts_two_slices_of_a_suspension) {
  RunningClock clock;
  const uint64_t begin = clock.look(start);
  const uint64_t hour = 3600000 * ms;
  EXPECT_EQ(clock.look(start + hour) - begin, 2 * waitSliceMs * ms);
  EXPECT_EQ(clock.look(start + hour + ms) - begin, (2 * waitSliceMs + 1) * ms);
  EXPECT_EQ(clock.look(start + 2 * hour) - begin, (4 * waitSliceMs + 1) * ms);
}

// A thread reads the clock, another one reads it later and is first to look.
TEST(RunningClock, never_goes_back) {
  RunningClock clock;
  const uint64_t begin = clock.look(start);
  EXPECT_EQ(clock.look(start - ms), begin);
  EXPECT_EQ(clock.look(start + ms), begin + ms);
}

TEST(Deadline, of_a_hostile_length_stays_in_range) {
  EXPECT_GT(Deadline::in(INT64_MAX).leftMs(), 1000000);
  EXPECT_GT(Deadline::in(INT64_MAX).later(INT64_MAX).leftMs(), 1000000);
  EXPECT_TRUE(Deadline::in(-1).passed());
  EXPECT_TRUE(Deadline().passed());
  EXPECT_EQ(Deadline().leftMs(), 0);
}

TEST(Deadline, is_looked_at_once_per_slice) {
  EXPECT_EQ(Deadline::in(3600000).sliceMs(), waitSliceMs);
  EXPECT_EQ(Deadline().sliceMs(), 0);
}

TEST(Deadline, that_is_later_counts_from_now_if_it_has_passed) {
  EXPECT_FALSE(Deadline().later(3600000).passed());
  EXPECT_LT(Deadline::in(1000), Deadline::in(1000).later(1000));
}

} // namespace
