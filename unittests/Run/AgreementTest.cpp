//===- AgreementTest.cpp - Records that differ ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Agreement.h"

#include "TestSupport.h"

namespace ds {
namespace {

TEST(Agreement, EqualRecordsAgree) {
  StartRecord record = {{"--seed", "3"}, {"the step", "one with hash 1"}};
  EXPECT_EQ(errorOf(compareRecords({record, record, record})), "(no error)");
}

TEST(Agreement, TheFirstDifferenceIsToldWithItsRanks) {
  StartRecord zero = {{"the version of ds", "0.1.0"}, {"--seed", "3"}, {"the step", "a"}};
  StartRecord other = {{"the version of ds", "0.1.0"}, {"--seed", "4"}, {"the step", "b"}};
  StartRecord third = {{"the version of ds", "0.1.0"}, {"--seed", "5"}, {"the step", "b"}};
  EXPECT_EQ(errorOf(compareRecords({zero, zero, other, other, third})),
            "the ranks do not start alike: --seed is 4 on ranks 2 and 3, but 3 on rank 0");
  StartRecord older = zero;
  older[0].second = "0.0.9";
  EXPECT_EQ(
      errorOf(compareRecords({zero, older})),
      "the ranks do not start alike: the version of ds is 0.0.9 on rank 1, but 0.1.0 on rank 0");
}

TEST(Agreement, WhatOneRankLacksIsADifference) {
  StartRecord one = {{"--seed", "3"}}, two = {{"--seed", "3"}, {"--arg lr", "0.5"}};
  EXPECT_EQ(errorOf(compareRecords({one, two})),
            "the ranks do not start alike: --arg lr is 0.5 on rank 1, but not there on rank 0");
  EXPECT_EQ(errorOf(compareRecords({two, one})),
            "the ranks do not start alike: --arg lr is not there on rank 1, but 0.5 on rank 0");
}

TEST(Agreement, HashesTellOneBit) {
  std::vector<uint8_t> bytes(1000, 7), other = bytes;
  other[999] ^= 1;
  EXPECT_EQ(contentHash(bytes), contentHash(std::vector<uint8_t>(1000, 7)));
  EXPECT_NE(contentHash(bytes), contentHash(other));
  float value = 1;
  NamedArrays scalar = {{"a", Array::copy(DataType::f32, {}, &value)}};
  NamedArrays vector = {{"a", Array::copy(DataType::f32, {1}, &value)}};
  EXPECT_NE(contentHash(scalar), contentHash(vector));
}

TEST(Agreement, RanksAreListed) {
  EXPECT_EQ(ranksText({3}), "rank 3");
  EXPECT_EQ(ranksText({0, 2}), "ranks 0 and 2");
  EXPECT_EQ(ranksText({0, 2, 5}), "ranks 0, 2 and 5");
}

} // namespace
} // namespace ds
