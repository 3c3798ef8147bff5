//===- FaultTest.cpp - What happens when ranks are late, wrong or gone -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On `local`, where a test can hold a rank back. The same faults among processes are in
// faults/MpiFaults.cpp.
//
//===----------------------------------------------------------------------===//
#include "dsrt/dsrt.h"

#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace {

class Faults : public testing::Test {
protected:
  void open(int32_t ranks, int64_t timeoutMs) {
    dsrt_options options;
    dsrt_options_init(&options);
    options.timeout_ms = timeoutMs;
    contexts.resize(ranks);
    ASSERT_EQ(dsrt_local_world_create(ranks, &options, contexts.data()), DSRT_OK);
  }
  void TearDown() override {
    for (dsrt_context *context : contexts)
      EXPECT_EQ(dsrt_shutdown(context), DSRT_OK);
  }
  /// Runs `body` on a thread per rank.
  void onRanks(const std::function<void(int32_t, dsrt_context *)> &body) {
    std::vector<std::thread> threads;
    for (size_t r = 0; r < contexts.size(); ++r)
      threads.emplace_back([&, r] { body(static_cast<int32_t>(r), contexts[r]); });
    for (std::thread &thread : threads)
      thread.join();
  }
  std::string error(int32_t rank) { return dsrt_last_error(contexts[rank]); }

  std::vector<dsrt_context *> contexts;
};

dsrt_status sum(dsrt_context *context, int64_t elements = 1024, dsrt_dtype dtype = DSRT_F32,
                dsrt_reduction reduction = DSRT_SUM, dsrt_group group = DSRT_WORLD) {
  std::vector<double> memory(static_cast<size_t>(elements));
  void *data = memory.data();
  return dsrt_all_reduce(context, 1, &data, &elements, dtype, reduction, group);
}

dsrt_status exchange(dsrt_context *context, int64_t elements) {
  std::vector<float> from(64), to(64);
  const void *in = from.data();
  void *out = to.data();
  return dsrt_all_to_all(context, 1, &in, &out, &elements, DSRT_F32, DSRT_WORLD);
}

dsrt_status permute(dsrt_context *context, std::vector<int64_t> sources, int64_t elements = 16) {
  std::vector<float> from(64), to(64);
  const void *in = from.data();
  void *out = to.data();
  return dsrt_collective_permute(context, 1, &in, &out, &elements, DSRT_F32, sources.data(),
                                 DSRT_WORLD);
}

constexpr int64_t hour = 3600000;

//===----------------------------------------------------------------------===//
// Late ranks.
//===----------------------------------------------------------------------===//

TEST_F(Faults, a_late_rank_is_named_with_the_call) {
  open(4, 500);
  onRanks([](int32_t rank, dsrt_context *context) {
    if (rank != 2) {
      EXPECT_EQ(sum(context), DSRT_TIMEOUT);
    }
  });
  for (int32_t rank : {0, 1, 3}) {
    const std::string call =
        "all_reduce sum f32 (1 buffer, 4096 bytes) in the world of 4 on rank " +
        std::to_string(rank) + ": ";
    EXPECT_EQ(error(rank).compare(0, call.size(), call), 0) << error(rank);
    EXPECT_NE(error(rank).find("timed out after 500 ms waiting for rank 2"), std::string::npos)
        << error(rank);
    int32_t late[4] = {-1, -1, -1, -1};
    EXPECT_EQ(dsrt_late_ranks(contexts[rank], 4, late), 1);
    EXPECT_EQ(late[0], 2);
  }
  // The late rank is told that the others have gone, at once.
  EXPECT_EQ(sum(contexts[2]), DSRT_PEER_FAILED);
  EXPECT_NE(error(2).find("failed first: all_reduce sum f32"), std::string::npos) << error(2);
}

TEST_F(Faults, a_rank_late_for_an_exchange_is_named) {
  open(3, 500);
  onRanks([](int32_t rank, dsrt_context *context) {
    if (rank != 1) {
      EXPECT_EQ(exchange(context, 16), DSRT_TIMEOUT);
    }
  });
  for (int32_t rank : {0, 2}) {
    EXPECT_EQ(error(rank).find("all_to_all f32 (1 buffer, 64 bytes) in the world of 3 on rank "),
              0u)
        << error(rank);
    EXPECT_NE(error(rank).find("timed out after 500 ms waiting for rank 1"), std::string::npos)
        << error(rank);
  }
}

