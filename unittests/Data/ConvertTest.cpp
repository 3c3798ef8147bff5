//===- ConvertTest.cpp - What converts and what is refused ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of Convert.h, each from both sides.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Convert.h"

#include "ds/Data/Half.h"

#include "TestSupport.h"

#include <cmath>
#include <limits>

namespace ds {
namespace {

TEST(Convert, BytesScaleToFloatAsDivisionDoes) {
  std::vector<uint8_t> all(256);
  for (int i = 0; i < 256; ++i)
    all[i] = i;
  auto result =
      cantFail(convertArray(arrayOf(DataType::u8, {256}, all), ElementType::f32, Scale{1, 255}));
  for (int i = 0; i < 256; ++i)
    EXPECT_EQ(valuesOf<float>(result)[i], float(i) / 255.0f);
}

TEST(Convert, AnArrayOfTheTypeIsNotCopied) {
  Array floats = arrayOf<float>(DataType::f32, {2}, {1, 2});
  EXPECT_EQ(cantFail(convertArray(floats, ElementType::f32)).data, floats.data);
  // A byte that is none of a boolean's is still found.
  Array flag = arrayOf<uint8_t>(DataType::boolean, {1}, {1});
  EXPECT_NE(cantFail(convertArray(flag, ElementType::i1)).data, flag.data);
}

TEST(Convert, Int64LabelsFitInt32) {
  auto labels = arrayOf<int64_t>(DataType::i64, {3}, {0, 9, -1});
  EXPECT_EQ(valuesOf<int32_t>(cantFail(convertArray(labels, ElementType::i32))),
            (std::vector<int32_t>{0, 9, -1}));
  auto large = arrayOf<int64_t>(DataType::i64, {3}, {0, 3000000000, 1});
  expectSentence(errorOf(convertArray(large, ElementType::i32)),
                 {"element 1, i64 3000000000, does not convert without loss to i32"});
}

TEST(Convert, UnsignedLimits) {
  auto edge = arrayOf<uint64_t>(DataType::u64, {1}, {uint64_t(1) << 63});
  expectSentence(errorOf(convertArray(edge, ElementType::i64)), {"9223372036854775808"});
  auto fits = arrayOf<uint64_t>(DataType::u64, {1}, {(uint64_t(1) << 63) - 1});
  EXPECT_EQ(valuesOf<int64_t>(cantFail(convertArray(fits, ElementType::i64)))[0], INT64_MAX);
}

TEST(Convert, IntegersBecomeFloatsOnlyIfExact) {
  auto exact = arrayOf<int32_t>(DataType::i32, {2}, {1 << 24, -3});
  EXPECT_EQ(valuesOf<float>(cantFail(convertArray(exact, ElementType::f32))),
            (std::vector<float>{16777216.0f, -3.0f}));
  auto inexact = arrayOf<int32_t>(DataType::i32, {1}, {(1 << 24) + 1});
  expectSentence(errorOf(convertArray(inexact, ElementType::f32)),
                 {"16777217", "explicit scale allows rounding"});
  EXPECT_EQ(valuesOf<float>(cantFail(convertArray(inexact, ElementType::f32, Scale{})))[0],
            16777216.0f);
  auto largest = arrayOf<int64_t>(DataType::i64, {1}, {INT64_MAX});
  EXPECT_NE(errorOf(convertArray(largest, ElementType::f64)), "(no error)");
}

TEST(Convert, FloatsNarrowButDoNotOverflow) {
  auto values = arrayOf<double>(DataType::f64, {2}, {0.1, HUGE_VAL});
  auto narrow = valuesOf<float>(cantFail(convertArray(values, ElementType::f32)));
  EXPECT_EQ(narrow[0], 0.1f);
  EXPECT_TRUE(std::isinf(narrow[1]));
  auto large = arrayOf<double>(DataType::f64, {2}, {1, 1e300});
  expectSentence(errorOf(convertArray(large, ElementType::f32)),
                 {"element 1, f64 1e+300, does not fit f32"});
  auto f16 = arrayOf<float>(DataType::f32, {1}, {70000});
  expectSentence(errorOf(convertArray(f16, ElementType::f16)), {"does not fit f16"});
}

TEST(Convert, DoubleToSixteenBitsRoundsOnce) {
  // Just above a tie of bf16 by less than float can see: rounding through float would fall to even.
  double above = 1.0 + std::ldexp(1.0, -8) + std::ldexp(1.0, -40);
  auto result =
      cantFail(convertArray(arrayOf<double>(DataType::f64, {1}, {above}), ElementType::bf16));
  EXPECT_EQ(valuesOf<uint16_t>(result)[0], 0x3f81);
  double below = 1.0 + 3 * std::ldexp(1.0, -8) - std::ldexp(1.0, -40);
  result = cantFail(convertArray(arrayOf<double>(DataType::f64, {1}, {below}), ElementType::bf16));
  EXPECT_EQ(valuesOf<uint16_t>(result)[0], 0x3f81);
}

TEST(Convert, FloatsBecomeIntegersOnlyIfWhole) {
  EXPECT_EQ(valuesOf<int32_t>(cantFail(
                convertArray(arrayOf<float>(DataType::f32, {2}, {3, -4}), ElementType::i32))),
            (std::vector<int32_t>{3, -4}));
  for (float bad : {0.5f, 3e9f, NAN, INFINITY})
    EXPECT_NE(errorOf(convertArray(arrayOf<float>(DataType::f32, {1}, {bad}), ElementType::i32)),
              "(no error)");
}

TEST(Convert, BooleansAreZeroOrOne) {
  EXPECT_EQ(valuesOf<uint8_t>(cantFail(
                convertArray(arrayOf<uint8_t>(DataType::u8, {2}, {0, 1}), ElementType::i1))),
            (std::vector<uint8_t>{0, 1}));
  expectSentence(
      errorOf(convertArray(arrayOf<uint8_t>(DataType::u8, {2}, {0, 2}), ElementType::i1)),
      {"element 1, u8 2"});
  EXPECT_EQ(valuesOf<float>(cantFail(
                convertArray(arrayOf<uint8_t>(DataType::boolean, {2}, {0, 1}), ElementType::f32))),
            (std::vector<float>{0, 1}));
}

TEST(Convert, OneByteSourcesAreJudgedByTheValuesTheyHold) {
  EXPECT_EQ(errorOf(convertArray(arrayOf<uint8_t>(DataType::u8, {1}, {127}), ElementType::i8)),
            "(no error)");
  EXPECT_NE(errorOf(convertArray(arrayOf<uint8_t>(DataType::u8, {1}, {128}), ElementType::i8)),
            "(no error)");
}

TEST(Convert, BlocksDoNotMatter) {
  std::vector<int32_t> many(2000);
  for (int i = 0; i < 2000; ++i)
    many[i] = i;
  Array source = arrayOf(DataType::i32, {2000}, many);
  auto converter = cantFail(Converter::create(source, ElementType::f32));
  std::vector<float> part(1200);
  converter.convert(700, 1200, part.data());
  for (int i = 0; i < 1200; ++i)
    ASSERT_EQ(part[i], float(700 + i));
  many[1500] = (1 << 24) + 1;
  expectSentence(errorOf(convertArray(arrayOf(DataType::i32, {2000}, many), ElementType::f32)),
                 {"element 1500,"});
}

TEST(Convert, EveryTypeAsDouble) {
  EXPECT_EQ(toDoubles(arrayOf<uint16_t>(DataType::f16, {1}, {0x3c00}))[0], 1.0);
  EXPECT_EQ(toDoubles(arrayOf<uint16_t>(DataType::bf16, {1}, {0xbf80}))[0], -1.0);
  EXPECT_EQ(toDoubles(arrayOf<uint32_t>(DataType::u32, {1}, {4000000000u}))[0], 4e9);
  EXPECT_EQ(toDoubles(arrayOf<int16_t>(DataType::i16, {1}, {-7}))[0], -7.0);
}

TEST(Convert, WhatAScaleMakesTooLargeIsNamed) {
  Array large = arrayOf<double>(DataType::f64, {1}, {1e38});
  expectSentence(errorOf(Converter::create(large, ElementType::f32, Scale{10, 1})),
                 {"element 0, f64 1e+38 after scaling, does not fit f32"});
}

} // namespace
} // namespace ds
