//===- WorldTest.cpp - Worlds of a backend that joins by a store -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "support/StoreBackend.h"

#include <gtest/gtest.h>
#include <string>
#include <thread>

using dsrt::test::refusingRank;

namespace {

class Worlds : public testing::Test {
protected:
  static void SetUpTestSuite() { dsrt::test::registerStoreBackend(); }
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

TEST_F(Worlds, ranks_that_disagree_are_told) {
  dsrt_context *contexts[3];
  ASSERT_EQ(dsrt_world_create("store", 3, nullptr, contexts), DSRT_OK);
  std::vector<std::thread> threads;
  for (int32_t r = 0; r < 3; ++r) {
    threads.emplace_back([&, r] {
      EXPECT_EQ(sumOfDigits(contexts[r], DSRT_WORLD), 111);
      float values[8] = {};
      void *data = values;
      const int64_t elements = r == 1 ? 7 : 8;
      const dsrt_status status =
          dsrt_all_reduce(contexts[r], 1, &data, &elements, DSRT_F32, DSRT_SUM, DSRT_WORLD);
      EXPECT_TRUE(status == DSRT_MISMATCH || status == DSRT_PEER_FAILED);
      EXPECT_NE(std::string(dsrt_last_error(contexts[r]))
                    .find("ranks disagree on the elements: rank 0 has 8, rank 1 has 7"),
                std::string::npos)
          << dsrt_last_error(contexts[r]);
    });
  }
  for (std::thread &thread : threads)
    thread.join();
  for (dsrt_context *context : contexts)
    EXPECT_EQ(dsrt_shutdown(context), DSRT_OK);
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
