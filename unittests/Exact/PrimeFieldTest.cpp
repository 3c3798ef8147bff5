//===- PrimeFieldTest.cpp - integers modulo a prime -----------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Exact/PrimeField.h"

#include "llvm/ADT/APFloat.h"

#include <gtest/gtest.h>
#include <limits>

using namespace ds;
using llvm::APFloat;

namespace {

class BothPrimes : public testing::TestWithParam<int64_t> {
protected:
  PrimeField field{GetParam()};
};

TEST_P(BothPrimes, IsPrime) {
  for (int64_t divisor = 2; divisor * divisor <= field.prime(); ++divisor)
    ASSERT_NE(field.prime() % divisor, 0) << divisor;
}

TEST_P(BothPrimes, ElementsAreNearestToZero) {
  int64_t p = field.prime(), half = (p - 1) / 2;
  EXPECT_EQ(field.reduce(half), half);
  EXPECT_EQ(field.reduce(half + 1), -half);
  EXPECT_EQ(field.reduce(-half - 1), half);
  EXPECT_EQ(field.reduce(p), 0);
  EXPECT_EQ(field.reduce(-p), 0);
  for (int64_t extreme :
       {std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()}) {
    EXPECT_LE(std::abs(field.reduce(extreme)), half);
    EXPECT_EQ((__int128(extreme) - field.reduce(extreme)) % p, 0);
  }
}

TEST_P(BothPrimes, EveryElementButZeroHasAnInverse) {
  EXPECT_EQ(field.inverse(0), 0);
  for (int64_t x :
       {int64_t(1), int64_t(-1), int64_t(2), int64_t(7919), field.largest(), -field.largest()})
    EXPECT_EQ(field.multiply(x, field.inverse(x)), 1) << x;
}

TEST_P(BothPrimes, FloatsAreReadExactly) {
  EXPECT_EQ(field.read(APFloat(0.0)), 0);
  EXPECT_EQ(field.read(APFloat(-0.0f)), 0);
  EXPECT_EQ(field.read(APFloat(-3.0f)), -3);
  EXPECT_EQ(field.multiply(field.read(APFloat(0.25)), 4), 1);
  EXPECT_EQ(field.read(APFloat(1024.0f)), 1024);
  // A sum that is exact in floats is one here.
  EXPECT_EQ(field.reduce(field.read(APFloat(1.5f)) + field.read(APFloat(0.375f))),
            field.read(APFloat(1.875f)));
  // The same number in two widths, also where one is denormal.
  EXPECT_EQ(field.read(APFloat(0.1f)), field.read(APFloat(double(0.1f))));
  float denormal = std::numeric_limits<float>::denorm_min() * 5;
  EXPECT_EQ(field.read(APFloat(denormal)), field.read(APFloat(double(denormal))));
  EXPECT_NE(field.read(APFloat(0.1f)), field.read(APFloat(0.1)));
}

TEST_P(BothPrimes, AShareOfTheRanksIsExact) {
  for (int64_t ranks : {2, 3, 5, 6, 7, 12})
    for (const APFloat &one : {APFloat(1.0f), APFloat(1.0), APFloat::getOne(APFloat::BFloat())}) {
      APFloat share = one;
      share.divide(APFloat(one.getSemantics(), static_cast<uint64_t>(ranks)),
                   APFloat::rmNearestTiesToEven);
      EXPECT_EQ(field.multiply(field.read(share, ranks), ranks), 1) << ranks;
      APFloat scaled = scalbn(share, -3, APFloat::rmNearestTiesToEven);
      scaled.changeSign();
      EXPECT_EQ(field.multiply(field.read(scaled, ranks), -8 * ranks), 1) << ranks;
      APFloat beside = share;
      beside.next(false);
      EXPECT_NE(field.read(beside, ranks), field.read(share, ranks)) << ranks;
    }
}

TEST_P(BothPrimes, InfinitiesAreTheOutermostElements) {
  EXPECT_EQ(field.read(APFloat::getInf(APFloat::IEEEsingle())), field.largest());
  EXPECT_EQ(field.read(APFloat::getInf(APFloat::BFloat(), true)), -field.largest());
  EXPECT_LE(std::abs(field.read(APFloat::getNaN(APFloat::IEEEhalf()))), field.largest());
}

INSTANTIATE_TEST_SUITE_P(Primes, BothPrimes,
                         testing::Values(PrimeField::firstPrime, PrimeField::secondPrime));

} // namespace
