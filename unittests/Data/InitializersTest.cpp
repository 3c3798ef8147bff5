//===- InitializersTest.cpp - Initial values --------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributions by their moments and bounds, fans by known limits, and a recording that must hold
// on every machine.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Initializers.h"

#include "ds/Data/Convert.h"
#include "ds/Data/Random.h"

#include "TestSupport.h"

#include <cmath>

namespace ds {
namespace {

std::vector<double> values(const std::string &text, std::vector<int64_t> shape, uint64_t seed = 0,
                           const std::string &name = "w") {
  return toDoubles(cantFail(initialValue(text, name, ElementType::f32, shape, seed)));
}

double deviation(const std::vector<double> &values) {
  double sum = 0, squares = 0;
  for (double value : values) {
    sum += value;
    squares += value * value;
  }
  double mean = sum / values.size();
  return std::sqrt(squares / values.size() - mean * mean);
}

double largest(const std::vector<double> &values) {
  double result = 0;
  for (double value : values)
    result = std::max(result, std::fabs(value));
  return result;
}

TEST(Initializers, Constants) {
  EXPECT_EQ(values("zeros", {2}), (std::vector<double>{0, 0}));
  EXPECT_EQ(values("ones", {2}), (std::vector<double>{1, 1}));
  EXPECT_EQ(values("constant(65536)", {}), std::vector<double>{65536});
}

TEST(Initializers, GlorotUniformFillsItsLimit) {
  double limit = std::sqrt(6.0 / (300 + 200));
  auto dense = values("glorot_uniform", {300, 200});
  EXPECT_LE(largest(dense), limit);
  EXPECT_GT(largest(dense), 0.999 * limit);
  EXPECT_NEAR(deviation(dense), limit / std::sqrt(3), 0.01 * limit);
}

TEST(Initializers, ConvolutionKernelsAreHwio) {
  double limit = std::sqrt(6.0 / (9 * (16 + 32)));
  auto kernel = values("glorot_uniform", {3, 3, 16, 32});
  EXPECT_LE(largest(kernel), limit);
  EXPECT_GT(largest(kernel), 0.99 * limit);
}

TEST(Initializers, HeNormalIsTruncatedWithTheRightDeviation) {
  double wanted = std::sqrt(2.0 / 200);
  auto kernel = values("he_normal", {200, 400});
  EXPECT_NEAR(deviation(kernel), wanted, 0.01 * wanted);
  EXPECT_LE(largest(kernel), 2 * wanted / 0.8796);
}

TEST(Initializers, NormalHasItsDeviationAndTails) {
  auto normal = values("normal(0.02)", {100000});
  EXPECT_NEAR(deviation(normal), 0.02, 0.0002);
  EXPECT_GT(largest(normal), 0.07);
}

TEST(Initializers, SeedAndNameDecide) {
  auto base = values("normal(1)", {4});
  EXPECT_EQ(base, values("normal(1)", {4}));
  EXPECT_NE(base, values("normal(1)", {4}, 1));
  EXPECT_NE(base, values("normal(1)", {4}, 0, "v"));
}

TEST(Initializers, AreTheSameOnEveryMachine) {
  // Recorded bits; a change breaks every comparison with an earlier run.
  auto array = cantFail(initialValue("normal(1)", "w", ElementType::f32, {3}, 0));
  EXPECT_EQ(valuesOf<uint32_t>(array), (std::vector<uint32_t>{3189453652, 3210564591, 3195270428}));
}

TEST(RandomStream, NormalAgreesWithTheLogarithmOfTheLibrary) {
  // The polar method again, with libm: equal but for the last bits.
  RandomStream ours(9), uniform(9);
  for (int i = 0; i < 10000; ++i) {
    double u, v, s;
    do {
      u = 2 * uniform.uniform() - 1;
      v = 2 * uniform.uniform() - 1;
      s = u * u + v * v;
    } while (s >= 1 || s == 0);
    double factor = std::sqrt(-2 * std::log(s) / s);
    double first = ours.normal(), second = ours.normal();
    ASSERT_NEAR(first, u * factor, 1e-13 * (1 + std::fabs(first)));
    ASSERT_NEAR(second, v * factor, 1e-13 * (1 + std::fabs(second)));
  }
}

TEST(Initializers, MistakesAreOneSentence) {
  auto message = [](const std::string &text, ElementType type, std::vector<int64_t> shape) {
    return errorOf(initialValue(text, "w", type, shape, 0));
  };
  expectSentence(message("glorot", ElementType::f32, {2, 2}),
                 {"initial value 'glorot' of 'w': expected zeros, ones"});
  expectSentence(message("glorot_uniform", ElementType::f32, {2}),
                 {"needs at least two dimensions", "got 2"});
  expectSentence(message("normal(0.02)", ElementType::i32, {2}),
                 {"needs a floating-point type, got i32"});
  expectSentence(message("normal(x)", ElementType::f32, {2}), {"'x' is no non-negative number"});
  expectSentence(message("normal(-1)", ElementType::f32, {2}), {"'-1' is no non-negative number"});
  expectSentence(message("constant()", ElementType::f32, {2}), {"'' is no number"});
  expectSentence(errorOf(initialValue("constant(0.5)", "n", ElementType::i32, {1}, 0)),
                 {"initial value 'constant(0.5)' of 'n'", "does not fit i32"});
}

} // namespace
} // namespace ds
