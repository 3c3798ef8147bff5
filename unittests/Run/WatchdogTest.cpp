//===- WatchdogTest.cpp - Says what a rank does that others wait for *- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks are played by counters.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Watchdog.h"

#include "gtest/gtest.h"

#include <map>

namespace ds {
namespace {

class WatchdogTest : public testing::Test {
protected:
  Watchdog::Hooks hooks() {
    return {[this](int64_t rank) {
              std::lock_guard<std::mutex> lock(mutex);
              activity[rank].collectives += rank == busy;
              return activity[rank];
            },
            [this](const std::string &sentence) {
              std::lock_guard<std::mutex> lock(mutex);
              told.push_back(sentence);
              news.notify_all();
            },
            [this] {
              std::lock_guard<std::mutex> lock(mutex);
              ended = true;
            }};
  }
  /// What is told within so many milliseconds, at least `count` sentences or the time is over.
  std::vector<std::string> wait(size_t count, int ms) {
    std::unique_lock<std::mutex> lock(mutex);
    news.wait_for(lock, std::chrono::milliseconds(ms), [&] { return told.size() >= count; });
    return told;
  }

  std::mutex mutex;
  std::condition_variable news;
  std::map<int64_t, Watchdog::Activity> activity;
  int64_t busy = -1; // goes from collective to collective
  std::vector<std::string> told;
  bool ended = false;
};

TEST_F(WatchdogTest, NamesTheRankAndWhatItDoes) {
  activity[4].inCollective = true;
  busy = 5;
  Watchdog watchdog(4, 3, 200, hooks());
  watchdog.enter(4, "computes", 8);
  watchdog.enter(5, "computes", 8);
  watchdog.enter(6, "loads the samples of", 7);
  auto sentences = wait(1, 20000);
  ASSERT_EQ(sentences.size(), 1u);
  EXPECT_EQ(sentences[0].find("ds-run: warning: rank 6 has been in no collective for 0."), 0u);
  EXPECT_NE(sentences[0].find(" s: it loads the samples of step 7"), std::string::npos);
  // Once, and not by itself the end of the process.
  EXPECT_EQ(wait(2, 500).size(), 1u);
  EXPECT_FALSE(ended);
}

TEST_F(WatchdogTest, EndsAProcessThatTheOthersHaveGivenUp) {
  activity[0].failed = true;
  Watchdog watchdog(0, 1, 200, hooks());
  watchdog.enter(0, "writes the checkpoint after", 3);
  auto sentences = wait(2, 20000);
  ASSERT_GE(sentences.size(), 2u);
  EXPECT_EQ(sentences[1].find("ds-run: error: rank 0 has been in no collective for "), 0u);
  EXPECT_NE(sentences[1].find("it writes the checkpoint after step 3, and the others have given it "
                              "up"),
            std::string::npos);
  EXPECT_EQ(wait(3, 500).size(), 2u); // once, if the process goes on
}

TEST_F(WatchdogTest, SaysNothingOfARankThatHasComeToItsEnd) {
  Watchdog watchdog(0, 1, 100, hooks());
  watchdog.enter(0, "computes", 1);
  watchdog.leave(0);
  EXPECT_TRUE(wait(1, 400).empty());
}

TEST_F(WatchdogTest, OneRankAloneKeepsNobodyWaiting) {
  Watchdog watchdog(0, 0, 100, hooks());
  watchdog.enter(0, "computes", 1);
  EXPECT_TRUE(wait(1, 200).empty());
}

} // namespace
} // namespace ds
