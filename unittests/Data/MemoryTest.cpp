//===- MemoryTest.cpp - How much memory there is, and is needed -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Support/Memory.h"

#include "TestSupport.h"

#include "ds/Plan/ByteSize.h"

#include <sys/resource.h>

namespace ds {
namespace {

TEST(Memory, SizesAreReadByPeople) {
  EXPECT_EQ(bytesToString(0), "0 bytes");
  EXPECT_EQ(bytesToString(1023), "1023 bytes");
  EXPECT_EQ(bytesToString(1536), "1.5 KiB");
  EXPECT_EQ(bytesToString(int64_t(3) << 40), "3.0 TiB");
  EXPECT_EQ(bytesToString(INT64_MAX), "8.0 EiB");
}

TEST(Memory, WhatIsThereIsGivenAndWhatIsNotIsNamed) {
  EXPECT_GT(availableMemory(), 0);
  EXPECT_EQ(errorOf(checkMemory("a tensor", 1000)), "(no error)");
  expectSentence(errorOf(checkMemory("a tensor", int64_t(1) << 50)),
                 {"a tensor needs 1.0 PiB of memory, but ", " are available"});
}

TEST(Memory, TheLimitOfTheProcessCounts) {
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_DATA, &before), 0);
  constexpr int64_t more = int64_t(256) << 20;
  std::ifstream statm("/proc/self/statm");
  int64_t pages = 0;
  for (int column = 0; column < 6; ++column)
    statm >> pages; // the last read is that of data
  rlimit limit = {rlim_t(pages * sysconf(_SC_PAGESIZE) + more), before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_DATA, &limit), 0);
  int64_t available = availableMemory();
  ASSERT_EQ(setrlimit(RLIMIT_DATA, &before), 0);
  EXPECT_LE(available, more);
}

/// A header may promise 2^40 bytes: memory comes with the bytes.
TEST(Memory, APromiseCostsNothing) {
  int64_t asked = 0, left = 3000000;
  auto read = [&](uint8_t *to, int64_t count) -> llvm::Expected<int64_t> {
    asked = std::max(asked, count);
    int64_t got = std::min(count, left);
    memset(to, 7, got);
    left -= got;
    return got;
  };
  auto bytes =
      readAsTheyCome("file", "its array", std::min(availableMemory(), int64_t(1) << 40) / 2, read);
  ASSERT_TRUE(bool(bytes)) << errorOf(std::move(bytes));
  EXPECT_EQ(bytes->size, 3000000);
  EXPECT_EQ(bytes->data.get()[2999999], 7);
  EXPECT_LE(asked, int64_t(4) << 20);
}

TEST(ByteSize, IsExactOrNothing) {
  using Sizes = std::vector<int64_t>;
  EXPECT_EQ(checkedByteSize(Sizes{}, 4), 4);
  EXPECT_EQ(checkedByteSize(Sizes{3, 5}, 8), 120);
  EXPECT_EQ(checkedByteSize(Sizes{3, 0}, 8), 0);
  EXPECT_EQ(checkedByteSize(Sizes{largestArrayBytes}, 1), largestArrayBytes);
  EXPECT_EQ(checkedByteSize(Sizes{largestArrayBytes + 1}, 1), std::nullopt);
  EXPECT_EQ(checkedByteSize(Sizes{INT64_MAX, INT64_MAX}, 8), std::nullopt);
  EXPECT_EQ(checkedByteSize(Sizes{INT64_MAX, 0}, 8), std::nullopt);
  EXPECT_EQ(checkedByteSize(Sizes{-1}, 8), std::nullopt);
  EXPECT_EQ(checkedByteSize(Sizes{0, INT64_MIN}, 8), std::nullopt);
}

} // namespace
} // namespace ds
