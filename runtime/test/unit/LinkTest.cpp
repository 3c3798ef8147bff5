//===- LinkTest.cpp - The link that `local` models --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times have exact lower bounds, which are what the link promises. Where something must be faster,
// the margin is half of what its absence would take.
//
//===----------------------------------------------------------------------===//
#include "core/Link.h"
#include "dsrt/events.h"
#include "support/StoreBackend.h"

#include <chrono>
#include <ctime>
#include <functional>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

double ms(Clock::duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

/// Of 2 ranks and 1 MB: 1 MB on the wire, which takes 20 ms, and 10 ms of latency.
constexpr int64_t elements = 250000;
constexpr double messageMs = 30;

dsrt_options linkOptions() {
  dsrt_options options;
  dsrt_options_init(&options);
  options.link_latency_ns = 10000000;
  options.link_bytes_per_s = 50000000;
  return options;
}

void onRanks(int32_t ranks, const std::function<void(dsrt_context *)> &body) {
  const dsrt_options options = linkOptions();
  std::vector<dsrt_context *> contexts(ranks);
  ASSERT_EQ(dsrt_local_world_create(ranks, &options, contexts.data()), DSRT_OK)
      << dsrt_last_error(nullptr);
  std::vector<std::thread> threads;
  for (dsrt_context *context : contexts)
    threads.emplace_back([&body, context] { body(context); });
  for (std::thread &thread : threads)
    thread.join();
  for (dsrt_context *context : contexts)
    EXPECT_EQ(dsrt_shutdown(context), DSRT_OK);
}

dsrt_statistics statisticsOf(dsrt_context *context) {
  dsrt_statistics statistics = {};
  statistics.struct_size = sizeof statistics;
  EXPECT_EQ(dsrt_get_statistics(context, &statistics), DSRT_OK);
  return statistics;
}

struct Message {
  explicit Message(float value) : values(elements, value) {}
  std::vector<float> values;
  void *data = values.data();
  dsrt_pending *pending = nullptr;

  dsrt_status start(dsrt_context *context) {
    return dsrt_all_reduce_start(context, 1, &data, &elements, DSRT_F32, DSRT_SUM, DSRT_WORLD,
                                 &pending);
  }
};

TEST(Link, a_blocking_call_ends_no_earlier_than_the_link_allows) {
  onRanks(2, [](dsrt_context *context) {
    Message message(static_cast<float>(dsrt_rank(context) + 1));
    const auto begin = Clock::now();
    timespec cpuBegin, cpuEnd;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpuBegin);
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(
          dsrt_all_reduce(context, 1, &message.data, &elements, DSRT_F32, DSRT_SUM, DSRT_WORLD),
          DSRT_OK);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpuEnd);
    const double took = ms(Clock::now() - begin);
    EXPECT_GE(took, 3 * messageMs);
    EXPECT_EQ(message.values.back(), 12.0f);
    const double cpu = (static_cast<double>(cpuEnd.tv_sec - cpuBegin.tv_sec) * 1e3) +
                       static_cast<double>(cpuEnd.tv_nsec - cpuBegin.tv_nsec) * 1e-6;
    EXPECT_LT(cpu, took / 2); // waiting sleeps
    const dsrt_statistics statistics = statisticsOf(context);
    EXPECT_EQ(statistics.link_ns, 90000000u);
    EXPECT_GE(static_cast<double>(statistics.exposed_ns) * 1e-6, 3 * messageMs);
  });
}

TEST(Link, started_calls_queue_on_the_link_and_hide_behind_work) {
  onRanks(2, [](dsrt_context *context) {
    Message first(1), second(2);
    const auto begin = Clock::now();
    EXPECT_EQ(first.start(context), DSRT_OK);
    EXPECT_EQ(second.start(context), DSRT_OK);
    std::this_thread::sleep_for(std::chrono::milliseconds(10)); // the work
    EXPECT_EQ(dsrt_wait(context, first.pending), DSRT_OK);
    EXPECT_GE(ms(Clock::now() - begin), messageMs);
    EXPECT_EQ(dsrt_wait(context, second.pending), DSRT_OK);
    const double took = ms(Clock::now() - begin);
    EXPECT_GE(took, 2 * messageMs);
    // Only the waits are exposed, not what passed before.
    const dsrt_statistics statistics = statisticsOf(context);
    EXPECT_LE(static_cast<double>(statistics.exposed_ns) * 1e-6, took - 10);
    EXPECT_GT(statistics.exposed_ns, 0u);
    EXPECT_EQ(statistics.link_ns, 60000000u);
    EXPECT_EQ(first.values[0] + second.values[0], 6.0f);
  });
}

TEST(Link, what_work_hides_is_not_exposed) {
  onRanks(2, [](dsrt_context *context) {
    Message message(1);
    EXPECT_EQ(message.start(context), DSRT_OK);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_EQ(dsrt_wait(context, message.pending), DSRT_OK);
    EXPECT_LT(static_cast<double>(statisticsOf(context).exposed_ns) * 1e-6, messageMs / 2);
  });
}

