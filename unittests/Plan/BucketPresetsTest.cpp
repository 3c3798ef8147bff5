//===- BucketPresetsTest.cpp - buckets as other systems make them ---------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Plan/BucketPresets.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace ds;

namespace {

using Ends = std::vector<size_t>;
constexpr int64_t MiB = int64_t(1) << 20;
const ChannelModel link = ChannelModel::affine(50000000, 3200 * 1024); // 50 us, 2.5 Gbit/s

std::vector<ReadyGradient> sizes(std::initializer_list<int64_t> bytes) {
  std::vector<ReadyGradient> gradients;
  for (int64_t size : bytes)
    gradients.push_back({size, static_cast<int64_t>(gradients.size()) * 1000000000, 0});
  return gradients;
}

Ends of(BucketPreset preset, const std::vector<ReadyGradient> &gradients, int64_t ranks = 8) {
  return bucketsOf(preset, gradients, link, ranks);
}

TEST(BucketPresets, ClosedByTheOneThatFillsOrNeverAbove) {
  EXPECT_EQ(of(BucketPreset::Ddp, sizes({MiB / 2, MiB / 2, 20 * MiB, 4 * MiB, MiB, MiB})),
            (Ends{2, 5, 6}));
  EXPECT_EQ(of(BucketPreset::Xla, sizes({20 * MiB, 10 * MiB, 1, 40 * MiB, 1})), (Ends{2, 3, 4, 5}));
  EXPECT_EQ(of(BucketPreset::Horovod, sizes({100 * MiB, 28 * MiB, 1})), (Ends{2, 3}));
  EXPECT_EQ(of(BucketPreset::MindSpore, sizes({60 * MiB, 5 * MiB, 59 * MiB})), (Ends{1, 3}));
  EXPECT_EQ(of(BucketPreset::Megatron, sizes({150000000, 20000000, 1})), (Ends{2, 3}));
  EXPECT_EQ(of(BucketPreset::Megatron, sizes({150000000, 20000000, 1}), 64), (Ends{3}));
}

TEST(BucketPresets, AtMost256ForXla) {
  std::vector<ReadyGradient> many(600, {1, 0, 0});
  EXPECT_EQ(of(BucketPreset::Xla, many), (Ends{256, 512, 600}));
  EXPECT_EQ(of(BucketPreset::One, many), (Ends{600}));
  EXPECT_EQ(of(BucketPreset::Each, many).size(), 600u);
}

TEST(BucketPresets, NoneCrossesKeys) {
  std::vector<ReadyGradient> mixed = {{8, 0, 0}, {8, 0, 1}, {8, 0, 1}, {8, 0, 0}};
  for (BucketPreset preset : allBucketPresets) {
    Ends ends = of(preset, mixed);
    EXPECT_TRUE(std::count(ends.begin(), ends.end(), 1)) << toString(preset);
    EXPECT_TRUE(std::count(ends.begin(), ends.end(), 3)) << toString(preset);
    EXPECT_EQ(ends.back(), 4u) << toString(preset);
  }
}

/// A gradient that is ready while the one in front waits for the channel joins it.
TEST(BucketPresets, MgWfbpMergesWhatWaits) {
  std::vector<ReadyGradient> gradients = {{10 * MiB, 0, 0}, {1000, 1000000, 0}, {1000, 2000000, 0}};
  // The first leaves at once; the second is less than a latency behind, and so is the third.
  EXPECT_EQ(of(BucketPreset::MgWfbp, gradients), (Ends{3}));
  gradients[1].ready = 60000000;
  gradients[2].ready = 120000000;
  EXPECT_EQ(of(BucketPreset::MgWfbp, gradients), (Ends{1, 3}));
}

TEST(BucketPresets, NoPresetBeatsThePlan) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    std::vector<ReadyGradient> gradients(1 + random() % 300);
    int64_t ready = 0;
    for (ReadyGradient &gradient : gradients)
      gradient = {static_cast<int64_t>(random() % (1 << (random() % 26))),
                  ready += random() % 300000000, random() % 40 == 0};
    StepTimeline step;
    step.gradients = gradients;
    step.computeEnds = ready;
    BucketCertificate certificate = certifyBuckets(step, link, 8);
    EXPECT_LE(certificate.bound, certificate.plan.finish) << seed;
    for (const auto &[preset, schedule] : certificate.presets)
      EXPECT_LE(certificate.plan.finish, schedule.finish) << seed << " " << toString(preset);
  }
}

TEST(BucketPresets, WithOnePieceThePlanIsItsOwnProof) {
  StepTimeline step;
  step.gradients = sizes({10 * MiB, 2 * MiB, 3 * MiB, 100, 100});
  step.computeEnds = 4000000000;
  BucketCertificate certificate = certifyBuckets(step, link, 8);
  EXPECT_EQ(certificate.gapPpm(), 0);
  EXPECT_EQ(certificate.computed, 4000000000);
  EXPECT_EQ(certificate.exposed(certificate.plan.finish),
            certificate.plan.finish - certificate.computed);
  EXPECT_EQ(certificate.exposed(1), 0);
}

} // namespace
