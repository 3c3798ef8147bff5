//===- OutputTest.cpp - Readers that are slow, absent or gone ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A test that is held up hangs.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Report/Output.h"

#include "ds/Run/Ranks/Interrupt.h"

#include <array>
#include <atomic>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

namespace ds {
namespace {

const std::string line = std::string(999, 'x') + "\n";

class OutputTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0); }
  void TearDown() override {
    closeEnd(0);
    closeEnd(1);
  }
  void closeEnd(int end) {
    if (ends[end] >= 0)
      close(ends[end]);
    ends[end] = -1;
  }
  std::string readAll() {
    std::string text;
    std::array<char, 4096> buffer;
    for (ssize_t n; (n = read(ends[0], buffer.data(), buffer.size())) > 0;)
      text.append(buffer.data(), n);
    return text;
  }

  std::array<int, 2> ends = {-1, -1};
};

TEST_F(OutputTest, ALineIsOutWhenWriteReturns) {
  Output output(ends[1]);
  EXPECT_TRUE(output.write("one\n", Sink::Need::always));
  char buffer[4];
  // If the writer got no turn for a moment, read() waits for it.
  EXPECT_EQ(read(ends[0], buffer, sizeof buffer), 4);
  EXPECT_EQ(output.finish([] { return false; }), "");
}

TEST_F(OutputTest, WhatIsNeededWaitsForItsReaderAndProgressIsRefused) {
  Output output(ends[1]);
  const int needed = 2 * Output::longQueue / line.size();
  for (int i = 0; i < needed; ++i)
    EXPECT_TRUE(output.write(line, Sink::Need::always));
  EXPECT_TRUE(output.isBehind());
  EXPECT_FALSE(output.write("progress\n", Sink::Need::ifRead));
  std::string text;
  std::thread reader([&] { text = readAll(); });
  EXPECT_EQ(output.finish([] { return false; }), "");
  closeEnd(1);
  reader.join();
  EXPECT_EQ(text.size(), needed * line.size());
  EXPECT_EQ(text.find("progress"), std::string::npos);
}

TEST_F(OutputTest, ProgressIsTakenAgainWhenSomebodyReads) {
  Output output(ends[1]);
  while (output.write(line, Sink::Need::ifRead)) {
  }
  std::string text;
  std::thread reader([&] { text = readAll(); });
  while (!output.write("progress\n", Sink::Need::ifRead))
    std::this_thread::yield();
  EXPECT_EQ(output.finish([] { return false; }), "");
  closeEnd(1);
  reader.join();
  EXPECT_NE(text.find("progress"), std::string::npos);
}

TEST_F(OutputTest, WhoIsInAHurryDoesNotWaitForAReader) {
  Output output(ends[1]);
  for (int i = 0; i < 200; ++i)
    EXPECT_TRUE(output.write(line, Sink::Need::always));
  std::atomic<int> asked{0};
  EXPECT_EQ(output.finish([&] { return ++asked > 3; }), "standard output is not read");
  ends[1] = -1; // still the thread's, which was left behind there
}

TEST_F(OutputTest, AReaderThatLeavesIsTold) {
  survivePipes();
  Output output(ends[1]);
  closeEnd(0);
  testing::internal::CaptureStderr();
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(output.write(line, Sink::Need::always));
  EXPECT_EQ(output.finish([] { return false; }), "cannot write standard output: Broken pipe");
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      "ds-run: error: cannot write standard output: Broken pipe; the run goes on without it\n");
}

TEST_F(OutputTest, AFullDiskIsTold) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  Output output(full);
  testing::internal::CaptureStderr();
  EXPECT_TRUE(output.write(line, Sink::Need::always));
  EXPECT_EQ(output.finish([] { return false; }),
            "cannot write standard output: No space left on device");
  testing::internal::GetCapturedStderr();
  close(full);
}

TEST_F(OutputTest, NothingToSayIsNoFailure) {
  Output output(ends[1]);
  EXPECT_EQ(output.finish([] { return false; }), "");
}

} // namespace
} // namespace ds