// Also by a rank that has nothing to receive from it.
TEST_F(Faults, a_rank_late_for_a_permutation_is_named) {
  open(3, 500);
  onRanks([](int32_t rank, dsrt_context *context) {
    if (rank != 1) {
      EXPECT_EQ(permute(context, {1, 2, -1}), DSRT_TIMEOUT);
    }
  });
  for (int32_t rank : {0, 2}) {
    EXPECT_EQ(
        error(rank).find("collective_permute f32 (1 buffer, 64 bytes) in the world of 3 on rank "),
        0u)
        << error(rank);
    EXPECT_NE(error(rank).find("timed out after 500 ms waiting for rank 1"), std::string::npos)
        << error(rank);
  }
}

TEST_F(Faults, several_late_ranks_are_all_named) {
  open(4, 500);
  onRanks([](int32_t rank, dsrt_context *context) {
    if (rank == 1) {
      EXPECT_EQ(dsrt_barrier(context, DSRT_WORLD), DSRT_TIMEOUT);
    }
  });
  EXPECT_EQ(
      error(1),
      "barrier in the world of 4 on rank 1: timed out after 500 ms waiting for ranks 0, 2, 3");
}

TEST_F(Faults, a_late_rank_of_a_group_is_named_by_its_number_in_the_world) {
  open(4, 500);
  onRanks([](int32_t rank, dsrt_context *context) {
    if (rank == 0)
      return;
    const int32_t ranks[] = {1, 2, 3};
    dsrt_group group;
    EXPECT_EQ(dsrt_group_create(context, 3, ranks, &group), DSRT_OK);
    if (rank != 3) {
      EXPECT_EQ(dsrt_barrier(context, group), DSRT_TIMEOUT);
    }
  });
  for (int32_t rank : {1, 2})
    EXPECT_NE(error(rank).find("barrier in group {1, 2, 3} on rank " + std::to_string(rank)),
              std::string::npos)
        << error(rank);
  EXPECT_NE((error(1) + error(2)).find("waiting for rank 3"), std::string::npos)
      << error(1) << error(2);
}

TEST_F(Faults, a_started_collective_times_out_in_its_wait) {
  open(2, 500);
  std::vector<float> memory(8);
  void *data = memory.data();
  const int64_t elements = 8;
  dsrt_pending *pending = nullptr;
  ASSERT_EQ(dsrt_all_reduce_start(contexts[0], 1, &data, &elements, DSRT_F32, DSRT_SUM, DSRT_WORLD,
                                  &pending),
            DSRT_OK);
  ASSERT_NE(pending, nullptr);
  EXPECT_EQ(dsrt_wait(contexts[0], pending), DSRT_TIMEOUT);
  EXPECT_NE(error(0).find("waiting for rank 1"), std::string::npos) << error(0);
}

TEST_F(Faults, shutdown_with_a_collective_under_way_ends) {
  open(2, 500);
  static float memory[8];
  void *data = memory;
  const int64_t elements = 8;
  dsrt_pending *pending = nullptr;
  ASSERT_EQ(dsrt_all_reduce_start(contexts[0], 1, &data, &elements, DSRT_F32, DSRT_SUM, DSRT_WORLD,
                                  &pending),
            DSRT_OK);
  EXPECT_EQ(dsrt_shutdown(contexts[0]), DSRT_OK);
  contexts.erase(contexts.begin());
}

//===----------------------------------------------------------------------===//
// Abort.
//===----------------------------------------------------------------------===//

TEST_F(Faults, abort_frees_every_waiting_rank) {
  open(4, hour);
  onRanks([](int32_t rank, dsrt_context *context) {
    if (rank == 3) {
      // Half of the time the others sleep already, half of the time they are about to: both must be
      // freed.
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      dsrt_abort(context, "loss is not a number");
      return;
    }
    EXPECT_EQ(sum(context), DSRT_ABORTED);
  });
  for (int32_t rank = 0; rank < 4; ++rank) {
    EXPECT_EQ(dsrt_failed(contexts[rank]), 1);
    EXPECT_EQ(dsrt_last_status(contexts[rank]), DSRT_ABORTED);
    EXPECT_NE(error(rank).find("rank 3 aborted: loss is not a number"), std::string::npos)
        << error(rank);
    EXPECT_EQ(sum(contexts[rank]), DSRT_ABORTED);
  }
}

