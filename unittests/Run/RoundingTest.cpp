//===- RoundingTest.cpp - What rounding explains ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boundary pairs of the judge: explained and not.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Report/Rounding.h"

#include "TestSupport.h"

#include <cmath>

namespace ds {
namespace {

Array floats(const std::vector<float> &values) {
  return arrayOf(DataType::f32, {int64_t(values.size())}, values);
}

Spread samples(const std::vector<std::vector<float>> &all) {
  Spread spread;
  for (const std::vector<float> &sample : all)
    spread.include(floats(sample));
  return spread;
}

constexpr Tolerance tolerance{/*rtol=*/0, /*atol=*/1};

TEST(Rounding, ARangeIsThatOfTheElement) {
  Spread spread = samples({{0, 5}, {2, 5}, {-1, 5}});
  EXPECT_EQ(spread.width(0), 3);
  EXPECT_EQ(spread.width(1), 0);
}

TEST(Rounding, ExplainsFourRangesBesideTheTolerance) {
  Spread spread = samples({{0}, {2}});
  EXPECT_EQ(explain(floats({9}), floats({0}), spread, tolerance).unexplained, 0);
  EXPECT_EQ(explain(floats({9.001f}), floats({0}), spread, tolerance).unexplained, 1);
}

TEST(Rounding, WithinTheToleranceNothingNeedsExplaining) {
  Explanation found = explain(floats({1}), floats({0}), samples({{0}}), tolerance);
  EXPECT_EQ(found.beyond, 0);
  EXPECT_EQ(found.unexplained, 0);
}

TEST(Rounding, AnElementThatRoundingHardlyMovesKeepsItsTolerance) {
  // A third of the digits of an f32 is 2^-(46/3) = 2.42e-5.
  Tolerance exact{0, 0};
  Spread far = samples({{1}, {1 + 2.6e-5f}}), near = samples({{1}, {1 + 2.2e-5f}});
  EXPECT_EQ(explain(floats({1 + 2e-5f}), floats({1}), far, exact).unexplained, 0);
  EXPECT_EQ(explain(floats({1 + 2e-5f}), floats({1}), near, exact).unexplained, 1);
}

TEST(Rounding, NoiseOfANeighbourExplainsNothing) {
  // Four elements of a fused bias: the first two are zero but for rounding.
  Tolerance relative{/*rtol=*/1e-4, /*atol=*/0};
  Spread spread = samples({{-1e-6f, 1e-6f, 5, 5}, {1e-6f, -1e-6f, 5, 5}});
  Explanation found =
      explain(floats({3e-6f, 3e-6f, 5, 5.001f}), floats({-1e-6f, -1e-6f, 5, 5}), spread, relative);
  EXPECT_EQ(found.beyond, 3);
  EXPECT_EQ(found.unexplained, 1);
  EXPECT_FLOAT_EQ(found.got, 5.001f);
  EXPECT_FLOAT_EQ(found.expected, 5);
}

TEST(Rounding, WhatDecisionsMoveNeedNotBeTheSameElement) {
  // In each sample another element is far away, as behind ReLUs that rounding decides.
  Spread spread = samples({{5, 5, 5, 5}, {6, 5, 5, 5}, {5, 6, 5, 5}, {5, 5, 5, 6}});
  EXPECT_DOUBLE_EQ(spread.moves()[2], std::sqrt(3.0 / 4));
  EXPECT_EQ(explain(floats({5, 5, 8, 5}), floats({5, 5, 5, 5}), spread, tolerance).unexplained, 0);
  EXPECT_EQ(explain(floats({5, 5, 10, 5}), floats({5, 5, 5, 5}), spread, tolerance).unexplained, 1);
}

TEST(Rounding, NanIsNeverExplained) {
  Spread wide = samples({{-1e30f}, {1e30f}});
  EXPECT_EQ(explain(floats({NAN}), floats({0}), wide, tolerance).unexplained, 1);
  EXPECT_EQ(explain(floats({INFINITY}), floats({0}), wide, tolerance).unexplained, 1);
  EXPECT_EQ(explain(floats({NAN}), floats({NAN}), wide, tolerance).beyond, 0);
  // Samples that overflow say nothing of those that do not.
  Spread spoilt = samples({{-1}, {INFINITY}});
  EXPECT_EQ(explain(floats({3}), floats({0}), spoilt, tolerance).unexplained, 1);
}

TEST(Rounding, IntegersMoveOnlyWhereSamplesDo) {
  auto integers = [](int32_t value) { return arrayOf<int32_t>(DataType::i32, {1}, {value}); };
  Spread still, moving;
  for (int32_t value : {7, 7})
    still.include(integers(value));
  for (int32_t value : {7, 8})
    moving.include(integers(value));
  EXPECT_EQ(explain(integers(8), integers(7), still, {1, 100}).unexplained, 1);
  EXPECT_EQ(explain(integers(8), integers(7), moving, {1, 100}).unexplained, 0);
  EXPECT_EQ(explain(integers(12), integers(7), moving, {1, 100}).unexplained, 1);
}

} // namespace
} // namespace ds
