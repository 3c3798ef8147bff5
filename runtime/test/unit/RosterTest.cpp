//===- RosterTest.cpp - Processes that come and go ------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "bootstrap/Roster.h"
#include "dsrt/roster.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

using namespace dsrt::bootstrap;

namespace {

constexpr int64_t longMs = 600000;

void pass(int64_t ms) {
  for (const dsrt::Deadline end = dsrt::Deadline::in(ms); !end.passed();)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void arrive(Roster &roster, const std::vector<int32_t> &members) {
  for (int32_t member : members)
    roster.arrive(member, {"host", "127.0.0.1", 1000 + member});
}

int32_t rankIn(Roster &roster, int32_t member) {
  const auto place = roster.takePlace(member);
  return place ? place->rank : -1;
}

TEST(Roster, first_world_waits_for_all_that_are_expected) {
  Roster roster({/*expected=*/3, /*least=*/1, /*most=*/4, longMs});
  arrive(roster, {0, 2});
  EXPECT_FALSE(roster.decide());
  arrive(roster, {1});
  ASSERT_TRUE(roster.decide());
  const auto place = roster.takePlace(2);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->generation, 1);
  EXPECT_EQ(place->rank, 2);
  EXPECT_EQ(place->size, 3);
  EXPECT_EQ(place->port, 1000); // of rank 0
  EXPECT_FALSE(roster.takePlace(2));
}

TEST(Roster, first_world_does_not_wait_for_members_that_are_lost) {
  Roster roster({3, 1, 4, longMs});
  arrive(roster, {0, 1});
  EXPECT_FALSE(roster.decide());
  roster.leave(2);
  EXPECT_TRUE(roster.decide());
}

TEST(Roster, goes_on_at_once_without_lost_members) {
  Roster roster({3, 1, 4, longMs});
  arrive(roster, {0, 1, 2});
  ASSERT_TRUE(roster.decide());
  for (int32_t member : {0, 1, 2})
    ASSERT_EQ(rankIn(roster, member), member);
  EXPECT_FALSE(roster.isBroken(1));
  roster.leave(0);
  EXPECT_TRUE(roster.isBroken(1));
  arrive(roster, {2});
  EXPECT_FALSE(roster.decide()); // 1 lives, and is awaited
  arrive(roster, {1});
  ASSERT_TRUE(roster.decide());
  EXPECT_EQ(rankIn(roster, 1), 0);
  EXPECT_EQ(rankIn(roster, 2), 1);
  EXPECT_FALSE(roster.isBroken(2));
}

TEST(Roster, leaves_out_members_that_do_not_arrive_in_time) {
  Roster roster({3, 2, 3, /*maxWaitMs=*/5});
  arrive(roster, {0, 1, 2});
  ASSERT_TRUE(roster.decide());
  for (int32_t member : {0, 1, 2})
    ASSERT_EQ(rankIn(roster, member), member);
  arrive(roster, {0, 1});
  EXPECT_FALSE(roster.decide());
  pass(10);
  ASSERT_TRUE(roster.decide());
  EXPECT_EQ(rankIn(roster, 0), 0);
  EXPECT_EQ(rankIn(roster, 1), 1);
  arrive(roster, {2}); // it continues, as a new one
  EXPECT_FALSE(roster.decide());
  EXPECT_TRUE(roster.isAwaited());
  arrive(roster, {0, 1});
  ASSERT_TRUE(roster.decide());
  EXPECT_EQ(rankIn(roster, 2), 2);
  (void)roster.takePlace(1);
  roster.leave(0);
  arrive(roster, {0, 1, 2}); // another process has the number now
  ASSERT_TRUE(roster.decide());
  EXPECT_EQ(rankIn(roster, 1), 0); // rank 0 reports, so it stays among those that have done so
  EXPECT_EQ(rankIn(roster, 0), 2);
}

/// Lets members arrive, one of which has waited for a rank in vain.
void arriveWithout(Roster &roster, const std::vector<int32_t> &members, int32_t lateRank) {
  arrive(roster, members);
  roster.arrive(members.front(), {"host", "127.0.0.1", 1000 + members.front(), {lateRank}});
}

TEST(Roster, does_not_wait_again_for_a_member_that_was_late) {
  Roster roster({3, 2, 3, longMs});
  arrive(roster, {7, 8, 9});
  ASSERT_TRUE(roster.decide());
  for (int32_t member : {7, 8, 9})
    (void)roster.takePlace(member);
  arriveWithout(roster, {7}, /*lateRank=*/1);
  EXPECT_FALSE(roster.decide());
  pass(400);
  EXPECT_FALSE(roster.decide()); // 9 was not late
  arrive(roster, {9});
  EXPECT_FALSE(roster.decide()); // 8 may have found the end of its world just now
  ASSERT_TRUE(roster.patience());
  pass(400);
  ASSERT_TRUE(roster.decide());
  EXPECT_EQ(rankIn(roster, 9), 1);
  EXPECT_EQ(rankIn(roster, 8), -1);
  // Rank 1 is 9 now, and 8 names ranks of a world that has gone on.
  arriveWithout(roster, {8}, /*lateRank=*/1);
  arrive(roster, {7});
  EXPECT_FALSE(roster.decide());
  pass(400);
  EXPECT_FALSE(roster.decide());
}

TEST(Roster, takes_a_member_that_was_late_and_arrives) {
  Roster roster({2, 1, 2, longMs});
  arrive(roster, {0, 1});
  ASSERT_TRUE(roster.decide());
  (void)roster.takePlace(0);
  (void)roster.takePlace(1);
  arriveWithout(roster, {0}, /*lateRank=*/1);
  EXPECT_FALSE(roster.decide());
  arrive(roster, {1});
  ASSERT_TRUE(roster.decide());
  EXPECT_EQ(rankIn(roster, 1), 1);
}

TEST(Roster, waits_for_a_late_member_if_the_others_are_too_few) {
  Roster roster({2, 2, 2, longMs});
  arrive(roster, {0, 1});
  ASSERT_TRUE(roster.decide());
  (void)roster.takePlace(0);
  (void)roster.takePlace(1);
  arriveWithout(roster, {0}, /*lateRank=*/1);
  EXPECT_FALSE(roster.decide());
  pass(400);
  EXPECT_FALSE(roster.decide());
  EXPECT_FALSE(roster.isRefused());
}

TEST(Roster, too_few_members_are_refused_after_the_wait) {
  Roster roster({2, 2, 2, /*maxWaitMs=*/5});
  arrive(roster, {0, 1});
  ASSERT_TRUE(roster.decide());
  (void)roster.takePlace(0);
  (void)roster.takePlace(1);
  roster.leave(1);
  arrive(roster, {0});
  EXPECT_FALSE(roster.decide());
  EXPECT_FALSE(roster.isRefused());
  pass(10);
  EXPECT_TRUE(roster.decide());
  EXPECT_TRUE(roster.isRefused());
  EXPECT_EQ(roster.whyRefused(),
            "1 process is there, expected at least 2, and no other has come for 5 ms");
}

TEST(Roster, new_members_wait_for_the_end_of_the_world_and_for_room) {
  Roster roster({2, 1, /*most=*/3, longMs});
  arrive(roster, {0, 1});
  ASSERT_TRUE(roster.decide());
  (void)roster.takePlace(0);
  (void)roster.takePlace(1);
  EXPECT_FALSE(roster.isAwaited());
  arrive(roster, {2, 3});
  EXPECT_FALSE(roster.decide());
  EXPECT_TRUE(roster.isAwaited());
  arrive(roster, {1, 0});
  ASSERT_TRUE(roster.decide());
  EXPECT_EQ(rankIn(roster, 2), 2);
  EXPECT_EQ(rankIn(roster, 3), -1);
  EXPECT_FALSE(roster.isAwaited()); // there is no room for 3
}

TEST(Roster, members_of_a_host_stand_together) {
  Roster roster({4, 4, 4, longMs});
  for (int32_t member : {0, 1, 2, 3})
    roster.arrive(member, {member % 2 ? "b" : "a", "10.0.0.1", 1});
  ASSERT_TRUE(roster.decide());
  EXPECT_EQ(rankIn(roster, 0), 0);
  EXPECT_EQ(rankIn(roster, 2), 1);
  EXPECT_EQ(rankIn(roster, 1), 2);
  EXPECT_EQ(rankIn(roster, 3), 3);
}

/// Members that are threads, each with a connection of its own.
class Members : public ::testing::Test {
protected:
  void SetUp() override {
    setenv("DS_SECRET", "a secret of sixteen bytes or more", 1);
    const dsrt_roster_options rules = {sizeof(dsrt_roster_options), 3, 2, 4, 5000};
    ASSERT_EQ(dsrt_roster_open(&rules, "127.0.0.1", &port, &roster), DSRT_OK)
        << dsrt_last_error(nullptr);
  }
  void TearDown() override {
    dsrt_roster_close(roster);
    unsetenv("DS_SECRET");
  }
  dsrt_member *join() const {
    dsrt_member *member = nullptr;
    EXPECT_EQ(dsrt_member_join("127.0.0.1", port, -1, 5000, &member), DSRT_OK)
        << dsrt_last_error(nullptr);
    return member;
  }
  static dsrt_context *init(dsrt_member *member) {
    dsrt_options options;
    dsrt_options_init(&options);
    options.timeout_ms = 5000;
    dsrt_context *context = nullptr;
    EXPECT_EQ(dsrt_member_init(member, &options, &context), DSRT_OK) << dsrt_last_error(nullptr);
    return context;
  }

