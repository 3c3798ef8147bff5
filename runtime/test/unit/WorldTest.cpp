//===- WorldTest.cpp - Worlds of a backend that joins by a store -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend 'store' sums integers by exchanging them through the store that the core gives it:
// the smallest one that needs more than one rank.
//
//===----------------------------------------------------------------------===//
#include "dsrt/backend.h"

#include "bootstrap/Store.h"

#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>

using dsrt::bootstrap::Store;

namespace {

struct Rank {
  Store *store;
  dsrt_place place;
};

struct Members {
  std::vector<int32_t> ranks;
  int32_t index;
  std::string name;
};

int32_t refusingRank = -1;

dsrt_status join(const dsrt_options *, const dsrt_place *place, void **outState,
                 dsrt_error *error) {
  if (place->rank == refusingRank) {
    std::strcpy(error->text, "no device for me");
    return DSRT_UNAVAILABLE;
  }
  *outState = new Rank{static_cast<Store *>(place->store), *place};
  return DSRT_OK;
}
dsrt_status leave(void *state, int32_t, dsrt_error *) {
  delete static_cast<Rank *>(state);
  return DSRT_OK;
}
dsrt_status makeGroup(void *state, int32_t numRanks, const int32_t *ranks, int64_t timeoutMs,
                      void **outGroup, dsrt_error *error) {
  Rank &rank = *static_cast<Rank *>(state);
  auto *members = new Members{{ranks, ranks + numRanks}, 0, "group"};
  for (int32_t m = 0; m < numRanks; ++m) {
    members->name += "." + std::to_string(ranks[m]);
    if (ranks[m] == rank.place.rank)
      members->index = m;
  }
  dsrt_status status =
      rank.store->barrier(members->name, members->ranks, members->index, timeoutMs, error);
  if (status == DSRT_OK)
    *outGroup = members;
  else
    delete members;
  return status;
}
void dropGroup(void *, void *group, int32_t) { delete static_cast<Members *>(group); }
dsrt_status sum(void *state, void *group, const dsrt_call *call, dsrt_error *error) {
  Members &members = *static_cast<Members *>(group);
  const size_t bytes = call->n_buffers ? static_cast<size_t>(call->elements[0]) * 4 : 0;
  std::string mine(bytes ? static_cast<const char *>(call->inputs[0]) : "", bytes);
  std::vector<std::string> all;
  dsrt_status status = static_cast<Rank *>(state)->store->exchange(
      members.name, members.ranks, members.index, mine, call->timeout_ms, all, error);
  if (status != DSRT_OK)
    return status;
  for (size_t i = 0; i < bytes / 4; ++i) {
    int32_t total = 0;
    for (const std::string &one : all) {
      int32_t value;
      std::memcpy(&value, one.data() + 4 * i, 4);
      total += value;
    }
    std::memcpy(static_cast<char *>(call->outputs[0]) + 4 * i, &total, 4);
  }
  return DSRT_OK;
}
void failed(void *state, dsrt_status status, const char *text, const dsrt_error *) {
  static_cast<Rank *>(state)->store->fail(status, text);
}
dsrt_status poll(void *state, dsrt_error *error) {
  return static_cast<Rank *>(state)->store->poll(error);
}
void abortWorld(void *state, const char *reason) {
  static_cast<Rank *>(state)->store->fail(DSRT_ABORTED, reason);
}

class Worlds : public testing::Test {
protected:
  static void SetUpTestSuite() {
    static dsrt_backend table = {};
    table.abi_version = DSRT_BACKEND_ABI_VERSION;
    table.struct_size = sizeof(dsrt_backend);
    table.name = "store";
    table.capabilities = DSRT_CAP_IN_ORDER | DSRT_CAP_THREADS;
    table.alignment = 4;
    table.reductions[DSRT_I32] = 1u << DSRT_SUM;
    table.join = join;
    table.shutdown = leave;
    table.group_create = makeGroup;
    table.group_destroy = dropGroup;
    table.collective = sum;
    table.failed = failed;
    table.poll = poll;
    table.abort = abortWorld;
    ASSERT_EQ(dsrt_register_backend(&table), DSRT_OK) << dsrt_last_error(nullptr);
  }
  void TearDown() override { refusingRank = -1; }
};

int32_t sumOfDigits(dsrt_context *context, dsrt_group group) {
  int32_t value = 1;
  for (int32_t r = 0; r < dsrt_rank(context); ++r)
    value *= 10;
  void *data = &value;
  const int64_t elements = 1;
  EXPECT_EQ(dsrt_all_reduce(context, 1, &data, &elements, DSRT_I32, DSRT_SUM, group), DSRT_OK)
      << dsrt_last_error(context);
  return value;
}

TEST_F(Worlds, ranks_of_a_backend_with_a_store_can_be_threads) {
  dsrt_context *contexts[4];
  ASSERT_EQ(dsrt_world_create("store", 4, nullptr, contexts), DSRT_OK) << dsrt_last_error(nullptr);
  std::vector<std::thread> threads;
  for (int32_t r = 0; r < 4; ++r) {
    threads.emplace_back([&, r] {
      EXPECT_EQ(dsrt_rank(contexts[r]), r);
      EXPECT_EQ(sumOfDigits(contexts[r], DSRT_WORLD), 1111);
      const int32_t odd[] = {1, 3}, even[] = {0, 2};
      dsrt_group group;
      EXPECT_EQ(dsrt_group_create(contexts[r], 2, r % 2 ? odd : even, &group), DSRT_OK);
      EXPECT_EQ(sumOfDigits(contexts[r], group), r % 2 ? 1010 : 101);
      EXPECT_EQ(dsrt_group_destroy(contexts[r], group), DSRT_OK);
    });
  }
  for (std::thread &thread : threads)
    thread.join();
  for (dsrt_context *context : contexts)
    EXPECT_EQ(dsrt_shutdown(context), DSRT_OK);
}

TEST_F(Worlds, a_rank_that_cannot_join_ends_the_world_with_its_reason) {
  refusingRank = 2;
  dsrt_context *contexts[3];
  EXPECT_EQ(dsrt_world_create("store", 3, nullptr, contexts), DSRT_UNAVAILABLE);
  EXPECT_STREQ(dsrt_last_error(nullptr), "dsrt_world_create: backend 'store': no device for me");
  for (dsrt_context *context : contexts)
    EXPECT_EQ(context, nullptr);
}

TEST_F(Worlds, arguments_are_checked) {
  dsrt_context *contexts[2] = {};
  auto expect = [&](dsrt_status status, dsrt_status expected, const std::string &text) {
    EXPECT_EQ(status, expected);
    EXPECT_EQ(dsrt_last_error(nullptr), "dsrt_world_create: " + text);
  };
  expect(dsrt_world_create(nullptr, 2, nullptr, contexts), DSRT_INVALID_ARGUMENT,
         "backend_name is null");
  expect(dsrt_world_create("store", 2, nullptr, nullptr), DSRT_INVALID_ARGUMENT,
         "out_contexts is null");
  expect(dsrt_world_create("store", 0, nullptr, contexts), DSRT_INVALID_ARGUMENT,
         "num_ranks is 0, expected 1 to 4096");
  EXPECT_EQ(dsrt_world_create("nowhere", 2, nullptr, contexts), DSRT_INVALID_ARGUMENT);
  EXPECT_NE(std::string(dsrt_last_error(nullptr)).find("no backend 'nowhere' in this build"),
            std::string::npos);
}

TEST_F(Worlds, local_ranks_are_made_the_same_way) {
  dsrt_context *contexts[2];
  ASSERT_EQ(dsrt_world_create("local", 2, nullptr, contexts), DSRT_OK);
  EXPECT_EQ(dsrt_num_ranks(contexts[1]), 2);
  for (dsrt_context *context : contexts)
    EXPECT_EQ(dsrt_shutdown(context), DSRT_OK);
}

} // namespace
