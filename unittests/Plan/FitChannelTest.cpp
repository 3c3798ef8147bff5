//===- FitChannelTest.cpp -----------------------------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Plan/FitChannel.h"
#include "ds/Plan/Link.h"

#include "gtest/gtest.h"

#include <random>

using namespace ds;

namespace {

int64_t ps(const ChannelModel &channel, int64_t bytes) {
  return static_cast<int64_t>(channel.time(bytes) / ticksPerPicosecond);
}

std::vector<MeasuredMessage> measured(const ChannelModel &channel) {
  std::vector<MeasuredMessage> messages;
  for (int64_t bytes = 1024; bytes <= int64_t(64) << 20; bytes *= 2)
    messages.push_back({bytes, ps(channel, bytes)});
  return messages;
}

TEST(FitChannel, a_line_is_one_piece) {
  ChannelModel line = ChannelModel::affine(50000000, 400 * 1024);
  ChannelModel fit = fitChannel(measured(line), 5);
  ASSERT_EQ(fit.pieces().size(), 1u);
  for (const MeasuredMessage &message : measured(line))
    EXPECT_NEAR(double(ps(fit, message.bytes)) / double(message.ps), 1, 0.051) << message.bytes;
  EXPECT_NEAR(double(ps(fit, int64_t(1) << 30)) / double(ps(line, int64_t(1) << 30)), 1, 0.01);
}

TEST(FitChannel, a_knee_is_another_piece) {
  std::string why;
  ChannelModel knee = ChannelModel::fromPieces(
      {{0, 1 << 20, 1000000, 29 * 1024},
       {1 << 20, CostPiece::unbounded, 1000000 - int64_t(51) * (1 << 20), 80 * 1024}},
      why);
  ASSERT_FALSE(knee.empty()) << why;
  ChannelModel fit = fitChannel(measured(knee), 5);
  EXPECT_LE(fit.pieces().size(), 4u);
  for (const MeasuredMessage &message : measured(knee))
    EXPECT_NEAR(double(ps(fit, message.bytes)) / double(message.ps), 1, 0.051) << message.bytes;
}

TEST(FitChannel, noise_never_makes_a_longer_message_faster) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<MeasuredMessage> messages;
    int64_t bytes = 0;
    for (int i = 0, count = 1 + int(random() % 12); i < count; ++i)
      messages.push_back({bytes += 1 + int64_t(random() % 100000), int64_t(random() % 1000)});
    ChannelModel fit = fitChannel(messages, int64_t(random() % 20));
    ASSERT_FALSE(fit.empty()) << trial; // fromPieces refuses those that fall
  }
}

TEST(Link, is_read_with_its_units) {
  auto link = Link::parse("50us:2.5Gbit");
  ASSERT_TRUE(link);
  EXPECT_EQ(link->latencyNs, 50000);
  EXPECT_EQ(link->bytesPerSecond, 312500000);
  EXPECT_EQ(Link::parse("1.5ms:100MB")->latencyNs, 1500000);
  EXPECT_EQ(Link::parse("1s:8kbit")->bytesPerSecond, 1000);
  EXPECT_EQ(Link::parse("0ns:1GB")->latencyNs, 0);
  for (const char *bad : {"", "50us", "50us:", ":1GB", "50:1GB", "50us:1", "-1us:1GB", "1us:0GB",
                          "1us:1GB:2", "nanus:1GB", "1us:infGB", "2h:1GB", "3601s:1GB"})
    EXPECT_FALSE(Link::parse(bad)) << bad;
}

TEST(Link, an_all_reduce_takes_the_latency_and_a_ring) {
  // 1 MB among 4 ranks: 1.5 MB on the wire, 15 ms at 100 MB/s.
  ChannelModel channel = Link::parse("1ms:100MB")->allReduce(4);
  EXPECT_NEAR(double(ps(channel, 1000000)), 16e9, 1e7);
  EXPECT_EQ(ps(Link::parse("1ms:100MB")->allReduce(1), 1000000), 0);
}

} // namespace
