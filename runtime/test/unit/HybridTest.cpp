//===- HybridTest.cpp - Ranks that share processes --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processes are threads here: a world of tcp, over which each makes its ranks.
//
//===----------------------------------------------------------------------===//
#include "backends/hybrid/Placement.h"
#include "core/Context.h"
#include "dsrt/dsrt.h"

#include <chrono>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

using dsrt::hybrid::Layout;
using dsrt::hybrid::Placement;

namespace {

class Job {
public:
  Job(int32_t processes, int32_t ranks, int64_t timeoutMs = 20000)
      : between(static_cast<size_t>(processes)), contexts(static_cast<size_t>(ranks)) {
    dsrt_options options;
    dsrt_options_init(&options);
    options.timeout_ms = timeoutMs;
    EXPECT_EQ(dsrt_world_create("tcp", processes, &options, between.data()), DSRT_OK)
        << dsrt_last_error(nullptr);
    std::vector<std::thread> threads;
    const Placement placement = {ranks, processes};
    for (int32_t p = 0; p < processes; ++p)
      threads.emplace_back([&, p] {
        int32_t count = 0;
        EXPECT_EQ(
            dsrt_ranks_create(between[p], ranks, ranks, &contexts[placement.first(p)], &count),
            DSRT_OK)
            << dsrt_last_error(nullptr);
        EXPECT_EQ(count, placement.count(p));
      });
    for (std::thread &thread : threads)
      thread.join();
  }
  ~Job() {
    for (auto *all : {&contexts, &between})
      for (dsrt_context *context : *all)
        (void)dsrt_shutdown(context);
  }

  void run(const std::function<void(dsrt_context *, int32_t)> &body) {
    std::vector<std::thread> threads;
    for (size_t r = 0; r < contexts.size(); ++r)
      threads.emplace_back([&, r] { body(contexts[r], static_cast<int32_t>(r)); });
    for (std::thread &thread : threads)
      thread.join();
  }

