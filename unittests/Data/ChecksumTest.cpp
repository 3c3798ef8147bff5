//===- ChecksumTest.cpp - Damage that a checksum sees -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Checksum.h"
#include "ds/Data/Finite.h"

#include "Samples.h"
#include "TestSupport.h"

#include <cmath>
#include <limits>

namespace ds {
namespace {

class ChecksumTest : public TemporaryDirectory {
protected:
  Safetensors contents() {
    Safetensors contents;
    contents.metadata["ds.step"] = "20";
    std::vector<float> many(Checksum::chunkBytes / sizeof(float) + 3, 0.5f);
    contents.tensors["many"] = arrayOf<float>(DataType::f32, {int64_t(many.size())}, many);
    contents.tensors["none"] = arrayOf<float>(DataType::f32, {0}, {});
    contents.tensors["b"] = arrayOf<uint8_t>(DataType::u8, {3}, {1, 2, 3});
    seal(contents);
    return contents;
  }
  std::string check(const std::string &bytes) {
    auto file = SafetensorsFile::open(write("a", bytes));
    return file ? errorOf(checkSeal(*file, "a")) : errorOf(file.takeError());
  }
};

TEST_F(ChecksumTest, WhatWasSealedPasses) {
  cantFail(writeSafetensors(path("w"), contents()));
  EXPECT_EQ(check(ChecksumTest::TemporaryDirectory::contents("w")), "(no error)");
  Safetensors sealed = contents();
  EXPECT_EQ(errorOf(checkSeal(SafetensorsFile(sealed), "w")), "(no error)");
  EXPECT_EQ(check(sampleSafetensors()), "(no error)"); // never sealed
}

TEST_F(ChecksumTest, EveryBitCounts) {
  cantFail(writeSafetensors(path("w"), contents()));
  const std::string whole = ChecksumTest::TemporaryDirectory::contents("w");
  for (size_t at : {whole.size() - 1, whole.size() - 3, whole.size() / 2, size_t(4096)}) {
    std::string damaged = whole;
    damaged[at] ^= 16;
    expectSentence(check(damaged), {"cannot read 'a': it is damaged: its checksum is"});
  }
  std::string later = whole;
  later.replace(later.find("\"20\""), 4, "\"90\"");
  expectSentence(check(later), {"it is damaged"});
  std::string zeroed = whole;
  std::fill(zeroed.begin() + 4096, zeroed.end(), '\0');
  expectSentence(check(zeroed), {"it is damaged"});
  Safetensors renamed = contents();
  renamed.tensors["c"] = renamed.tensors["b"];
  renamed.tensors.erase("b");
  expectSentence(errorOf(checkSeal(SafetensorsFile(renamed), "a")), {"it is damaged"});
}

template <typename T> std::string found(DataType type, std::vector<T> values) {
  // A place beyond the first block, too.
  values.insert(values.begin(), 3000, T(1));
  return firstNotFinite(arrayOf<T>(type, {int64_t(values.size())}, values));
}

TEST(Finite, TheFirstThatIsNoneIsNamed) {
  const double inf = INFINITY;
  EXPECT_EQ(found<float>(DataType::f32, {0, -1, std::numeric_limits<float>::max()}), "");
  EXPECT_EQ(found<float>(DataType::f32, {float(inf), float(NAN)}), "inf");
  EXPECT_EQ(found<float>(DataType::f32, {float(-inf)}), "-inf");
  EXPECT_EQ(found<double>(DataType::f64, {std::numeric_limits<double>::max(), -NAN}), "nan");
  EXPECT_EQ(found<double>(DataType::f64, {std::numeric_limits<double>::denorm_min()}), "");
  EXPECT_EQ(found<uint16_t>(DataType::f16, {0x7bff, 0xfbff}), "");
  EXPECT_EQ(found<uint16_t>(DataType::f16, {0xfc00}), "-inf");
  EXPECT_EQ(found<uint16_t>(DataType::f16, {0xfc01}), "nan");
  EXPECT_EQ(found<uint16_t>(DataType::bf16, {0x7f7f, 0xff7f}), "");
  EXPECT_EQ(found<uint16_t>(DataType::bf16, {0x7f80}), "inf");
  EXPECT_EQ(found<uint16_t>(DataType::bf16, {0x7fc0}), "nan");
  EXPECT_EQ(found<int32_t>(DataType::i32, {0x7f800000, -1}), "");
  EXPECT_EQ(firstNotFinite(arrayOf<float>(DataType::f32, {0}, {})), "");
}

TEST(Finite, NanAlone) {
  Array values = arrayOf<float>(DataType::f32, {3}, {1, -INFINITY, NAN});
  EXPECT_EQ(firstNotFinite(values), "-inf");
  EXPECT_EQ(firstNan(values), "nan");
  EXPECT_EQ(firstNan(arrayOf<float>(DataType::f32, {2}, {INFINITY, 2})), "");
}

} // namespace
} // namespace ds