TEST_F(Faults, abort_frees_ranks_that_wait_in_groups_and_for_started_collectives) {
  open(4, hour);
  std::atomic<int> ready{0};
  onRanks([&](int32_t rank, dsrt_context *context) {
    const int32_t pair[] = {0, 1};
    if (rank == 0) {
      dsrt_group group;
      EXPECT_EQ(dsrt_group_create(context, 2, pair, &group), DSRT_OK);
      ++ready;
      EXPECT_EQ(dsrt_barrier(context, group), DSRT_ABORTED);
    } else if (rank == 2) {
      std::vector<float> memory(8);
      void *data = memory.data();
      const int64_t elements = 8;
      dsrt_pending *pending = nullptr;
      EXPECT_EQ(dsrt_all_reduce_start(context, 1, &data, &elements, DSRT_F32, DSRT_SUM, DSRT_WORLD,
                                      &pending),
                DSRT_OK);
      ++ready;
      EXPECT_EQ(dsrt_wait(context, pending), DSRT_ABORTED);
    } else if (rank == 3) {
      while (ready < 2)
        std::this_thread::yield();
      dsrt_abort(context, nullptr);
    }
  });
  EXPECT_NE(error(0).find("no reason given"), std::string::npos) << error(0);
}

//===----------------------------------------------------------------------===//
// Disagreement.
//===----------------------------------------------------------------------===//

/// All ranks fail with DSRT_MISMATCH and a text that has `expected` in it; nobody's buffer changes.
#define EXPECT_ALL_MISMATCH(expected)                                                              \
  for (size_t r = 0; r < contexts.size(); ++r) {                                                   \
    EXPECT_EQ(dsrt_last_status(contexts[r]), DSRT_MISMATCH) << error(r);                           \
    EXPECT_NE(error(r).find(expected), std::string::npos) << error(r);                             \
  }

TEST_F(Faults, mismatched_sizes_name_ranks_buffer_and_both_values) {
  open(3, hour);
  onRanks([](int32_t rank, dsrt_context *context) {
    std::vector<float> memory(3000, 1.0f);
    void *buffers[] = {memory.data(), memory.data() + 1000};
    const int64_t elements[] = {1000, rank == 2 ? 999 : 1000};
    EXPECT_EQ(dsrt_all_reduce(context, 2, buffers, elements, DSRT_F32, DSRT_SUM, DSRT_WORLD),
              DSRT_MISMATCH);
    EXPECT_EQ(memory, std::vector<float>(3000, 1.0f));
  });
  EXPECT_ALL_MISMATCH(
      "ranks disagree on the elements of buffer 1: rank 0 has 1000, rank 2 has 999");
}

TEST_F(Faults, mismatched_parts_of_an_exchange) {
  open(3, hour);
  onRanks([](int32_t rank, dsrt_context *context) {
    EXPECT_EQ(exchange(context, rank == 1 ? 8 : 16), DSRT_MISMATCH);
  });
  EXPECT_ALL_MISMATCH("ranks disagree on the elements of buffer 0: rank 0 has 16, rank 1 has 8");
}

TEST_F(Faults, mismatched_sources_of_a_permutation) {
  open(3, hour);
  onRanks([](int32_t rank, dsrt_context *context) {
    EXPECT_EQ(permute(context, {1, rank == 2 ? -1 : 0, 2}), DSRT_MISMATCH);
  });
  EXPECT_ALL_MISMATCH("ranks disagree on the source of member 1: rank 0 has 0, rank 2 has -1");
}

TEST_F(Faults, mismatched_elements_of_a_permutation) {
  open(2, hour);
  onRanks([](int32_t rank, dsrt_context *context) {
    EXPECT_EQ(permute(context, {1, 0}, rank == 1 ? 8 : 16), DSRT_MISMATCH);
  });
  EXPECT_ALL_MISMATCH("ranks disagree on the elements of buffer 0: rank 0 has 16, rank 1 has 8");
}

TEST_F(Faults, mismatched_calls) {
  open(2, hour);
  onRanks([](int32_t rank, dsrt_context *context) {
    EXPECT_EQ(rank == 0 ? sum(context) : dsrt_barrier(context, DSRT_WORLD), DSRT_MISMATCH);
  });
  EXPECT_ALL_MISMATCH("ranks disagree on the call: rank 0 has all_reduce, rank 1 has barrier");
}

TEST_F(Faults, mismatched_steps) {
  open(2, hour);
  onRanks([](int32_t rank, dsrt_context *context) {
    dsrt_set_step(context, 7); // what both have alike
    EXPECT_EQ(sum(context), DSRT_OK);
    dsrt_set_step(context, rank == 0 ? 0x1a : 0x1b);
    EXPECT_EQ(sum(context), DSRT_MISMATCH);
  });
  EXPECT_ALL_MISMATCH("rank 0 has list 000000000000001a, rank 1 has list 000000000000001b");
}

