//===- NpyTest.cpp - .npy and .npz files, sound and damaged -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers as NumPy writes them, and everything that it does not.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Npy.h"

#include "Samples.h"
#include "TestSupport.h"

#include <cstring>
#include <fstream>
#include <malloc.h>
#include <unistd.h>

namespace ds {
namespace {

using Npy = TemporaryDirectory;

TEST_F(Npy, ReadsVersions1To3) {
  for (int version : {1, 2, 3}) {
    auto array = readNpy(write("a.npy", sampleNpy(version)));
    ASSERT_TRUE(bool(array)) << errorOf(std::move(array));
    EXPECT_EQ(array->shape, (std::vector<int64_t>{2, 3}));
    EXPECT_EQ(valuesOf<float>(*array), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  }
}

TEST_F(Npy, FortranOrderBecomesRowMajor) {
  auto array = readNpy(write("a.npy", npy("{'descr': '<i2', 'fortran_order': True, "
                                          "'shape': (2, 3)}",
                                          rawBytes<int16_t>({0, 3, 1, 4, 2, 5}))));
  ASSERT_TRUE(bool(array)) << errorOf(std::move(array));
  EXPECT_EQ(valuesOf<int16_t>(*array), (std::vector<int16_t>{0, 1, 2, 3, 4, 5}));
}

TEST_F(Npy, FortranOrderOfThreeDimensions) {
  // Element (i, j, k) is 100i + 10j + k; the first index is the densest.
  std::string data;
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i)
        data += rawBytes<int32_t>({100 * i + 10 * j + k});
  auto array = cantFail(readNpy(
      write("a.npy", npy("{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3, 2)}", data))));
  EXPECT_EQ(valuesOf<int32_t>(array),
            (std::vector<int32_t>{0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121}));
}

TEST_F(Npy, BigEndianIsSwapped) {
  auto array = cantFail(readNpy(write(
      "a.npy", npy("{'descr': '>i4', 'fortran_order': False, 'shape': (1,)}", bigEndian(258)))));
  EXPECT_EQ(valuesOf<int32_t>(array), std::vector<int32_t>{258});
}

TEST_F(Npy, ScalarsAndEmptyArrays) {
  auto scalar =
      cantFail(readNpy(write("a.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': ()}",
                                          rawBytes<double>({2.5})))));
  EXPECT_TRUE(scalar.shape.empty());
  EXPECT_EQ(valuesOf<double>(scalar), std::vector<double>{2.5});
  auto empty = cantFail(readNpy(
      write("b.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3)}", ""))));
  EXPECT_EQ(empty.elements(), 0);
}

TEST_F(Npy, TwoByteVoidIsBfloat16) {
  for (const char *descr : {"<V2", "|V2", "bfloat16"}) {
    auto array =
        cantFail(readNpy(write("a.npy", npy("{'descr': '" + std::string(descr) +
                                                "', 'fortran_order': False, 'shape': (1,)}",
                                            littleEndian(0x3f80, 2)))));
    EXPECT_EQ(array.type, DataType::bf16);
  }
}

TEST_F(Npy, DamagedHeadersAreRefused) {
  auto message = [&](const std::string &bytes) { return errorOf(readNpy(write("a.npy", bytes))); };
  expectSentence(message("hello, world"), {"/a.npy'", "not an .npy file"});
  std::string sound = sampleNpy();
  expectSentence(message(sound.substr(0, 60)), {"header ends early: expected 118 bytes, got 50"});
  expectSentence(message(sound.substr(0, sound.size() - 1)),
                 {"promises 2x3 elements of f32, 24 bytes, but 23 bytes follow"});
  std::string version = sound;
  version[6] = 9;
  expectSentence(message(version), {"unknown .npy version 9"});
  for (const char *dictionary :
       {"{'descr': '<f4', 'shape': (1,)}", "{'descr': '<f4', 'fortran_order': False, 'shape': (1}",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "", "{",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}"})
    expectSentence(message(npy(dictionary, "1234")), {"header is not a dictionary"});
  expectSentence(message(npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "1234")),
                 {"elements of type '|O' are not supported"});
  expectSentence(
      message(
          npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4)}", "")),
      {"promises 4611686018427387904x4", "but 0 bytes follow"});
  expectSentence(message(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", "1234")),
                 {"promises -1 elements"});
}

