//===- CompareTest.cpp - The figure of --check and --replay -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boundary cases of max |a-b| / (atol + rtol |b|).
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Report/Compare.h"

#include "TestSupport.h"

#include <cmath>

namespace ds {
namespace {

Difference floats(const std::vector<float> &got, const std::vector<float> &reference) {
  std::vector<int64_t> shape = {int64_t(got.size())};
  return compareArrays("w", arrayOf(DataType::f32, shape, got),
                       arrayOf(DataType::f32, shape, reference), {0.5, 1});
}

TEST(Compare, ScalesByTheReference) {
  Difference difference = floats({0, 10, 6}, {0, 10, 4}); // 2 / (1 + 0.5 * 4)
  EXPECT_EQ(difference.absolute, 2);
  EXPECT_DOUBLE_EQ(difference.scaled, 2.0 / 3.0);
  EXPECT_TRUE(difference.acceptable());
}

TEST(Compare, JustAboveOneIsDifferent) {
  EXPECT_TRUE(floats({3}, {0 + 1.0f}).scaled > 1);
  EXPECT_TRUE(floats({1}, {0}).acceptable());
  EXPECT_FALSE(floats({1.0001f}, {0}).acceptable());
}

TEST(Compare, NanNeverPasses) {
  EXPECT_FALSE(floats({NAN}, {1}).acceptable());
  EXPECT_FALSE(floats({1}, {NAN}).acceptable());
  EXPECT_FALSE(floats({INFINITY}, {1}).acceptable());
  EXPECT_FALSE(floats({INFINITY}, {-INFINITY}).acceptable());
  EXPECT_TRUE(floats({NAN}, {NAN}).acceptable());
  EXPECT_TRUE(floats({INFINITY}, {INFINITY}).acceptable());
}

TEST(Compare, IntegersAreExact) {
  auto integers = [](int32_t a, int32_t b) {
    return compareArrays("n", arrayOf<int32_t>(DataType::i32, {1}, {a}),
                         arrayOf<int32_t>(DataType::i32, {1}, {b}), {0.5, 1000});
  };
  EXPECT_TRUE(integers(7, 7).acceptable());
  EXPECT_FALSE(integers(7, 8).acceptable());
  EXPECT_EQ(integers(7, 8).absolute, 1);
}

TEST(Compare, TheWorstKeepsItsName) {
  Difference total;
  total.include({"a", 5, 0.1});
  total.include({"b", 1, 0.7});
  total.include({"c", 2, 0.2});
  EXPECT_EQ(total.name, "b");
  EXPECT_EQ(total.absolute, 5);
  EXPECT_EQ(total.scaled, 0.7);
}

} // namespace
} // namespace ds
