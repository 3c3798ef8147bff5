//===- GroupTest.cpp - Groups by name, and numbers in a group ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dsrt/dsrt.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace {

class NamedGroups : public testing::Test {
protected:
  void open(int32_t ranks) {
    contexts.resize(static_cast<size_t>(ranks));
    ASSERT_EQ(dsrt_local_world_create(ranks, nullptr, contexts.data()), DSRT_OK);
  }
  void TearDown() override {
    for (dsrt_context *context : contexts)
      EXPECT_EQ(dsrt_shutdown(context), DSRT_OK);
  }
  void onRanks(const std::function<void(int32_t, dsrt_context *)> &body) {
    std::vector<std::thread> threads;
    for (size_t r = 0; r < contexts.size(); ++r)
      threads.emplace_back([&, r] { body(static_cast<int32_t>(r), contexts[r]); });
    for (std::thread &thread : threads)
      thread.join();
  }
  /// What a call that fails says; the context is of no further use.
  std::string why(dsrt_status status, int32_t rank = 0) {
    EXPECT_EQ(status, DSRT_INVALID_ARGUMENT);
    return dsrt_last_error(contexts[static_cast<size_t>(rank)]);
  }
  std::vector<dsrt_context *> contexts;
};

/// Rank r contributes 10^r.
int32_t sumOfDigits(dsrt_context *context, dsrt_group group) {
  int32_t value = 1;
  for (int32_t r = 0; r < dsrt_rank(context); ++r)
    value *= 10;
  void *data = &value;
  const int64_t one = 1;
  EXPECT_EQ(dsrt_all_reduce(context, 1, &data, &one, DSRT_I32, DSRT_SUM, group), DSRT_OK)
      << dsrt_last_error(context);
  return value;
}

TEST_F(NamedGroups, digits_show_exactly_the_members_in_any_order_of_the_list) {
  open(4);
  onRanks([](int32_t rank, dsrt_context *context) {
    const int32_t odd[] = {3, 1}, even[] = {2, 0};
    const char *name = rank % 2 ? "odd" : "even";
    dsrt_group group = DSRT_WORLD, again = DSRT_WORLD;
    EXPECT_EQ(dsrt_group_create_named(context, name, 2, rank % 2 ? odd : even, &group), DSRT_OK);
    EXPECT_EQ(sumOfDigits(context, group), rank % 2 ? 1010 : 101);
    EXPECT_EQ(dsrt_group_find(context, name, &again), DSRT_OK);
    EXPECT_EQ(again, group);
    int32_t number = -1, size = 0;
    EXPECT_EQ(dsrt_group_rank(context, group, &number), DSRT_OK);
    EXPECT_EQ(number, rank / 2) << "members count in ascending rank";
    EXPECT_EQ(dsrt_group_size(context, group, &size), DSRT_OK);
    EXPECT_EQ(size, 2);
    EXPECT_EQ(dsrt_group_world_rank(context, group, 1, &number), DSRT_OK);
    EXPECT_EQ(number, rank % 2 ? 3 : 2);
    EXPECT_EQ(dsrt_group_rank_of(context, group, rank, &number), DSRT_OK);
    EXPECT_EQ(number, rank / 2);
    EXPECT_EQ(dsrt_group_destroy_named(context, name), DSRT_OK);
    // The name is free again, for another list.
    const int32_t everyone[] = {0, 1, 2, 3};
    EXPECT_EQ(dsrt_group_create_named(context, name, 4, everyone, &group), DSRT_OK);
    EXPECT_EQ(sumOfDigits(context, group), 1111);
  });
}

TEST_F(NamedGroups, the_same_name_and_list_is_the_same_group) {
  open(2);
  onRanks([](int32_t, dsrt_context *context) {
    const int32_t up[] = {0, 1}, down[] = {1, 0};
    dsrt_group first = 7, second = 8;
    EXPECT_EQ(dsrt_group_create_named(context, "both", 2, up, &first), DSRT_OK);
    EXPECT_EQ(dsrt_group_create_named(context, "both", 2, down, &second), DSRT_OK);
    EXPECT_EQ(first, second);
  });
}

