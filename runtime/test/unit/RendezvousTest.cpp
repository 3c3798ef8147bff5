//===- RendezvousTest.cpp - Threads that wait for one another ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "backends/local/Rendezvous.h"
#include "base/Threads.h"
#include "dsrt/dsrt.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using dsrt::local::Rendezvous;
using std::chrono::milliseconds;

namespace {

constexpr int64_t plenty = 60000; // ms

void onThreads(int32_t count, const std::function<void(int32_t)> &body) {
  std::vector<std::thread> threads;
  for (int32_t t = 0; t < count; ++t)
    threads.emplace_back(body, t);
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Meetings, the_last_member_acts_before_any_returns) {
  for (const bool maySpin : {false, true}) {
    constexpr int32_t members = 5;
    Rendezvous rendezvous(members, maySpin);
    int acts = 0; // not atomic: the rendezvous orders every access
    onThreads(members, [&](int32_t member) {
      for (int round = 1; round <= 500; ++round) {
        EXPECT_EQ(rendezvous.arrive(member, plenty, nullptr, [&] { ++acts; }),
                  Rendezvous::Outcome::met);
        EXPECT_EQ(acts, round);
        EXPECT_EQ(rendezvous.arrive(member, 0, nullptr, [] {}), Rendezvous::Outcome::met);
      }
    });
  }
}

TEST(Meetings, no_member_gives_up_while_the_last_one_acts) {
  Rendezvous rendezvous(2, /*maySpin=*/false);
  std::atomic<bool> isActing{false}, hasActed{false};
  onThreads(2, [&](int32_t member) {
    if (member == 0) {
      // Interrupted by now, and expired long before the other has acted.
      EXPECT_EQ(rendezvous.arrive(0, 500, &isActing, [] {}), Rendezvous::Outcome::met);
      EXPECT_TRUE(hasActed);
      return;
    }
    std::this_thread::sleep_for(milliseconds(50));
    auto act = [&] {
      isActing = true;
      std::this_thread::sleep_for(milliseconds(1000));
      hasActed = true;
    };
    EXPECT_EQ(rendezvous.arrive(1, plenty, nullptr, act), Rendezvous::Outcome::met);
  });
}

TEST(Meetings, a_later_meeting_that_breaks_leaves_the_earlier_one) {
  const std::atomic<bool> interrupted{true};
  for (int round = 0; round < 100; ++round) {
    Rendezvous rendezvous(2, /*maySpin=*/false);
    onThreads(2, [&](int32_t member) {
      if (member == 1)
        std::this_thread::sleep_for(milliseconds(1)); // the other sleeps by now
      EXPECT_EQ(rendezvous.arrive(member, plenty, nullptr, [] {}), Rendezvous::Outcome::met);
      if (member == 1) {
        EXPECT_EQ(rendezvous.arrive(1, plenty, &interrupted, [] {}), Rendezvous::Outcome::broken);
      }
    });
  }
}

/// The last to arrive reduces a small call for all, and each rank its share of a larger one.
TEST(Meetings, sums_are_those_in_rank_order_on_both_sides_of_small) {
  for (const int32_t ranks : {2, dsrt::availableCores() + 3}) {
    std::vector<dsrt_context *> contexts(static_cast<size_t>(ranks));
    ASSERT_EQ(dsrt_local_world_create(ranks, nullptr, contexts.data()), DSRT_OK);
    onThreads(ranks, [&](int32_t rank) {
      for (const int64_t bytes : {int64_t(1) << 13, int64_t(1) << 19})
        for (const int64_t more : {0, 1}) {
          const int64_t elements = bytes / ranks / 4 + more;
          auto valueOf = [&](int32_t r, int64_t i) {
            return 1.0f / static_cast<float>(r + 1) + static_cast<float>(i % 100) * 0.37f;
          };
          std::vector<float> values(static_cast<size_t>(elements));
          for (int64_t i = 0; i < elements; ++i)
            values[static_cast<size_t>(i)] = valueOf(rank, i);
          void *data = values.data();
          EXPECT_EQ(
              dsrt_all_reduce(contexts[rank], 1, &data, &elements, DSRT_F32, DSRT_SUM, DSRT_WORLD),
              DSRT_OK);
          for (int64_t i = 0; i < elements; ++i) {
            float expected = valueOf(0, i);
            for (int32_t r = 1; r < ranks; ++r)
              expected += valueOf(r, i);
            ASSERT_EQ(values[static_cast<size_t>(i)], expected) << i << " of " << elements;
          }
        }
    });
    for (dsrt_context *context : contexts)
      EXPECT_EQ(dsrt_shutdown(context), DSRT_OK);
  }
}

} // namespace
