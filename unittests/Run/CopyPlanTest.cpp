//===- CopyPlanTest.cpp - Which process keeps whose shards ----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Feed/CopyPlan.h"

#include <gtest/gtest.h>

using namespace ds;

namespace {

using Exchanges = std::vector<std::vector<int64_t>>;
using Hosts = std::vector<std::string>;

TEST(CopyPlan, shards_go_to_the_next_process) {
  EXPECT_EQ(planCopies({0, 2, 4}, 6, Hosts{"a", "a", "a"}, 1), (Exchanges{{4, 5, 0, 1, 2, 3}}));
  EXPECT_EQ(planCopies({0, 1}, 2, Hosts{"a", "a"}, 1), (Exchanges{{1, 0}}));
}

TEST(CopyPlan, a_process_of_fewer_ranks_gets_them_in_two_exchanges) {
  EXPECT_EQ(planCopies({0, 2}, 3, Hosts{"a", "a"}, 1), (Exchanges{{2, -1, 0}, {-1, -1, 1}}));
}

TEST(CopyPlan, shards_go_to_another_host_if_there_is_one) {
  EXPECT_EQ(planCopies({0, 1, 2, 3}, 4, Hosts{"a", "a", "b", "b"}, 1), (Exchanges{{2, 3, 0, 1}}));
  EXPECT_EQ(planCopies({0, 1, 2}, 3, Hosts{"a", "a", "b"}, 1), (Exchanges{{2, 0, 1}}));
}

TEST(CopyPlan, every_process_has_a_copy_if_as_many_are_asked_for) {
  EXPECT_EQ(planCopies({0, 1, 2}, 3, Hosts{"a", "a", "a"}, 5), (Exchanges{{2, 0, 1}, {1, 2, 0}}));
}

TEST(CopyPlan, one_process_sends_nothing) {
  EXPECT_TRUE(planCopies({}, 4, Hosts{"a"}, 1).empty());
  EXPECT_TRUE(planCopies({0}, 4, Hosts{"a"}, 1).empty());
}

TEST(CopyPlan, a_list_survives_as_text) {
  KeptList list;
  list.host = "node \"1\"";
  list.copies = 3;
  list.facts[7] = {{"ds.seed", "0"}};
  list.facts[8];
  list.shards[7] = {0, 5};
  const KeptList read = KeptList::fromText(list.toText());
  EXPECT_EQ(read.host, list.host);
  EXPECT_EQ(read.copies, 3);
  EXPECT_EQ(read.facts, list.facts);
  EXPECT_EQ(read.shards, list.shards);
}

KeptList kept(std::vector<int64_t> steps, std::map<int64_t, std::set<int64_t>> shards) {
  KeptList list;
  for (int64_t step : steps)
    list.facts[step];
  list.shards = std::move(shards);
  return list;
}

TEST(CopyPlan, the_newest_step_that_is_whole_serves) {
  const std::vector<KeptList> torn = {kept({4}, {{4, {0, 2}}, {5, {0}}}),
                                      kept({4, 5}, {{4, {1, 0}}, {5, {1, 0}}})};
  EXPECT_EQ(newestWhole(torn, 3), 4); // rank 2 has no shards of step 5
  EXPECT_EQ(newestWhole(torn, 2), 5);
  EXPECT_EQ(newestWhole(torn, 0), 5); // nothing is sharded
  EXPECT_EQ(holderOf(torn, 5), 1);
  EXPECT_EQ(holderOf(torn, 4, 1), 1);
  EXPECT_EQ(holderOf(torn, 4, 3), std::nullopt);
}

TEST(CopyPlan, shards_that_no_process_has_are_lost) {
  const std::vector<KeptList> lists = {kept({4}, {{4, {0, 3}}}), kept({}, {})};
  EXPECT_EQ(newestWhole(lists, 4), -1);
  EXPECT_EQ(newestOf(lists), 4);
  EXPECT_EQ(newestOf({kept({}, {})}), -1);
}

} // namespace