TEST_F(NamedGroups, the_world_has_its_names) {
  open(1);
  for (const char *name : {"world", "hccl_world_group", "nccl_world_group", "mccl_world_group"}) {
    dsrt_group group = 9;
    EXPECT_EQ(dsrt_group_find(contexts[0], name, &group), DSRT_OK);
    EXPECT_EQ(group, DSRT_WORLD);
  }
}

TEST_F(NamedGroups, another_list_under_a_name_is_refused_with_both) {
  open(3);
  const int32_t first[] = {0}, second[] = {0, 2};
  dsrt_group group;
  ASSERT_EQ(dsrt_group_create_named(contexts[0], "a", 1, first, &group), DSRT_OK);
  EXPECT_EQ(why(dsrt_group_create_named(contexts[0], "a", 2, second, &group)),
            "dsrt_group_create_named on rank 0: the group 'a' exists with rank 0, and is now asked "
            "for with ranks 0, 2");
}

TEST_F(NamedGroups, duplicates_are_refused) {
  open(2);
  const int32_t ranks[] = {1, 0, 1};
  dsrt_group group;
  EXPECT_EQ(why(dsrt_group_create_named(contexts[0], "a", 3, ranks, &group)),
            "dsrt_group_create_named on rank 0: rank 1 is twice in the list of group 'a'");
}

TEST_F(NamedGroups, empty_lists_and_names_are_refused) {
  open(2);
  const int32_t ranks[] = {0, 1};
  dsrt_group group;
  EXPECT_EQ(why(dsrt_group_create_named(contexts[0], "", 2, ranks, &group)),
            "dsrt_group_create_named on rank 0: the group has no name");
  TearDown();
  open(1);
  EXPECT_EQ(why(dsrt_group_create_named(contexts[0], "a", 0, ranks, &group)),
            "dsrt_group_create_named on rank 0: null out_group or ranks, or 0 ranks, expected 1 or "
            "more");
}

TEST_F(NamedGroups, the_names_of_the_world_cannot_be_made_nor_destroyed) {
  open(1);
  const int32_t ranks[] = {0};
  dsrt_group group;
  EXPECT_EQ(why(dsrt_group_create_named(contexts[0], "world", 1, ranks, &group)),
            "dsrt_group_create_named on rank 0: the name 'world' is that of the world");
  TearDown();
  open(1);
  EXPECT_EQ(why(dsrt_group_destroy_named(contexts[0], "nccl_world_group")),
            "dsrt_group_destroy_named on rank 0: the world cannot be destroyed");
}

TEST_F(NamedGroups, unknown_names_and_numbers_are_refused) {
  open(1);
  dsrt_group group;
  int32_t number;
  EXPECT_EQ(why(dsrt_group_find(contexts[0], "x", &group)),
            "dsrt_group_find on rank 0: no group 'x'");
  TearDown();
  open(1);
  EXPECT_EQ(why(dsrt_group_destroy_named(contexts[0], "x")),
            "dsrt_group_destroy_named on rank 0: no group 'x'");
  TearDown();
  open(1);
  EXPECT_EQ(why(dsrt_group_world_rank(contexts[0], DSRT_WORLD, 1, &number)),
            "dsrt_group_world_rank on rank 0: number 1 is outside the group of 1");
  TearDown();
  open(1);
  EXPECT_EQ(why(dsrt_group_rank_of(contexts[0], DSRT_WORLD, 1, &number)),
            "dsrt_group_rank_of on rank 0: rank 1 is not in the group of rank 0");
  TearDown();
  open(1);
  EXPECT_EQ(why(dsrt_group_rank(contexts[0], 5, &number)),
            "dsrt_group_rank on rank 0: null out parameter, or no group 5");
}

} // namespace
