//===- ShardsTest.cpp - Which samples a rank reads --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From hashes and keys alone, without ranks.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Shards.h"

#include "gtest/gtest.h"

namespace ds {
namespace {

std::vector<FilesOfRank> files(std::vector<std::string> hashes, std::vector<int64_t> shards = {}) {
  std::vector<FilesOfRank> all;
  for (size_t i = 0; i < hashes.size(); ++i)
    all.push_back({hashes[i], shards.empty() ? std::nullopt : std::optional(shards[i])});
  return all;
}

std::string refusal(const std::vector<FilesOfRank> &byRank, int64_t ranks,
                    std::optional<int64_t> numShards) {
  auto plan = planShards(byRank, ranks, /*sharing=*/1, /*named=*/false, numShards);
  return plan ? "none" : llvm::toString(plan.takeError());
}

TEST(ShardsTest, TravelAsText) {
  FilesOfRank with = FilesOfRank::fromText(FilesOfRank{"ab12", 3}.toText());
  EXPECT_EQ(with.hash, "ab12");
  EXPECT_EQ(with.shardId, 3);
  EXPECT_EQ(FilesOfRank::fromText(FilesOfRank{"", std::nullopt}.toText()).shardId, std::nullopt);
  FilesOfRank arrays{"ab12", std::nullopt, {{"x", "12"}, {"a name", "34"}}};
  EXPECT_EQ(FilesOfRank::fromText(arrays.toText()).arrays, arrays.arrays);
}

TEST(ShardsTest, OneSetOfFilesIsDividedByAll) {
  for (const auto &byRank : {files({"a"}), files({"a", "a", "a"})}) {
    ShardPlan plan = cantFail(planShards(byRank, 3, 1, /*named=*/false, std::nullopt));
    EXPECT_FALSE(plan.ownFiles);
    EXPECT_TRUE(plan.shards(10).empty());
    EXPECT_EQ(plan.fact(10), "10");
    EXPECT_EQ(plan.describe(10), "data: 10 samples");
  }
  // The keys say the same.
  ShardPlan said = cantFail(planShards(files({"a", "a"}, {0, 1}), 2, 1, false, 2));
  EXPECT_TRUE(said.shards(10).empty());
}

TEST(ShardsTest, OtherContentsAreTheRanksOwn) {
  for (bool named : {false, true}) {
    ShardPlan plan = cantFail(
        planShards(named ? files({""}) : files({"a", "b", "c"}), 3, 1, named, std::nullopt));
    EXPECT_TRUE(plan.ownFiles);
    EXPECT_EQ(plan.numShards, 1);
    std::vector<Shard> shards = plan.shards(10);
    EXPECT_EQ(shards[2].first, 20);
    EXPECT_EQ(shards[2].number, 0);
    EXPECT_EQ(plan.fact(10), "3 x 10");
  }
  EXPECT_EQ(refusal(files({"a", "b", "a"}), 3, std::nullopt),
            "ranks 0 and 2 read the same data, but rank 1 other data of the same size; give all "
            "ranks the same files, or each its own, or say with num_shards and shard_id what each "
            "of them reads");
}

TEST(ShardsTest, ArraysAlikeAndUnlikeAreNoFilesOfTheirOwn) {
  std::vector<FilesOfRank> byRank = files({"a", "b", "c"});
  for (size_t rank = 0; rank < 3; ++rank)
    byRank[rank].arrays = {{"x", std::to_string(rank)}, {"y", rank == 2 ? "9" : "8"}};
  EXPECT_EQ(refusal(byRank, 3, std::nullopt),
            "rank 1 reads another 'x' than rank 0, but the same 'y': one of them may be damaged; "
            "give all ranks the same files, or say with num_shards=1 and shard_id=0 that each has "
            "its own");
  for (FilesOfRank &one : byRank)
    one.shardId = 0;
  EXPECT_TRUE(cantFail(planShards(byRank, 3, 1, false, 1)).ownFiles);
  byRank[1].arrays[1].second = "7";
  EXPECT_TRUE(cantFail(planShards(byRank, 3, 1, false, std::nullopt)).ownFiles);
  EXPECT_TRUE(cantFail(planShards(byRank, 3, 1, /*named=*/true, std::nullopt)).ownFiles);
}

TEST(ShardsTest, KeysSayWhatARankReads) {
  ShardPlan swapped = cantFail(planShards(files({"a", "a"}, {1, 0}), 2, 1, false, 2));
  EXPECT_FALSE(swapped.ownFiles);
  EXPECT_EQ(swapped.shards(10)[0].number, 1);
  EXPECT_EQ(swapped.shards(10)[1].first, 0);
  EXPECT_EQ(swapped.fact(10), "10 in 2 shards");
  ShardPlan hosts = cantFail(planShards(files({"a", "a", "b", "b"}, {0, 1, 0, 1}), 4, 1, false, 2));
  EXPECT_TRUE(hosts.ownFiles);
  EXPECT_EQ(hosts.shards(10)[3].first, 30);
  EXPECT_EQ(hosts.fact(10), "4 x 10 in 2 shards");
  ShardPlan one = cantFail(planShards(files({"a"}, {2}), 1, 1, false, 3));
  EXPECT_EQ(one.describe(10),
            "data: 10 samples, of which a rank takes one of 3 shards (rank 0: 2)");
}

TEST(ShardsTest, NeighboursMayTakeTheSameSamples) {
  ShardPlan plan = cantFail(planShards(files({"a", "a", "b", "b"}), 4, 2, false, std::nullopt));
  EXPECT_TRUE(plan.ownFiles);
  EXPECT_EQ(plan.shards(10).size(), 2u);
  EXPECT_EQ(plan.describe(10),
            "data: each group of 2 ranks reads its own files: 10 samples in each of 2 groups");
  // One group has no choice; nor have threads, of which one speaks.
  EXPECT_FALSE(cantFail(planShards(files({"a", "a"}), 2, 2, true, std::nullopt)).ownFiles);
  EXPECT_EQ(cantFail(planShards(files({""}), 6, 3, true, std::nullopt)).shards(10).size(), 2u);
  auto refused = [](const std::vector<FilesOfRank> &byRank) {
    return llvm::toString(planShards(byRank, 4, 2, false, 2).takeError());
  };
  EXPECT_EQ(
      refused(files({"a", "a", "b", "c"}, {0, 0, 1, 1})).find("ranks 2 and 3 read other files"),
      0u);
  EXPECT_EQ(
      refused(files({"a", "a", "a", "a"}, {0, 1, 1, 1})).find("ranks 0 and 1 read other shard"),
      0u);
  // Numbers are those of ranks, not of groups.
  EXPECT_EQ(refused(files({"a", "a", "a", "a"}, {1, 1, 1, 1})).find("ranks 0 and 2 would read"),
            0u);
}

TEST(ShardsTest, NoSampleIsReadTwice) {
  EXPECT_EQ(refusal(files({"a", "b", "a"}, {1, 1, 1}), 3, 2),
            "ranks 0 and 2 would read the same samples: shard_id is 1 of 2 on both, and so are "
            "their files");
  EXPECT_NE(refusal(files({"a"}, {0}), 2, 2).find("which are threads of one process"),
            std::string::npos);
}

} // namespace
} // namespace ds