  dsrt_roster *roster = nullptr;
  int32_t port = 0;
};

TEST_F(Members, go_on_without_one_and_take_in_a_new_one) {
  std::atomic<int> sizes{0};
  auto live = [&] {
    dsrt_member *member = join();
    dsrt_context *context = init(member);
    sizes += dsrt_num_ranks(context);
    while (!dsrt_failed(context))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    dsrt_shutdown(context);
    context = init(member);
    sizes += 10 * dsrt_num_ranks(context);
    while (dsrt_member_is_awaited(member) == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    dsrt_shutdown(context);
    context = init(member);
    sizes += 100 * dsrt_num_ranks(context);
    EXPECT_EQ(dsrt_member_generation(member), 3);
    dsrt_shutdown(context);
    dsrt_member_leave(member);
  };
  std::thread first(live), second(live), third([&] {
    dsrt_member *member = join();
    dsrt_context *context = init(member);
    sizes += dsrt_num_ranks(context);
    dsrt_abort(context, "it dies");
    dsrt_shutdown(context);
    dsrt_member_leave(member);
  });
  third.join();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  dsrt_member *late = join();
  dsrt_context *context = init(late);
  sizes += 100 * dsrt_num_ranks(context);
  dsrt_shutdown(context);
  dsrt_member_leave(late);
  first.join();
  second.join();
  EXPECT_EQ(sizes, 3 * 3 + 10 * 2 * 2 + 100 * 3 * 3);
}

TEST_F(Members, leave_out_one_that_does_not_answer) {
  dsrt_roster_close(roster);
  port = 0;
  const dsrt_roster_options rules = {sizeof(dsrt_roster_options), 3, 2, 4, longMs};
  ASSERT_EQ(dsrt_roster_open(&rules, "127.0.0.1", &port, &roster), DSRT_OK)
      << dsrt_last_error(nullptr);
  std::atomic<bool> isOver{false};
  auto live = [&] {
    dsrt_member *member = join();
    dsrt_options options;
    dsrt_options_init(&options);
    options.timeout_ms = 2000;
    dsrt_context *context = nullptr;
    ASSERT_EQ(dsrt_member_init(member, &options, &context), DSRT_OK) << dsrt_last_error(nullptr);
    (void)dsrt_barrier(context, DSRT_WORLD);
    EXPECT_TRUE(dsrt_failed(context));
    dsrt_member_miss(member, context);
    dsrt_shutdown(context);
    context = init(member); // the roster would wait ten minutes for the silent one
    EXPECT_EQ(dsrt_num_ranks(context), 2);
    dsrt_shutdown(context);
    dsrt_member_leave(member);
  };
  std::thread first(live), second(live), third([&] {
    dsrt_member *silent = join();
    dsrt_context *context = init(silent);
    while (!isOver)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    dsrt_shutdown(context);
    dsrt_member_leave(silent);
  });
  first.join();
  second.join();
  isOver = true;
  third.join();
}

TEST_F(Members, without_the_secret_none_joins) {
  setenv("DS_SECRET", "another secret of sixteen bytes", 1);
  dsrt_member *member = nullptr;
  EXPECT_EQ(dsrt_member_join("127.0.0.1", port, -1, 500, &member), DSRT_UNAVAILABLE);
  EXPECT_EQ(member, nullptr);
}

} // namespace
