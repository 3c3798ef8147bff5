//===- IdxTest.cpp - IDX files, sound and damaged ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files are built byte by byte from the format's description.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Idx.h"

#include "Samples.h"
#include "TestSupport.h"

namespace ds {
namespace {

using Idx = TemporaryDirectory;

TEST_F(Idx, ReadsBytes) {
  auto array = readIdx(write("a", sampleIdx()));
  ASSERT_TRUE(bool(array)) << errorOf(std::move(array));
  EXPECT_EQ(array->type, DataType::u8);
  EXPECT_EQ(array->shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(valuesOf<uint8_t>(*array), (std::vector<uint8_t>{1, 2, 3, 4, 5, 255}));
}

TEST_F(Idx, ReadsEveryElementTypeBigEndian) {
  std::string header("\0\0", 2);
  auto one = [&](char code, const std::string &bytes) {
    return cantFail(readIdx(write("a", header + code + '\1' + bigEndian(1) + bytes)));
  };
  EXPECT_EQ(valuesOf<int8_t>(one(0x09, "\xfe")), std::vector<int8_t>{-2});
  EXPECT_EQ(valuesOf<int16_t>(one(0x0b, "\x01\x02")), std::vector<int16_t>{0x0102});
  EXPECT_EQ(valuesOf<int32_t>(one(0x0c, "\xff\xff\xff\xfe")), std::vector<int32_t>{-2});
  EXPECT_EQ(valuesOf<float>(one(0x0d, std::string("\x3f\xc0\0\0", 4))), std::vector<float>{1.5f});
  EXPECT_EQ(valuesOf<double>(one(0x0e, std::string("\x3f\xf8\0\0\0\0\0\0", 8))),
            std::vector<double>{1.5});
}

TEST_F(Idx, GzipIsReadLikePlain) {
  auto plain = cantFail(readIdx(write("a", sampleIdx())));
  auto packed = cantFail(readIdx(write("a.gz", gzip(sampleIdx()))));
  EXPECT_EQ(valuesOf<uint8_t>(plain), valuesOf<uint8_t>(packed));
}

TEST_F(Idx, SeveralGzipMembersAreOneStream) {
  std::string bytes = sampleIdx();
  auto packed = readIdx(write("a.gz", gzip(bytes.substr(0, 7)) + gzip(bytes.substr(7))));
  ASSERT_TRUE(bool(packed)) << errorOf(std::move(packed));
  EXPECT_EQ(packed->shape, (std::vector<int64_t>{2, 3}));
}

TEST_F(Idx, ATruncatedFileSaysWhatIsMissing) {
  std::string bytes = sampleIdx();
  expectSentence(errorOf(readIdx(write("a", bytes.substr(0, bytes.size() - 1)))),
                 {"cannot read '", "/a'", "promises 2x3", "more than the file holds"});
  expectSentence(errorOf(readIdx(write("a", bytes.substr(0, 6)))),
                 {"header ends early", "expected 8 bytes, got 2"});
  expectSentence(errorOf(readIdx(write("a", ""))), {"magic ends early"});
}

TEST_F(Idx, ATruncatedGzipSaysSo) {
  std::string packed = gzip(sampleIdx());
  expectSentence(errorOf(readIdx(write("a.gz", gzip(sampleNpy())))),
                 {"it holds an .npy file that gzip has compressed: name it .npy.gz"});
  expectSentence(errorOf(readIdx(write("a.gz", packed.substr(0, packed.size() - 9)))),
                 {"/a.gz'", "gzip stream ends early"});
  // Only the trailer is missing: all data is there, its checksum is not.
  expectSentence(errorOf(readIdx(write("a.gz", packed.substr(0, packed.size() - 4)))),
                 {"gzip stream ends early"});
}

TEST_F(Idx, ADamagedChecksumIsFound) {
  std::string packed = gzip(sampleIdx());
  packed[packed.size() - 6] ^= 1;
  expectSentence(errorOf(readIdx(write("a.gz", packed))), {"gzip stream is damaged"});
}

TEST_F(Idx, AForgedHeaderAllocatesNothing) {
  std::string header("\0\0\x0e\4", 4);
  std::string sizes =
      bigEndian(0xffffffff) + bigEndian(0xffffffff) + bigEndian(0xffffffff) + bigEndian(0xffffffff);
  expectSentence(errorOf(readIdx(write("a", header + sizes))), {"more than the file holds"});
  expectSentence(errorOf(readIdx(write("a.gz", gzip(header + sizes)))),
                 {"more than the file holds"});
}

TEST_F(Idx, ExtraBytesAreNoData) {
  expectSentence(errorOf(readIdx(write("a", sampleIdx() + "x"))),
                 {"bytes after the 6 that the header promises"});
}

TEST_F(Idx, AnUnknownTypeIsNamed) {
  std::string bytes = sampleIdx();
  bytes[2] = 0x0a;
  expectSentence(errorOf(readIdx(write("a", bytes))), {"unknown IDX element type 0x0A"});
}

TEST_F(Idx, OtherFilesAreNotIdx) {
  expectSentence(errorOf(readIdx(write("a", "hello"))), {"not an IDX file", "got 6865"});
}

} // namespace
} // namespace ds
