//===- BucketPlanTest.cpp - which gradients share a bucket ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ds/Plan/BucketPlan.h"

#include <gtest/gtest.h>

using namespace ds;

namespace {

FusionPolicy byIndex(std::vector<int64_t> indices) {
  return {FusionPolicy::Mode::Index, std::move(indices), 0, 0};
}

/// How many of `count` members of `bytes` each land in every bucket.
std::vector<int> sizes(const FusionPolicy &policy, bool inclusive, int count, int64_t bytes = 4) {
  std::vector<BucketMember> members;
  for (int i = 0; i < count; ++i)
    members.push_back({i, bytes});
  std::vector<int> sizes;
  for (unsigned bucket : planBuckets(policy, inclusive, members)) {
    sizes.resize(std::max<size_t>(sizes.size(), bucket + 1));
    ++sizes[bucket];
  }
  return sizes;
}

TEST(BucketPlan, IndicesCountGradients) {
  EXPECT_EQ(sizes(byIndex({20, 35}), false, 50), (std::vector<int>{20, 15, 15}));
  EXPECT_EQ(sizes(byIndex({1}), false, 2), (std::vector<int>{1, 1}));
  EXPECT_EQ(sizes(byIndex({1, 2, 3}), false, 3), (std::vector<int>{1, 1, 1}));
}

TEST(BucketPlan, InclusiveIndicesEndTheirBucket) {
  EXPECT_EQ(sizes(byIndex({20, 35}), true, 50), (std::vector<int>{21, 15, 14}));
  EXPECT_EQ(sizes(byIndex({0}), true, 10), (std::vector<int>{1, 9}));
  EXPECT_EQ(sizes(byIndex({0, 1}), true, 10), (std::vector<int>{1, 1, 8}));
  EXPECT_EQ(sizes(byIndex({9}), true, 10), (std::vector<int>{10}));
  EXPECT_EQ(sizes(byIndex({2, 100}), true, 10), (std::vector<int>{3, 7}));
  EXPECT_EQ(sizes(byIndex({12}), true, 10), (std::vector<int>{10}));
  EXPECT_EQ(sizes(byIndex({2, 4, 6, 8}), true, 8), (std::vector<int>{3, 2, 2, 1}));
}

TEST(BucketPlan, IndicesBeyondTheCountSplitNothing) {
  EXPECT_EQ(sizes(byIndex({20, 35}), false, 20), (std::vector<int>{20}));
  EXPECT_EQ(ignoredIndices(byIndex({20, 35}), 21), (std::vector<int64_t>{35}));
  EXPECT_EQ(ignoredIndices(byIndex({20, 35}), 20), (std::vector<int64_t>{20, 35}));
  EXPECT_EQ(ignoredIndices(byIndex({20, 35}), 36), (std::vector<int64_t>{}));
}

TEST(BucketPlan, ABucketClosesWithTheMemberThatFillsIt) {
  FusionPolicy policy{FusionPolicy::Mode::Size, {}, 12, 0};
  EXPECT_EQ(sizes(policy, false, 7, 4), (std::vector<int>{3, 3, 1}));
  EXPECT_EQ(sizes(policy, false, 4, 11), (std::vector<int>{2, 2}));
  EXPECT_EQ(sizes(policy, false, 3, 12), (std::vector<int>{1, 1, 1}));
  policy.firstBytes = 4;
  EXPECT_EQ(sizes(policy, false, 7, 4), (std::vector<int>{1, 3, 3}));
}

TEST(BucketPlan, AllAndNone) {
  EXPECT_EQ(sizes({FusionPolicy::Mode::All, {}, 0, 0}, false, 5), (std::vector<int>{5}));
  EXPECT_EQ(sizes({FusionPolicy::Mode::None, {}, 0, 0}, false, 3), (std::vector<int>{1, 1, 1}));
  EXPECT_EQ(sizes({FusionPolicy::Mode::All, {}, 0, 0}, false, 0), (std::vector<int>{}));
}

} // namespace
