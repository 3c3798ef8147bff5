//===- SavePlanTest.cpp - The shares of a checkpoint ----------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Feed/SavePlan.h"

#include "TestSupport.h"

namespace ds {
namespace {

Manifest manifestOf(const std::vector<std::pair<std::string, std::vector<int64_t>>> &values) {
  Manifest manifest;
  for (const auto &[name, shape] : values) {
    ArgumentSpec argument;
    argument.name = name;
    argument.role = ArgumentRole::parameter;
    argument.shape = shape;
    manifest.arguments.push_back(argument);
  }
  return manifest;
}

std::vector<int64_t> bytesOfShares(const SavePlan &plan) {
  std::vector<int64_t> bytes(plan.numShares());
  for (const SavedPart &part : plan.parts())
    bytes[part.share] += part.bytes;
  return bytes;
}

TEST(SavePlan, ReplicatedValuesAreDividedByBytes) {
  SavePlan plan(manifestOf({{"a", {1}}, {"b", {4}}, {"c", {3}}, {"d", {2}}}), 4, {0, 1, 2, 3});
  EXPECT_EQ(bytesOfShares(plan), (std::vector<int64_t>{16, 12, 8, 4}));
  SavePlan two(manifestOf({{"a", {1}}, {"b", {4}}, {"c", {3}}, {"d", {2}}}), 4, {0, 2});
  EXPECT_EQ(bytesOfShares(two), (std::vector<int64_t>{20, 20}));
  EXPECT_EQ(two.bytes(), 40);
  for (const SavedPart &part : two.parts()) {
    EXPECT_TRUE(part.isWhole);
    EXPECT_EQ(part.rank, part.share == 0 ? 0 : 2); // the first rank of the process copies
  }
}

TEST(SavePlan, ShardsStayWhereTheyAre) {
  // Four ranks on a mesh of 2 x 2; `m` is sharded along the second axis, so two ranks hold each.
  Manifest manifest = manifestOf({{"m", {2, 3}}, {"w", {5}}});
  manifest.axes = {{"dp", 2}, {"tp", 2}};
  manifest.arguments[0].shards = {{1, {0, 1, 2}}};
  SavePlan plan(manifest, 4, {0, 1, 2, 3});
  ASSERT_EQ(plan.parts().size(), 3u);
  EXPECT_EQ(plan.parts()[0].rank % 2, 0);
  EXPECT_EQ(plan.parts()[1].rank % 2, 1);
  EXPECT_NE(plan.parts()[2].share, plan.parts()[0].share);
  EXPECT_NE(plan.parts()[2].share, plan.parts()[1].share);
  const SafetensorsIndex index = plan.index(manifest, {"0", "1", "2", "3"});
  EXPECT_EQ(index.files.count("w"), 1u);
  const SafetensorsIndex::Sharded &m = index.sharded.at("m");
  EXPECT_EQ(m.shape, (std::vector<int64_t>{4, 3}));
  ASSERT_EQ(m.parts.size(), 2u);
  EXPECT_EQ(m.parts[0].at[0].front().begin, 0);
  EXPECT_EQ(m.parts[1].at[0].front().begin, 2);
  EXPECT_FALSE(overlap(m.parts[0].at, m.parts[1].at));
}

TEST(SavePlan, NamesOfShardsAreNamesOfNothingElse) {
  Manifest manifest = manifestOf({{"m", {2}}, {"m@0", {1}}});
  manifest.arguments[0].shards = {{0, {0, 1, 2}}};
  SavePlan plan(manifest, 2, {0, 1});
  EXPECT_EQ(plan.parts()[0].name, "m@0@");
  EXPECT_EQ(plan.parts()[2].name, "m@0");
}

} // namespace
} // namespace ds
