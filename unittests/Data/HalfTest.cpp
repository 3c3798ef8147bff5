//===- HalfTest.cpp - Sixteen-bit floats against known values ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every f16 value survives the way through f32; ties round to even; overflow and subnormals are
// where IEEE 754 has them.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Half.h"

#include "gtest/gtest.h"

#include <cmath>

namespace ds {
namespace {

TEST(Half, EveryF16SurvivesTheRoundTrip) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float value = f16ToFloat(bits);
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(f16ToFloat(floatToF16(value))));
    else
      ASSERT_EQ(floatToF16(value), bits);
  }
}

TEST(Half, EveryBf16SurvivesTheRoundTrip) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float value = bf16ToFloat(bits);
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(bf16ToFloat(floatToBf16(value))));
    else
      ASSERT_EQ(floatToBf16(value), bits);
  }
}

TEST(Half, F16KnownValuesAndTies) {
  EXPECT_EQ(f16ToFloat(0x3c00), 1.0f);
  EXPECT_EQ(f16ToFloat(0x7bff), 65504.0f);
  EXPECT_EQ(f16ToFloat(0x0001), std::ldexp(1.0f, -24));
  EXPECT_EQ(floatToF16(65519.0f), 0x7bff);
  EXPECT_EQ(floatToF16(65520.0f), 0x7c00);
  EXPECT_EQ(floatToF16(1.0f + std::ldexp(1.0f, -11)), 0x3c00);     // tie, to even below
  EXPECT_EQ(floatToF16(1.0f + 3 * std::ldexp(1.0f, -11)), 0x3c02); // tie, to even above
  EXPECT_EQ(floatToF16(std::ldexp(1.0f, -25)), 0x0000);
  EXPECT_EQ(floatToF16(3 * std::ldexp(1.0f, -25)), 0x0002);
  EXPECT_EQ(floatToF16(-2.0f), 0xc000);
}

TEST(Half, Bf16TiesGoToEven) {
  EXPECT_EQ(floatToBf16(floatFromBits(0x3f808000)), 0x3f80);
  EXPECT_EQ(floatToBf16(floatFromBits(0x3f818000)), 0x3f82);
  EXPECT_EQ(floatToBf16(floatFromBits(0x3f808001)), 0x3f81);
}

} // namespace
} // namespace ds