  std::vector<dsrt_context *> between, contexts;
};

dsrt_status addOne(dsrt_context *context, dsrt_group group, int64_t elements = 1) {
  std::vector<float> values(static_cast<size_t>(elements), 1);
  void *data = values.data();
  return dsrt_all_reduce(context, 1, &data, &elements, DSRT_F32, DSRT_SUM, group);
}

TEST(Hybrid, processes_hold_consecutive_ranks) {
  const Placement placement = {8, 3};
  EXPECT_EQ(placement.first(0), 0);
  EXPECT_EQ(placement.first(1), 3);
  EXPECT_EQ(placement.first(2), 6);
  EXPECT_EQ(placement.count(2), 2);
  for (int32_t ranks = 1; ranks < 20; ++ranks)
    for (int32_t processes = 1; processes <= ranks; ++processes)
      for (int32_t rank = 0; rank < ranks; ++rank) {
        const Placement any = {ranks, processes};
        const int32_t process = any.processOf(rank);
        EXPECT_LE(any.first(process), rank);
        EXPECT_GT(any.first(process + 1), rank);
      }
}

TEST(Hybrid, members_lie_on_the_processes_of_their_ranks) {
  const Layout layout(Placement{8, 3}, {1, 6, 7}, 2);
  EXPECT_EQ(layout.processes, (std::vector<int32_t>{0, 2}));
  EXPECT_EQ(layout.first, (std::vector<int32_t>{0, 1, 3}));
  EXPECT_EQ(layout.me, 1);
  EXPECT_EQ(layout.most, 2);
  EXPECT_EQ(layout.placeOf(0), 0);
  EXPECT_EQ(layout.placeOf(2), 1);
}

TEST(Hybrid, a_rank_for_each_process_at_least) {
  dsrt_context *processes[3] = {}, *made[4] = {};
  int32_t count = -1;
  ASSERT_EQ(dsrt_world_create("tcp", 3, nullptr, processes), DSRT_OK);
  EXPECT_EQ(dsrt_ranks_create(processes[0], 2, 4, made, &count), DSRT_INVALID_ARGUMENT);
  EXPECT_STREQ(dsrt_last_error(nullptr), "dsrt_ranks_create: num_ranks is 2, expected 3, one for "
                                         "each process, to 4096");
  EXPECT_EQ(dsrt_ranks_create(processes[0], 9, 2, made, &count), DSRT_INVALID_ARGUMENT);
  EXPECT_STREQ(dsrt_last_error(nullptr),
               "dsrt_ranks_create: there is room for 2 contexts, expected 3");
  EXPECT_EQ(count, 0);
  for (dsrt_context *context : processes)
    EXPECT_EQ(dsrt_shutdown(context), DSRT_OK);
}

TEST(Hybrid, a_backend_without_groups_beside_each_other_is_refused) {
  dsrt_context *alone = nullptr, *made[2] = {};
  int32_t count = 0;
  ASSERT_EQ(dsrt_local_world_create(1, nullptr, &alone), DSRT_OK);
  EXPECT_EQ(dsrt_ranks_create(alone, 2, 2, made, &count), DSRT_UNSUPPORTED);
  EXPECT_STREQ(dsrt_last_error(nullptr),
               "dsrt_ranks_create: backend 'local' has one rank in a process of a job; several "
               "share one over 'mpi' and 'tcp'");
  EXPECT_EQ(dsrt_shutdown(alone), DSRT_OK);
}

// Values that travel with the call, that are gathered, and that go along the chain.
TEST(Hybrid, each_rank_is_counted_once) {
  Job job(3, 7);
  job.run([](dsrt_context *context, int32_t rank) {
    for (int64_t elements : {1, 1000, 70001}) {
      std::vector<int32_t> values(static_cast<size_t>(elements), 1 << rank);
      void *data = values.data();
      EXPECT_EQ(dsrt_all_reduce(context, 1, &data, &elements, DSRT_I32, DSRT_SUM, DSRT_WORLD),
                DSRT_OK)
          << dsrt_last_error(context);
      EXPECT_EQ(values, std::vector<int32_t>(values.size(), (1 << 7) - 1)) << elements;
    }
  });
}

// Each process has phases of the chain in which it has nothing to do, others than its neighbours.
TEST(Hybrid, a_chain_of_many_processes_adds_in_the_order_of_ranks) {
  constexpr int32_t ranks = 13;
  Job job(9, ranks);
  job.run([](dsrt_context *context, int32_t rank) {
    auto valueOf = [](int32_t of, int64_t i) { return std::sin(static_cast<float>(17 * of + i)); };
    for (int64_t elements : {3000, 1, 20001, 3001}) {
      std::vector<float> values, expected;
      for (int64_t i = 0; i < elements; ++i) {
        values.push_back(valueOf(rank, i));
        expected.push_back(valueOf(0, i));
        for (int32_t of = 1; of < ranks; ++of)
          expected.back() += valueOf(of, i);
      }
      void *data = values.data();
      ASSERT_EQ(dsrt_all_reduce(context, 1, &data, &elements, DSRT_F32, DSRT_SUM, DSRT_WORLD),
                DSRT_OK)
          << dsrt_last_error(context);
      EXPECT_EQ(values, expected) << elements;
    }
  });
}

TEST(Hybrid, two_processes_exchange_without_the_third) {
  dsrt_context *processes[3] = {};
  ASSERT_EQ(dsrt_world_create("tcp", 3, nullptr, processes), DSRT_OK);
  std::vector<std::thread> threads;
  for (int32_t p = 0; p < 3; ++p)
    threads.emplace_back([&, p] {
      const dsrt_backend &tcp = *processes[p]->backend;
      void *state = processes[p]->state, *group = nullptr;
      const int32_t all[] = {0, 1, 2};
      dsrt_error error = {};
      ASSERT_EQ(tcp.group_create_apart(state, 3, all, 7, 5000, &group, &error), DSRT_OK);
      int32_t sent = 10 + p, received = 0;
      const void *input = &sent;
      void *output = &received, *done = nullptr;
      const int64_t one = 1;
      uint64_t waited = 0, latest = 0;
      dsrt_call call = {};
      call.op = DSRT_OP_COLLECTIVE_PERMUTE;
      call.dtype = DSRT_I32;
      call.n_buffers = 1;
      call.inputs = &input;
      call.outputs = &output;
      call.elements = &one;
      call.sequence = 1;
      call.timeout_ms = 1000;
      call.source = call.destination = 1 - p;
      call.waiting_ns = &waited;
      call.latest_ns = &latest;
      call.done = &done;
      if (p < 2) {
        EXPECT_EQ(tcp.collective(state, group, &call, &error), DSRT_OK) << error.text;
        EXPECT_EQ(received, 11 - p);
      }
      tcp.group_destroy(state, group, 0);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (dsrt_context *context : processes)
    EXPECT_EQ(dsrt_shutdown(context), DSRT_OK);
}

// Both groups use processes 0 and 1, which come to them in opposite orders.
TEST(Hybrid, groups_over_the_same_processes_run_beside_each_other) {
  Job job(2, 4);
  job.run([](dsrt_context *context, int32_t rank) {
    const int32_t ranks[] = {rank % 2, rank % 2 + 2};
    dsrt_group group = DSRT_WORLD;
    EXPECT_EQ(dsrt_group_create(context, 2, ranks, &group), DSRT_OK) << dsrt_last_error(context);
    for (int call = 0; call < 30; ++call) {
      const bool late = (rank == 0 && call % 2 == 0) || (rank == 3 && call % 2 == 1);
      std::this_thread::sleep_for(std::chrono::milliseconds(late ? 4 : 0));
      EXPECT_EQ(addOne(context, group, call % 3 == 0 ? 70000 : 1), DSRT_OK)
          << dsrt_last_error(context);
    }
    EXPECT_EQ(dsrt_group_destroy(context, group), DSRT_OK);
  });
}

// One rank of a process may make a group anew before another has left the last one.
TEST(Hybrid, a_group_is_made_and_left_again_and_again) {
  Job job(2, 4);
  job.run([](dsrt_context *context, int32_t rank) {
    if (rank == 3)
      return;
    const int32_t ranks[] = {0, 1, 2};
    for (int turn = 0; turn < 10; ++turn) {
      dsrt_group group = DSRT_WORLD;
      EXPECT_EQ(dsrt_group_create(context, 3, ranks, &group), DSRT_OK) << dsrt_last_error(context);
      EXPECT_EQ(addOne(context, group), DSRT_OK) << dsrt_last_error(context);
      if (rank == turn % 3)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      EXPECT_EQ(dsrt_group_destroy(context, group), DSRT_OK);
    }
  });
}

TEST(Hybrid, a_late_rank_is_named_in_its_process_and_elsewhere) {
  Job job(2, 4, /*timeoutMs=*/400);
  std::vector<std::string> errors(4);
  std::vector<dsrt_status> statuses(4);
  job.run([&](dsrt_context *context, int32_t rank) {
    if (rank == 3)
      return;
    statuses[rank] = addOne(context, DSRT_WORLD);
    errors[rank] = dsrt_last_error(context);
  });
  EXPECT_EQ(statuses[2], DSRT_TIMEOUT);
  EXPECT_EQ(errors[2], "all_reduce sum f32 (1 buffer, 4 bytes) in the world of 4 on rank 2: timed "
                       "out after 400 ms waiting for rank 3");
  for (int32_t rank : {0, 1}) {
    EXPECT_NE(statuses[rank], DSRT_OK);
    EXPECT_NE(errors[rank].find("process 1 (ranks 2, 3) failed first: all_reduce"),
              std::string::npos)
        << errors[rank];
    EXPECT_NE(errors[rank].find("waiting for rank 3"), std::string::npos) << errors[rank];
  }
}

TEST(Hybrid, a_process_that_does_not_come_is_named_with_its_ranks) {
  Job job(2, 5, /*timeoutMs=*/300);
  job.run([&](dsrt_context *context, int32_t rank) {
    if (rank >= 3)
      return;
    EXPECT_NE(addOne(context, DSRT_WORLD), DSRT_OK);
    EXPECT_NE(std::string(dsrt_last_error(context)).find("waiting for ranks 3, 4 of process 1"),
              std::string::npos)
        << dsrt_last_error(context);
  });
}

TEST(Hybrid, calls_that_differ_are_told_by_rank) {
  Job job(2, 4);
  job.run([&](dsrt_context *context, int32_t rank) {
    const dsrt_status status = addOne(context, DSRT_WORLD, rank >= 2 ? 3 : 2);
    EXPECT_TRUE(status == DSRT_MISMATCH ||
                status == DSRT_PEER_FAILED); // which the other process reported
    const std::string error = dsrt_last_error(context);
    EXPECT_NE(error.find("rank 0"), std::string::npos) << error;
    EXPECT_NE(error.find("rank 2"), std::string::npos) << error;
  });
}

TEST(Hybrid, an_abort_reaches_all_processes) {
  Job job(2, 4);
  job.run([&](dsrt_context *context, int32_t rank) {
    if (rank == 1) {
      dsrt_abort(context, "the data is gone");
      return;
    }
    EXPECT_EQ(addOne(context, DSRT_WORLD), DSRT_ABORTED);
    const std::string error = dsrt_last_error(context);
    EXPECT_NE(error.find("the data is gone"), std::string::npos) << error;
  });
}

} // namespace