TEST(Link, events_tell_starts_and_waits) {
  onRanks(2, [](dsrt_context *context) {
    Message before(1), first(1), second(2);
    EXPECT_EQ(before.start(context), DSRT_OK);
    dsrt_event events[8];
    EXPECT_EQ(dsrt_take_events(context, 8, events), 0); // none are kept before
    EXPECT_EQ(dsrt_wait(context, before.pending), DSRT_OK);
    EXPECT_EQ(dsrt_take_events(context, 1, events), 1);
    EXPECT_EQ(first.start(context), DSRT_OK);
    EXPECT_EQ(second.start(context), DSRT_OK);
    EXPECT_EQ(dsrt_wait(context, first.pending), DSRT_OK);
    EXPECT_EQ(dsrt_wait(context, second.pending), DSRT_OK);
    ASSERT_EQ(dsrt_take_events(context, 8, events), 8);
    const dsrt_event_kind kinds[] = {DSRT_EVENT_START,   DSRT_EVENT_STARTED, DSRT_EVENT_START,
                                     DSRT_EVENT_STARTED, DSRT_EVENT_WAIT,    DSRT_EVENT_WAITED,
                                     DSRT_EVENT_WAIT,    DSRT_EVENT_WAITED};
    const uint32_t exchanges[] = {1, 1, 2, 2, 1, 1, 2, 2};
    for (int i = 0; i < 8; ++i) {
      EXPECT_EQ(events[i].kind, kinds[i]) << i;
      EXPECT_EQ(events[i].exchange, exchanges[i]) << i;
      EXPECT_GE(events[i].ns, events[i > 0 ? i - 1 : 0].ns);
    }
    EXPECT_GE(static_cast<double>(events[7].ns - events[0].ns) * 1e-6, 2 * messageMs);
    EXPECT_EQ(dsrt_take_events(context, 8, events), 0);
  });
}

TEST(Link, the_link_carries_from_the_last_start_on) {
  onRanks(2, [](dsrt_context *context) {
    Message message(1);
    const auto begin = Clock::now();
    if (dsrt_rank(context) == 1)
      std::this_thread::sleep_for(std::chrono::milliseconds(40));
    EXPECT_EQ(message.start(context), DSRT_OK);
    EXPECT_EQ(dsrt_wait(context, message.pending), DSRT_OK);
    EXPECT_GE(ms(Clock::now() - begin), messageMs + (dsrt_rank(context) == 1 ? 40 : 0));
  });
}

TEST(Link, bytes_on_the_wire_are_those_of_a_ring) {
  dsrt_call call = {};
  const int64_t counts[] = {100, 28};
  call.n_buffers = 2;
  call.elements = counts;
  call.dtype = DSRT_F32;
  for (auto [op, bytes] :
       {std::pair(DSRT_OP_ALL_REDUCE, 768), std::pair(DSRT_OP_REDUCE_SCATTER, 1536),
        std::pair(DSRT_OP_ALL_GATHER, 1536), std::pair(DSRT_OP_BROADCAST, 512),
        std::pair(DSRT_OP_COLLECTIVE_PERMUTE, 512), std::pair(DSRT_OP_BARRIER, 0)}) {
    call.op = op;
    EXPECT_EQ(dsrt::wireBytes(call, 4), bytes) << dsrt_op_name(op);
    EXPECT_EQ(dsrt::linkTime(linkOptions(), call, 1), 0u);
    EXPECT_EQ(dsrt::linkTime(linkOptions(), call, 4),
              10000000u + static_cast<uint64_t>(bytes) * 20);
  }
}

TEST(Link, an_end_of_the_world_ends_the_wait) {
  dsrt_options options = linkOptions();
  options.link_latency_ns = 60000000000; // a minute
  dsrt_context *contexts[2];
  ASSERT_EQ(dsrt_local_world_create(2, &options, contexts), DSRT_OK);
  const auto begin = Clock::now();
  std::vector<std::thread> threads;
  for (dsrt_context *context : contexts)
    threads.emplace_back([context] {
      Message message(1);
      EXPECT_EQ(message.start(context), DSRT_OK);
      EXPECT_EQ(dsrt_wait(context, message.pending), DSRT_ABORTED);
    });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  dsrt_abort(contexts[0], "enough");
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_LT(ms(Clock::now() - begin), 30000);
  for (dsrt_context *context : contexts)
    dsrt_shutdown(context);
}

TEST(Link, what_is_no_link_is_refused) {
  dsrt_context *contexts[2];
  dsrt_options options = linkOptions();
  options.link_bytes_per_s = -1;
  EXPECT_EQ(dsrt_local_world_create(2, &options, contexts), DSRT_INVALID_ARGUMENT);
  EXPECT_STREQ(dsrt_last_error(nullptr),
               "dsrt_local_world_create: the link has a latency of 10000000 ns and -1 bytes/s, "
               "expected 0 to 1 hour and 0 or more");
  dsrt::test::registerStoreBackend();
  options = linkOptions();
  EXPECT_EQ(dsrt_world_create("store", 2, &options, contexts), DSRT_UNSUPPORTED);
  EXPECT_STREQ(dsrt_last_error(nullptr), "dsrt_world_create: backend 'store': it has no modelled "
                                         "link, which is of backend 'local'");
}

} // namespace