TEST_F(Faults, mismatched_dtypes) {
  open(2, hour);
  onRanks([](int32_t rank, dsrt_context *context) {
    EXPECT_EQ(sum(context, 8, rank == 0 ? DSRT_F32 : DSRT_I32), DSRT_MISMATCH);
  });
  EXPECT_ALL_MISMATCH("ranks disagree on the dtype: rank 0 has f32, rank 1 has i32");
}

TEST_F(Faults, mismatched_reductions) {
  open(2, hour);
  onRanks([](int32_t rank, dsrt_context *context) {
    EXPECT_EQ(sum(context, 8, DSRT_F32, rank == 0 ? DSRT_SUM : DSRT_MAX), DSRT_MISMATCH);
  });
  EXPECT_ALL_MISMATCH("ranks disagree on the reduction: rank 0 has sum, rank 1 has max");
}

TEST_F(Faults, mismatched_numbers_of_buffers) {
  open(2, hour);
  onRanks([](int32_t rank, dsrt_context *context) {
    float memory[2] = {};
    void *buffers[] = {memory, memory + 1};
    const int64_t elements[] = {1, 1};
    EXPECT_EQ(dsrt_all_reduce(context, rank + 1, buffers, elements, DSRT_F32, DSRT_SUM, DSRT_WORLD),
              DSRT_MISMATCH);
  });
  EXPECT_ALL_MISMATCH("ranks disagree on the number of buffers: rank 0 has 1, rank 1 has 2");
}

TEST_F(Faults, mismatched_roots) {
  open(2, hour);
  onRanks([](int32_t rank, dsrt_context *context) {
    float value = 0;
    void *data = &value;
    const int64_t one = 1;
    EXPECT_EQ(dsrt_broadcast(context, 1, &data, &one, DSRT_F32, rank, DSRT_WORLD), DSRT_MISMATCH);
  });
  EXPECT_ALL_MISMATCH(
      "ranks disagree on the root (index in the group): rank 0 has 0, rank 1 has 1");
}

//===----------------------------------------------------------------------===//
// Stickiness.
//===----------------------------------------------------------------------===//

TEST_F(Faults, the_first_error_stays_and_later_calls_do_nothing) {
  open(2, hour);
  EXPECT_EQ(dsrt_barrier(contexts[0], 77), DSRT_INVALID_ARGUMENT);
  const std::string first = error(0);
  EXPECT_EQ(first, "barrier on rank 0: no group 77");
  float value = 1;
  void *data = &value;
  const int64_t one = 1;
  const int32_t self[] = {0};
  dsrt_group group = -1;
  dsrt_pending *pending = reinterpret_cast<dsrt_pending *>(&value);
  EXPECT_EQ(dsrt_all_reduce(contexts[0], 1, &data, &one, DSRT_F32, DSRT_SUM, DSRT_WORLD),
            DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(
      dsrt_all_reduce_start(contexts[0], 1, &data, &one, DSRT_F32, DSRT_SUM, DSRT_WORLD, &pending),
      DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(pending, nullptr);
  EXPECT_EQ(dsrt_wait(contexts[0], pending), DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(dsrt_group_create(contexts[0], 1, self, &group), DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(group, DSRT_WORLD);
  EXPECT_EQ(dsrt_buffer_register(contexts[0], data, 4), DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(error(0), first);
  EXPECT_EQ(dsrt_failed(contexts[0]), 1);
  // The other rank learns of it although nobody calls anything.
  EXPECT_EQ(dsrt_failed(contexts[1]), 1);
  EXPECT_EQ(dsrt_last_status(contexts[1]), DSRT_PEER_FAILED);
  EXPECT_EQ(error(1), "rank 0 failed first: " + first);
}

TEST_F(Faults, a_healthy_context_has_no_error) {
  open(1, hour);
  EXPECT_EQ(sum(contexts[0]), DSRT_OK);
  EXPECT_EQ(dsrt_failed(contexts[0]), 0);
  EXPECT_EQ(dsrt_last_status(contexts[0]), DSRT_OK);
  EXPECT_EQ(error(0), "");
  EXPECT_EQ(dsrt_late_ranks(contexts[0], 0, nullptr), 0);
}

} // namespace
