//===- BucketPlannerTest.cpp - the buckets that end first -----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans against all plans of small instances, and limits of the numbers.
//
//===----------------------------------------------------------------------===//
#include "ds/Plan/BucketPlanner.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace ds;

namespace {

using Gradients = std::vector<ReadyGradient>;

class Instance {
public:
  explicit Instance(unsigned seed) : random(seed) {}

  int64_t below(int64_t limit) { return random() % limit; }

  Gradients gradients(size_t most, bool hasKeys = false) {
    Gradients made(1 + below(most));
    int64_t ready = 0, key = 0;
    for (ReadyGradient &gradient : made) {
      ready += below(4) == 0 ? 0 : below(60000);
      key += hasKeys && below(4) == 0;
      gradient = {below(8) == 0 ? below(3) : 1 + below(40), ready, key};
    }
    return made;
  }

  /// Up to three pieces, with jumps upwards and rates that rise or fall.
  ChannelModel channel() {
    if (below(3) == 0)
      return ChannelModel::affine(below(50000), below(4000) * 1024);
    std::vector<CostPiece> pieces;
    Ticks time = below(40000) * ticksPerPicosecond;
    int64_t low = 0;
    for (int64_t i = below(2); i >= -1; --i) {
      int64_t high = i < 0 ? CostPiece::unbounded : low + 1 + below(60), rate = below(3000) * 1024;
      int64_t start = static_cast<int64_t>(time / ticksPerPicosecond - Ticks(low) * rate / 1024) +
                      1 + (below(2) ? below(20000) : 0);
      pieces.push_back({low, high, start, rate});
      time = pieces.back().at(high == CostPiece::unbounded ? low : high);
      low = high;
    }
    std::string why;
    ChannelModel model = ChannelModel::fromPieces(pieces, why);
    EXPECT_FALSE(model.empty()) << why;
    return model;
  }

private:
  std::mt19937 random;
};

/// Calls `visit` with the ends of every contiguous plan that the options allow.
template <typename Visit>
void forEachRun(const Gradients &gradients, const PlannerOptions &options, Visit visit) {
  size_t count = gradients.size();
  for (unsigned cuts = 0; cuts < 1u << (count - 1); ++cuts) {
    std::vector<size_t> ends;
    int64_t bytes = 0;
    size_t members = 0;
    bool allowed = true;
    for (size_t i = 0; i < count; ++i) {
      allowed &= members == 0 || gradients[i].key == gradients[i - 1].key;
      bytes += gradients[i].bytes;
      ++members;
      if (i + 1 < count && !(cuts >> i & 1))
        continue;
      allowed &= members == 1 || bytes <= options.largestBucket;
      ends.push_back(i + 1);
      bytes = members = 0;
    }
    if (allowed)
      visit(ends);
  }
}

int64_t bestRun(const Gradients &gradients, const ChannelModel &channel,
                const PlannerOptions &options) {
  int64_t best = INT64_MAX;
  forEachRun(gradients, options, [&](const std::vector<size_t> &ends) {
    best = std::min(best, simulateBuckets(gradients, channel, ends).finish);
  });
  return best;
}

/// The best of all partitions of the gradients, contiguous or not; buckets leave as they are ready.
int64_t bestPartition(const Gradients &gradients, const ChannelModel &channel) {
  struct Bucket {
    int64_t ready = 0, bytes = 0;
  };
  int64_t best = INT64_MAX;
  std::vector<Bucket> buckets;
  auto visit = [&](auto &&self, size_t next) -> void {
    if (next == gradients.size()) {
      std::vector<Bucket> order = buckets;
      std::sort(order.begin(), order.end(),
                [](const Bucket &a, const Bucket &b) { return a.ready < b.ready; });
      Ticks finish = 0;
      for (const Bucket &bucket : order)
        finish = std::max(finish, bucket.ready * ticksPerPicosecond) + channel.time(bucket.bytes);
      best = std::min(best,
                      static_cast<int64_t>((finish + ticksPerPicosecond - 1) / ticksPerPicosecond));
      return;
    }
    for (size_t i = 0; i <= buckets.size(); ++i) {
      std::vector<Bucket> before = buckets;
      if (i == buckets.size())
        buckets.emplace_back();
      buckets[i].ready = std::max(buckets[i].ready, gradients[next].ready);
      buckets[i].bytes += gradients[next].bytes;
      self(self, next + 1);
      buckets = std::move(before);
    }
  };
  visit(visit, 0);
  return best;
}

TEST(BucketPlanner, IsAsGoodAsAnyRun) {
  for (unsigned seed = 0; seed < 6000; ++seed) {
    Instance instance(seed);
    Gradients gradients = instance.gradients(10, seed % 3 == 0);
    ChannelModel channel = instance.channel();
    PlannerOptions options;
    if (seed % 2)
      options.largestBucket = 1 + instance.below(120);
    BucketSchedule plan = planFirstArrival(gradients, channel, options);
    ASSERT_EQ(plan.finish, bestRun(gradients, channel, options)) << seed;
    ASSERT_EQ(simulateBuckets(gradients, channel, plan.ends).finish, plan.finish) << seed;
    bool isAllowed = false;
    forEachRun(gradients, options, [&](const auto &ends) { isAllowed |= ends == plan.ends; });
    ASSERT_TRUE(isAllowed) << seed;
  }
}

TEST(BucketPlanner, AnAffineChannelHasNoBetterPartition) {
  for (unsigned seed = 0; seed < 600; ++seed) {
    Instance instance(seed);
    Gradients gradients = instance.gradients(7);
    ChannelModel channel = ChannelModel::affine(instance.below(50000), instance.below(4000) * 1024);
    ASSERT_EQ(planFirstArrival(gradients, channel).finish, bestPartition(gradients, channel))
        << seed;
  }
}

TEST(BucketPlanner, TheBoundIsBelowEveryPartition) {
  int64_t reached = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    Instance instance(seed);
    Gradients gradients = instance.gradients(7, seed % 3 == 0);
    ChannelModel channel = instance.channel();
    int64_t bound = arrivalBounds(gradients, channel).back(),
            best = bestPartition(gradients, channel);
    ASSERT_LE(bound, best) << seed;
    reached += bound >= best - 1;
  }
  EXPECT_GE(reached, 500); // of affine channels it is the value itself
}

