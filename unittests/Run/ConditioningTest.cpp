//===- ConditioningTest.cpp - What rounding explains ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boundary pairs of the judge: explained and not, ill-conditioned and not.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Conditioning.h"

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

TEST(Conditioning, ARangeIsThatOfTheElement) {
  Spread spread = samples({{0, 5}, {2, 5}, {-1, 5}});
  EXPECT_EQ(spread.width(0), 3);
  EXPECT_EQ(spread.width(1), 0);
}

TEST(Conditioning, ExplainsFourRangesBesideTheTolerance) {
  Spread spread = samples({{0}, {2}});
  EXPECT_EQ(explain(floats({9}), floats({0}), spread, tolerance).unexplained, 0);
  EXPECT_EQ(explain(floats({9.001f}), floats({0}), spread, tolerance).unexplained, 1);
}

TEST(Conditioning, WithinTheToleranceNothingNeedsExplaining) {
  Explanation found = explain(floats({1}), floats({0}), samples({{0}}), tolerance);
  EXPECT_EQ(found.beyond, 0);
  EXPECT_EQ(found.unexplained, 0);
}

TEST(Conditioning, AWellConditionedElementKeepsItsTolerance) {
  // A third of the digits of an f32 is 2^-(46/3) = 2.42e-5.
  Tolerance exact{0, 0};
  Spread ill = samples({{1}, {1 + 2.6e-5f}}), well = samples({{1}, {1 + 2.2e-5f}});
  EXPECT_EQ(explain(floats({1 + 2e-5f}), floats({1}), ill, exact).unexplained, 0);
  EXPECT_EQ(explain(floats({1 + 2e-5f}), floats({1}), well, exact).unexplained, 1);
}

TEST(Conditioning, NoiseOfANeighbourExplainsNothing) {
  // Four elements of a fused bias: the first two are zero but for rounding.
  Tolerance relative{/*rtol=*/1e-4, /*atol=*/0};
  Spread spread = samples({{-1e-6f, 1e-6f, 5, 5}, {1e-6f, -1e-6f, 5, 5}});
  Explanation found =
      explain(floats({3e-6f, 3e-6f, 5, 5.001f}), floats({-1e-6f, -1e-6f, 5, 5}), spread, relative);
  EXPECT_EQ(found.beyond, 3);
  EXPECT_EQ(found.unexplained, 1);
  EXPECT_FLOAT_EQ(found.difference, 4e-6f);
  EXPECT_FLOAT_EQ(found.moves, 2e-6f);
}

TEST(Conditioning, WhatDecisionsMoveNeedNotBeTheSameElement) {
  // In each sample another element is far away, as behind ReLUs that rounding decides.
  Spread spread = samples({{5, 5, 5, 5}, {6, 5, 5, 5}, {5, 6, 5, 5}, {5, 5, 5, 6}});
  EXPECT_DOUBLE_EQ(spread.moves()[2], std::sqrt(3.0 / 4));
  EXPECT_EQ(explain(floats({5, 5, 8, 5}), floats({5, 5, 5, 5}), spread, tolerance).unexplained, 0);
  EXPECT_EQ(explain(floats({5, 5, 10, 5}), floats({5, 5, 5, 5}), spread, tolerance).unexplained, 1);
  EXPECT_TRUE(checkRounding(floats({5, 5, 8, 5}), floats({5, 5, 5, 5}), spread, 0).acceptable());
  EXPECT_FALSE(checkRounding(floats({5, 5, 10, 5}), floats({5, 5, 5, 5}), spread, 0).acceptable());
}

TEST(Conditioning, AnOpenSignLeavesTheWholeUpdateOpen) {
  // Adam moves each of eight weights by 1 against the sign of its gradient, which the samples show
  // of the first alone. Gradients move by 0.5: up to 4 of these their sign is open.
  Spread gradient = samples({std::vector<float>(8, 0), std::vector<float>(8, 0.5f)});
  Spread weight = samples({{1, 1, 1, 1, 1, 1, 1, 1}, {-1, 1, 1, 1, 1, 1, 1, 1}});
  Array expected = floats(std::vector<float>(8, 1)), got = floats({1, 1, -5, 1, 1, 1, 1, 1});
  EXPECT_EQ(explain(got, expected, weight, tolerance).unexplained, 1);
  EXPECT_FALSE(checkRounding(got, expected, weight, 0).acceptable());

  weight.leaveSignsOpen(floats({0, 9, 2, 9, 9, 9, 9, 9}), gradient);
  EXPECT_EQ(explain(got, expected, weight, tolerance).unexplained, 0);
  EXPECT_TRUE(checkRounding(got, expected, weight, 0).acceptable());
  weight.leaveSignsOpen(floats({0, 9, -2.01f, 9, 9, 9, 9, 9}), gradient);
  EXPECT_EQ(explain(got, expected, weight, tolerance).unexplained, 1);
  // A gradient that no sample moves has its sign, zero or not.
  weight.leaveSignsOpen(floats(std::vector<float>(8, 0)), samples({std::vector<float>(8, 0)}));
  EXPECT_EQ(explain(got, expected, weight, tolerance).unexplained, 1);
}

TEST(Conditioning, NanIsNeverExplained) {
  Spread wide = samples({{-1e30f}, {1e30f}});
  EXPECT_EQ(explain(floats({NAN}), floats({0}), wide, tolerance).unexplained, 1);
  EXPECT_EQ(explain(floats({INFINITY}), floats({0}), wide, tolerance).unexplained, 1);
  EXPECT_EQ(explain(floats({NAN}), floats({NAN}), wide, tolerance).beyond, 0);
  // Samples that overflow say nothing of those that do not.
  Spread spoilt = samples({{-1}, {INFINITY}});
  EXPECT_EQ(explain(floats({3}), floats({0}), spoilt, tolerance).unexplained, 1);
}

TEST(Conditioning, IntegersMoveOnlyWhereSamplesDo) {
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

TEST(Conditioning, GradientsHaveNoAbsoluteTolerance) {
  // Noise of 1e-9, and an error of 1e-7 that any absolute tolerance would pass.
  Spread noise = samples({{-5e-10f}, {5e-10f}});
  EXPECT_TRUE(checkRounding(floats({3e-9f}), floats({0}), noise, 2e-4).acceptable());
  RoundingCheck check = checkRounding(floats({1e-7f}), floats({0}), noise, 2e-4);
  EXPECT_FALSE(check.acceptable());
  EXPECT_FLOAT_EQ(check.got, 1e-7f);
  EXPECT_FLOAT_EQ(check.moves, 1e-9f);
}

TEST(Conditioning, GradientsMayDifferByTheRelativeTolerance) {
  Spread still = samples({{1}});
  EXPECT_TRUE(checkRounding(floats({1.00019f}), floats({1}), still, 2e-4).acceptable());
  EXPECT_FALSE(checkRounding(floats({1.001f}), floats({1}), still, 2e-4).acceptable());
  EXPECT_FALSE(checkRounding(floats({-1}), floats({1}), still, 2e-4).acceptable());
  EXPECT_FALSE(checkRounding(floats({NAN}), floats({1}), still, 2e-4).acceptable());
}

TEST(Conditioning, AnUlpOfTheLargestElementIsNoError) {
  Spread still = samples({{1, 0}});
  EXPECT_TRUE(checkRounding(floats({1, 1e-7f}), floats({1, 0}), still, 2e-4).acceptable());
  EXPECT_FALSE(checkRounding(floats({1, 2e-7f}), floats({1, 0}), still, 2e-4).acceptable());
}

} // namespace
} // namespace ds
