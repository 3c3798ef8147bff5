//===- SamplerTest.cpp - Who gets which samples -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formulas of the design, restated independently on small numbers.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Sampler.h"

#include "ds/Data/Random.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <map>
#include <set>

namespace ds {
namespace {

SamplerOptions options(int64_t samples, int64_t rows, int64_t ranks, bool global) {
  SamplerOptions options;
  options.samples = samples;
  options.rowsPerStep = rows;
  options.numRanks = ranks;
  options.global = global;
  options.seed = 5;
  return options;
}

TEST(Permutation, HoldsEverySampleOnceAndDiffersByEpochAndSeed) {
  auto order = epochPermutation(1, 0, 1000);
  EXPECT_EQ(std::set<int64_t>(order.begin(), order.end()).size(), 1000u);
  EXPECT_EQ(order, epochPermutation(1, 0, 1000));
  EXPECT_NE(order, epochPermutation(1, 1, 1000));
  EXPECT_NE(order, epochPermutation(2, 0, 1000));
}

TEST(Permutation, IsTheSameOnEveryMachine) {
  // Recorded; a change breaks every resumed run.
  EXPECT_EQ(epochPermutation(0, 0, 8), (std::vector<int64_t>{0, 1, 6, 7, 5, 3, 4, 2}));
}

TEST(Sampler, AKeyedPermutationHasEveryNumberOnce) {
  for (int64_t count : {1, 2, 3, 4, 5, 63, 64, 65, 1000, 4097}) {
    KeyedPermutation order(1, 2, count);
    std::vector<bool> seen(count);
    for (int64_t i = 0; i < count; ++i) {
      ASSERT_LT(order[i], count);
      EXPECT_FALSE(seen[order[i]]) << count;
      seen[order[i]] = true;
    }
  }
  // Neighbours are apart, and seeds and epochs differ.
  int64_t close = 0, same = 0;
  KeyedPermutation one(1, 0, 1 << 20), next(1, 1, 1 << 20);
  for (int64_t i = 0; i < 10000; ++i) {
    close += std::abs(one[i + 1] - one[i]) < 1 << 10; // 20 in the mean
    same += one[i] == next[i];
  }
  EXPECT_LT(close, 60);
  EXPECT_LT(same, 5);
}

TEST(Sampler, OfMuchDataNoListIsMade) {
  const int64_t count = EpochOrder::mostListed;
  EXPECT_EQ(EpochOrder(3, 1, count, true)[5], epochPermutation(3, 1, count)[5]);
  EXPECT_EQ(EpochOrder(3, 1, count + 1, true)[5], KeyedPermutation(3, 1, count + 1)[5]);
  EXPECT_EQ(EpochOrder(3, 1, count + 1, false)[5], 5);
  // python/dstep/loading.py makes the same.
  KeyedPermutation order(7, 3, 100);
  std::vector<int64_t> first;
  for (int64_t i = 0; i < 8; ++i)
    first.push_back(order[i]);
  EXPECT_EQ(first, (std::vector<int64_t>{37, 25, 41, 22, 43, 75, 57, 18}));
}

TEST(RandomStream, BelowIsUniform) {
  RandomStream random(3);
  std::map<uint64_t, int> counts;
  for (int i = 0; i < 30000; ++i)
    ++counts[random.below(3)];
  for (auto [value, count] : counts)
    EXPECT_NEAR(count, 10000, 400) << value;
  EXPECT_EQ(counts.size(), 3u);
}

TEST(Sampler, GlobalBatchesAreConsecutivePositions) {
  Sampler sampler(options(10, 4, 2, /*global=*/true));
  EXPECT_EQ(sampler.stepsPerEpoch(), 2);
  EXPECT_EQ(sampler.droppedSamples(), 2);
  for (int64_t epoch = 0; epoch < 3; ++epoch) {
    auto order = epochPermutation(5, epoch, 10);
    for (int64_t k = 0; k < 2; ++k)
      EXPECT_EQ(sampler.batch(2 * epoch + k)->samples,
                std::vector<int64_t>(order.begin() + 4 * k, order.begin() + 4 * k + 4));
  }
}

TEST(Sampler, LocalRankTakesEveryNthPosition) {
  // 10 samples, 3 ranks: 4 positions each, of which the last two wrap; 2 rows per rank and step.
  Sampler sampler(options(10, 6, 3, /*global=*/false));
  EXPECT_EQ(sampler.stepsPerEpoch(), 2);
  EXPECT_EQ(sampler.droppedSamples(), 0);
  auto order = epochPermutation(5, 0, 10);
  for (int64_t k = 0; k < 2; ++k) {
    auto batch = sampler.batch(k)->samples;
    for (int64_t s = 0; s < 3; ++s)
      for (int64_t i = 0; i < 2; ++i)
        EXPECT_EQ(batch[s * 2 + i], order[(3 * (2 * k + i) + s) % 10]);
  }
}

TEST(Sampler, WrappingSeesEverySample) {
  for (bool global : {false, true}) {
    SamplerOptions wrap = options(10, 4, 2, global);
    wrap.lastBatch = LastBatch::wrap;
    Sampler sampler(wrap);
    EXPECT_EQ(sampler.stepsPerEpoch(), 3);
    EXPECT_EQ(sampler.droppedSamples(), 0);
    std::set<int64_t> seen;
    for (int64_t k = 0; k < 3; ++k)
      for (int64_t sample : sampler.batch(k)->samples)
        seen.insert(sample);
    EXPECT_EQ(seen.size(), 10u);
  }
}

TEST(Sampler, PaddingCountsEverySampleOnce) {
  for (bool global : {false, true})
    for (int64_t ranks : {1, 2, 3, 4})
      for (int64_t perRank : {1, 2, 3, 5})
        for (int64_t samples = 1; samples < 30; ++samples) {
          SamplerOptions pad = options(samples, ranks * perRank, ranks, global);
          pad.lastBatch = LastBatch::pad;
          Sampler sampler(pad);
          if (sampler.rankWithoutSamples()) {
            EXPECT_TRUE(!global && (samples < ranks || perRank == 1)) << samples << " " << ranks;
            continue;
          }
          std::vector<int> counts(samples);
          int64_t rows = 0;
          for (int64_t k = 0; k < sampler.stepsPerEpoch(); ++k) {
            const StepRows &step = *sampler.batch(k);
            std::vector<int> ofRank(ranks);
            for (size_t i = 0; i < step.samples.size(); ++i) {
              counts[step.samples[i]] += step.counts[i];
              ofRank[i / perRank] += step.counts[i];
              ++rows;
            }
            for (int rank = 0; rank < ranks; ++rank)
              EXPECT_TRUE(global || ofRank[rank] > 0) << samples << " over " << ranks << ", " << k;
          }
          EXPECT_EQ(counts, std::vector<int>(samples, 1)) << samples << " over " << ranks;
          EXPECT_EQ(sampler.paddingRows(), rows - samples);
          EXPECT_EQ(sampler.droppedSamples(), 0);
        }
}

TEST(Sampler, DroppingTellsHowMany) {
  Sampler local(options(10, 6, 2, /*global=*/false)); // 5 per rank, 3 per step: one step
  EXPECT_EQ(local.stepsPerEpoch(), 1);
  EXPECT_EQ(local.droppedSamples(), 4);
  Sampler tooFew(options(3, 4, 2, /*global=*/true));
  EXPECT_EQ(tooFew.stepsPerEpoch(), 0);
}

TEST(Sampler, RanksWithFilesOfTheirOwnGoThroughThemAlike) {
  // 7 samples on each of 2 ranks, 3 rows per rank and step.
  SamplerOptions own = options(7, 6, 2, /*global=*/false);
  own.numShards = 1;
  own.shards = {{0, 0}, {7, 0}};
  Sampler sampler(own);
  EXPECT_EQ(sampler.stepsPerEpoch(), 2);
  EXPECT_EQ(sampler.droppedSamples(), 2);
  auto order = epochPermutation(5, 1, 7);
  for (int64_t k = 0; k < 2; ++k) {
    auto batch = sampler.batch(2 + k)->samples;
    for (int64_t i = 0; i < 3; ++i) {
      EXPECT_EQ(batch[i], order[3 * k + i]);
      EXPECT_EQ(batch[3 + i], 7 + order[3 * k + i]);
    }
  }
}

TEST(Sampler, InGlobalTheRowsOfARankAreItsOwnWhereverTheyStand) {
  // Of 8 rows rank 1 holds 2, 3, 6 and 7.
  SamplerOptions own = options(4, 8, 2, /*global=*/true);
  own.numShards = 1;
  own.shards = {{0, 0}, {4, 0}};
  own.layout = ShardLayout{0, 2, 2};
  auto batch = Sampler(own).batch(0)->samples;
  auto order = epochPermutation(5, 0, 4);
  for (int64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(batch[i / 2 * 4 + i % 2], order[i]);
    EXPECT_EQ(batch[i / 2 * 4 + 2 + i % 2], 4 + order[i]);
  }
}

TEST(Sampler, AShardIsEveryNthPosition) {
  // Shards 3 and 1 of 4 of the same 10 samples: 3 positions each, the last of shard 3 wraps.
  SamplerOptions shards = options(10, 2, 2, /*global=*/false);
  shards.numShards = 4;
  shards.shards = {{0, 3}, {0, 1}};
  Sampler sampler(shards);
  EXPECT_EQ(sampler.stepsPerEpoch(), 3);
  auto order = epochPermutation(5, 0, 10);
  for (int64_t k = 0; k < 3; ++k)
    EXPECT_EQ(sampler.batch(k)->samples,
              (std::vector<int64_t>{order[(4 * k + 3) % 10], order[(4 * k + 1) % 10]}));
  // As many shards as ranks, in their order: what ranks do by themselves.
  SamplerOptions plain = options(10, 6, 3, /*global=*/false), said = plain;
  said.numShards = 3;
  said.shards = {{0, 0}, {0, 1}, {0, 2}};
  EXPECT_EQ(Sampler(plain).batch(1)->samples, Sampler(said).batch(1)->samples);
}

TEST(Sampler, PaddingCountsEverySampleOfOwnFilesOnce) {
  for (bool global : {false, true}) {
    SamplerOptions pad = options(5, 6, 2, global);
    pad.numShards = 1;
    pad.shards = {{0, 0}, {5, 0}};
    pad.layout = ShardLayout{0, 1, 3};
    pad.lastBatch = LastBatch::pad;
    Sampler sampler(pad);
    EXPECT_EQ(sampler.paddingRows(), 2);
    std::vector<int> counts(10);
    for (int64_t k = 0; k < sampler.stepsPerEpoch(); ++k) {
      const StepRows &rows = *sampler.batch(k);
      for (size_t i = 0; i < rows.samples.size(); ++i)
        counts[rows.samples[i]] += rows.counts[i];
    }
    EXPECT_EQ(counts, std::vector<int>(10, 1));
  }
  SamplerOptions few = options(3, 2, 2, /*global=*/true);
  few.numShards = 4;
  few.shards = {{0, 0}, {0, 3}};
  few.layout = ShardLayout{0, 1, 1};
  few.lastBatch = LastBatch::pad;
  EXPECT_EQ(Sampler(few).rankWithoutSamples(), 1);
}

TEST(Sampler, WithoutShufflingOrderIsTheFiles) {
  SamplerOptions plain = options(6, 3, 1, /*global=*/true);
  plain.shuffle = false;
  EXPECT_EQ(Sampler(plain).batch(3)->samples, (std::vector<int64_t>{3, 4, 5}));
}

TEST(RowsOfRank, BlockCyclicAndBetween) {
  using Rows = std::vector<int64_t>;
  EXPECT_EQ(rowsOfRank(ShardLayout{0, 1, 2}, 1, 3, 6), (Rows{2, 3}));       // block
  EXPECT_EQ(rowsOfRank(ShardLayout{0, 2, 1}, 1, 3, 6), (Rows{1, 4}));       // cyclic
  EXPECT_EQ(rowsOfRank(ShardLayout{0, 2, 2}, 1, 2, 8), (Rows{2, 3, 6, 7})); // a = b = 2
  EXPECT_EQ(rowsOfRank(std::nullopt, 1, 2, 3), (Rows{0, 1, 2}));
}

TEST(RowsOfRank, RanksDivideTheRows) {
  std::set<int64_t> rows;
  for (int64_t rank = 0; rank < 3; ++rank)
    for (int64_t row : rowsOfRank(ShardLayout{0, 4, 5}, rank, 3, 60))
      EXPECT_TRUE(rows.insert(row).second);
  EXPECT_EQ(rows.size(), 60u);
}

} // namespace
} // namespace ds