TEST(BucketPlanner, AFasterChannelIsNeverLater) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    Instance instance(seed);
    Gradients gradients = instance.gradients(40);
    int64_t start = instance.below(50000), rate = 1 + instance.below(4000) * 1024;
    int64_t before = planFirstArrival(gradients, ChannelModel::affine(start, rate)).finish;
    EXPECT_LE(planFirstArrival(gradients, ChannelModel::affine(start, rate / 2)).finish, before);
    EXPECT_LE(planFirstArrival(gradients, ChannelModel::affine(start / 2, rate)).finish, before);
  }
}

TEST(BucketPlanner, OfEqualPlansTheOneWithFewBuckets) {
  Gradients together = {{100, 5000, 0}, {100, 5000, 0}, {100, 5000, 0}};
  EXPECT_EQ(planFirstArrival(together, ChannelModel::affine(0, 1024)).ends.size(), 1u);
}

TEST(BucketPlanner, TerabytesAndHoursFit) {
  constexpr int64_t hour = int64_t(3600) * 1000000000000;
  Gradients large = {{int64_t(1) << 40, hour, 0}, {int64_t(1) << 40, 2 * hour, 0}};
  ChannelModel slow = ChannelModel::affine(1000000000, int64_t(10000) * 1024); // 100 MB/s
  BucketSchedule plan = planFirstArrival(large, slow);
  // 2^40 bytes take 3.05 hours, and the second waits for the first.
  int64_t one = 1000000000 + (int64_t(1) << 40) * 10000;
  EXPECT_EQ(plan.finish, hour + 2 * one);
  EXPECT_EQ(arrivalBounds(large, slow).back(), plan.finish);
}

TEST(BucketPlanner, AMillionGradients) {
  std::mt19937 random(1);
  Gradients many(1000000);
  int64_t ready = 0;
  for (ReadyGradient &gradient : many)
    gradient = {1 + static_cast<int64_t>(random() % 100000), ready += random() % 2000, 0};
  std::string why;
  ChannelModel knee = ChannelModel::fromPieces(
      {{0, 524288, 1000000, 29 * 1024}, {524288, CostPiece::unbounded, 1000000, 80 * 1024}}, why);
  ASSERT_FALSE(knee.empty()) << why;
  BucketSchedule plan = planFirstArrival(many, knee);
  EXPECT_EQ(simulateBuckets(many, knee, plan.ends).finish, plan.finish);
  EXPECT_GE(plan.finish, arrivalBounds(many, knee).back());
}

TEST(ChannelModel, RefusesWhatIsNoCost) {
  std::string why;
  EXPECT_TRUE(ChannelModel::fromPieces({}, why).empty());
  EXPECT_TRUE(ChannelModel::fromPieces({{1, CostPiece::unbounded, 0, 1}}, why).empty());
  EXPECT_EQ(why, "the pieces of a channel begin at 0 bytes and the last has no end");
  EXPECT_TRUE(
      ChannelModel::fromPieces({{0, 0, 0, 1}, {0, CostPiece::unbounded, 0, 1}}, why).empty());
  EXPECT_EQ(why, "the piece from 0 bytes on ends before it begins");
  EXPECT_TRUE(ChannelModel::fromPieces({{0, CostPiece::unbounded, -1, 1}}, why).empty());
  EXPECT_EQ(why, "the piece from 0 bytes on has a rate or a time below 0");
  EXPECT_TRUE(
      ChannelModel::fromPieces({{0, 8, 0, 1}, {9, CostPiece::unbounded, 0, 1}}, why).empty());
  EXPECT_EQ(why, "the piece from 9 bytes on begins where the one before it does not end");
  EXPECT_TRUE(
      ChannelModel::fromPieces({{0, 8, 100, 0}, {8, CostPiece::unbounded, 10, 0}}, why).empty());
  EXPECT_EQ(why, "the piece from 8 bytes on takes less time than a shorter message");
}

TEST(ChannelModel, LinesLieBelow) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    Instance instance(seed);
    ChannelModel channel = instance.channel();
    int64_t least = 1 + instance.below(20), most = least + instance.below(200);
    int64_t rate = channel.leastRate(least, most);
    for (int64_t bytes = least; bytes <= most; ++bytes) {
      for (const CostPiece &line : channel.linesBelow(least, most))
        ASSERT_LE(line.at(bytes), channel.time(bytes)) << seed;
      ASSERT_LE(Ticks(bytes) * rate, channel.time(bytes)) << seed;
    }
  }
}

} // namespace