using Npz = TemporaryDirectory;

TEST_F(Npz, ReadsStoredAndDeflatedMembers) {
  for (bool deflated : {false, true}) {
    auto reader = NpzReader::open(write("a.npz", zip("x.npy", sampleNpy(), deflated)));
    ASSERT_TRUE(bool(reader)) << errorOf(std::move(reader));
    EXPECT_EQ((*reader)->names(), std::vector<std::string>{"x"});
    auto array = (*reader)->read("x");
    ASSERT_TRUE(bool(array)) << errorOf(std::move(array));
    EXPECT_EQ(valuesOf<float>(*array), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  }
}

TEST_F(Npz, WhatIsWrittenIsRead) {
  NamedArrays arrays;
  arrays["a"] = arrayOf<float>(DataType::f32, {2, 2}, {1, 2, 3, 4});
  arrays["b.c"] = arrayOf<int64_t>(DataType::i64, {}, {-5});
  arrays["empty"] = arrayOf<float>(DataType::f32, {0, 4}, {});
  arrays["half"] = arrayOf<uint16_t>(DataType::bf16, {1}, {0x3f80});
  ASSERT_EQ(errorOf(writeNpz(path("a.npz"), arrays)), "(no error)");
  auto reader = cantFail(NpzReader::open(path("a.npz")));
  EXPECT_EQ(reader->names().size(), 4u);
  EXPECT_EQ(valuesOf<float>(cantFail(reader->read("a"))), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(valuesOf<int64_t>(cantFail(reader->read("b.c"))), std::vector<int64_t>{-5});
  EXPECT_EQ(cantFail(reader->read("empty")).shape, (std::vector<int64_t>{0, 4}));
  EXPECT_EQ(cantFail(reader->read("half")).type, DataType::bf16);
  EXPECT_EQ(files(), std::vector<std::string>{"a.npz"});
}

TEST_F(Npz, TheSameArraysMakeTheSameFile) {
  NamedArrays arrays;
  arrays["a"] = arrayOf<float>(DataType::f32, {1}, {1});
  ASSERT_EQ(errorOf(writeNpz(path("1"), arrays)), "(no error)");
  ASSERT_EQ(errorOf(writeNpz(path("2"), arrays)), "(no error)");
  EXPECT_EQ(contents("1"), contents("2"));
}

TEST_F(Npz, AMissingArrayIsNamed) {
  auto reader = cantFail(NpzReader::open(write("a.npz", zip("x.npy", sampleNpy(), false))));
  expectSentence(errorOf(reader->read("y")), {"/a.npz'", "there is no array 'y'"});
}

TEST_F(Npz, ANameThatComesTwiceIsNamed) {
  NamedArrays arrays;
  for (const char *name : {"first", "other"})
    arrays[name] = arrayOf<float>(DataType::f32, {1}, {1});
  ASSERT_EQ(errorOf(writeNpz(path("a.npz"), arrays)), "(no error)");
  std::string bytes = contents("a.npz");
  for (size_t at; (at = bytes.find("other.npy")) != std::string::npos;)
    bytes.replace(at, 5, "first");
  expectSentence(errorOf(NpzReader::open(write("b.npz", bytes))),
                 {"/b.npz'", "it holds two arrays called 'first', expected one of a name"});
}

TEST_F(Npz, WhatIsNotAskedForIsNotInMemory) {
  auto resident = [] {
    long all = 0, pages = 0;
    std::ifstream("/proc/self/statm") >> all >> pages;
    return pages * sysconf(_SC_PAGESIZE);
  };
  constexpr int64_t large = int64_t(64) << 20;
  {
    NamedArrays arrays;
    uint8_t *bytes = nullptr;
    arrays["large"] = Array::allocate(DataType::u8, {large}, &bytes);
    memset(bytes, 7, large);
    arrays["small"] = arrayOf<float>(DataType::f32, {1}, {5});
    ASSERT_EQ(errorOf(writeNpz(path("a.npz"), arrays)), "(no error)");
  }
  malloc_trim(0);
  long before = resident();
  auto reader = cantFail(NpzReader::open(path("a.npz")));
  EXPECT_EQ(valuesOf<float>(cantFail(reader->read("small"))), std::vector<float>{5});
  EXPECT_LT(resident() - before, large / 4);
}

TEST_F(Npz, DamageIsFound) {
  std::string sound = zip("x.npy", sampleNpy(), true);
  expectSentence(errorOf(NpzReader::open(write("a.npz", sound.substr(0, sound.size() - 30)))),
                 {"not a sound .npz"});
  expectSentence(errorOf(NpzReader::open(write("b.npz", zip("x.txt", "text", false)))),
                 {"member 'x.txt' is no .npy"});
  std::string stored = zip("x.npy", sampleNpy(), false);
  stored[35 + 128 + 10] ^= 1; // one bit of the data
  auto reader = cantFail(NpzReader::open(write("c.npz", stored)));
  expectSentence(errorOf(reader->read("x")), {"/c.npz': 'x'", "CRC"});
}

TEST_F(Npz, AMemberOfAnotherSizeThanItClaimsIsRefused) {
  for (char claimed : {char(100), char(200)}) {
    std::string bytes = zip("x.npy", sampleNpy(), true);
    size_t central = bytes.find("PK\1\2");
    bytes[22] = bytes[central + 24] = claimed;
    auto reader = NpzReader::open(write("a.npz", bytes));
    if (reader)
      expectSentence(errorOf((*reader)->read("x")), {"/a.npz': 'x'"});
    else
      expectSentence(errorOf(std::move(reader)), {"not a sound .npz"});
  }
}

TEST_F(Npz, AForgedSizeAllocatesNothing) {
  std::string bytes = zip("x.npy", sampleNpy(), true);
  // The uncompressed size stands in both headers.
  size_t central = bytes.find("PK\1\2");
  bytes.replace(22, 4, "\xf0\xff\xff\xff");
  bytes.replace(central + 24, 4, "\xf0\xff\xff\xff");
  auto reader = NpzReader::open(write("a.npz", bytes));
  if (!reader)
    expectSentence(errorOf(std::move(reader)), {"not a sound .npz"});
  else
    expectSentence(errorOf((*reader)->read("x")), {"more than the file can hold"});
}

TEST_F(Npz, AnUnwritableDestinationIsOneSentence) {
  NamedArrays arrays;
  arrays["a"] = arrayOf<float>(DataType::f32, {1}, {1});
  expectSentence(errorOf(writeNpz(path("no/a.npz"), arrays)), {"there is no directory"});
}

TEST_F(Npy, AFileThatGzipHasCompressedIsRead) {
  for (int version : {1, 2}) {
    auto array = readNpyGz(write("a.npy.gz", gzip(sampleNpy(version))));
    ASSERT_TRUE(bool(array)) << errorOf(std::move(array));
    EXPECT_EQ(array->shape, (std::vector<int64_t>{2, 3}));
    EXPECT_EQ(valuesOf<float>(*array), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  }
  auto message = [&](const std::string &bytes) {
    return errorOf(readNpyGz(write("a.npy.gz", gzip(bytes))));
  };
  const std::string whole = sampleNpy();
  expectSentence(message(whole.substr(0, whole.size() - 1)), {"/a.npy.gz'", "23 bytes follow"});
  expectSentence(message(whole + "x"), {"25 bytes follow"});
  expectSentence(message("short"), {"not an .npy file"});
  expectSentence(message(whole.substr(0, 40)), {"header ends early"});
  expectSentence(message("\x93NUMPY\x01" + std::string(6, '\0')), {"not a dictionary"});
  expectSentence(
      message(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999,), }", "")),
      {"more than the file holds"});
}

} // namespace
} // namespace ds
