//===- RingsTest.cpp - Memory that two ranks of a host share ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "backends/tcp/Channel.h"

#include <cerrno>
#include <gtest/gtest.h>
#include <poll.h>
#include <random>
#include <sys/socket.h>
#include <thread>

using namespace dsrt::tcp;
using dsrt::bootstrap::Socket;

namespace {

struct RingsTest : testing::Test {
  void SetUp() override {
    Socket descriptor;
    ASSERT_TRUE(one.make(4096, descriptor));
    ASSERT_TRUE(other.open(descriptor.get()));
  }
  Rings one, other;
};

iovec pieceOf(std::string &text) { return {text.data(), text.size()}; }

TEST_F(RingsTest, bytes_keep_their_order_around_the_end) {
  std::mt19937 random(3);
  std::string sent, received;
  char next = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string first(random() % 3000, 0), second(random() % 3000, 0), back(random() % 3000, 0);
    const char begin = next;
    for (std::string *text : {&first, &second})
      for (char &byte : *text)
        byte = next++;
    const iovec pieces[] = {pieceOf(first), pieceOf(second)};
    const size_t written = one.write(pieces, 2);
    if (written < first.size() + second.size())
      EXPECT_FALSE(one.isWritable());
    sent += (first + second).substr(0, written);
    next = static_cast<char>(begin + static_cast<char>(written));
    const iovec room = pieceOf(back);
    const size_t read = other.read(&room, 1);
    received += back.substr(0, read);
  }
  EXPECT_GT(received.size(), size_t(1) << 20);
  EXPECT_EQ(received, sent.substr(0, received.size()));
}

TEST_F(RingsTest, what_is_full_takes_nothing_and_what_is_empty_gives_nothing) {
  std::string much(5000, 'm'), room(5000, 0);
  iovec piece = pieceOf(much), into = pieceOf(room);
  EXPECT_FALSE(other.isReadable());
  EXPECT_EQ(other.read(&into, 1), 0u);
  EXPECT_EQ(one.write(&piece, 1), 4096u);
  EXPECT_FALSE(one.isWritable());
  EXPECT_EQ(one.write(&piece, 1), 0u);
  EXPECT_EQ(other.read(&into, 1), 4096u);
  EXPECT_FALSE(other.isReadable());
  EXPECT_TRUE(one.isWritable());
  EXPECT_FALSE(one.isReadable()); // the other direction is another ring
}

TEST_F(RingsTest, a_side_that_sleeps_is_called_once) {
  std::string byte = "b";
  const iovec piece = pieceOf(byte);
  EXPECT_FALSE(one.mustCall());
  EXPECT_TRUE(other.fallAsleep(true, false));
  EXPECT_EQ(one.write(&piece, 1), 1u);
  EXPECT_TRUE(one.mustCall());
  EXPECT_FALSE(one.mustCall());
  EXPECT_FALSE(other.fallAsleep(true, false)); // the byte is there
  EXPECT_FALSE(one.mustCall());
  EXPECT_FALSE(other.fallAsleep(false, true)); // there is room
}

TEST_F(RingsTest, memory_of_another_size_is_refused) {
  Socket descriptor;
  Rings odd, third;
  ASSERT_TRUE(odd.make(5000, descriptor));
  EXPECT_FALSE(third.open(descriptor.get()));
  EXPECT_EQ(errno, EINVAL);
}

/// Two channels of a pair of sockets, with rings.
struct ChannelTest : testing::Test {
  void SetUp() override {
    int pair[2] = {-1, -1};
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
    one = Channel(Socket(pair[0]));
    other = Channel(Socket(pair[1]));
    ASSERT_TRUE(one.giveRings(size_t(1) << 16));
    dsrt_error error = {};
    ASSERT_EQ(other.takeRings(1, &error), DSRT_OK) << error.text;
    ASSERT_TRUE(one.hasRings() && other.hasRings());
  }
  /// Sleeps until there is something to read. False: nothing came in ten seconds.
  static bool sleepToRead(Channel &channel) {
    short events = 0;
    const bool sleeps = channel.fallAsleep(true, false, events);
    pollfd entry = {channel.get(), events, 0};
    const int found = ::poll(&entry, 1, sleeps ? 10000 : 0);
    channel.wakeUp(entry.revents);
    return !sleeps || found > 0;
  }
  Channel one, other;
};

TEST_F(ChannelTest, a_reader_that_sleeps_after_each_message_misses_none) {
  constexpr int messages = 20000;
  std::thread writer([&] {
    std::mt19937 random(5);
    for (int i = 0; i < messages; ++i) {
      const iovec piece = {&i, sizeof i};
      while (one.send(&piece, 1) < 0)
        std::this_thread::yield();
      if (random() % 8 == 0)
        std::this_thread::yield();
    }
  });
  for (int i = 0; i < messages; ++i) {
    int value = -1;
    char *at = reinterpret_cast<char *>(&value);
    for (size_t left = sizeof value; left > 0;) {
      const iovec piece = {at, left};
      const ssize_t n = other.receive(&piece, 1);
      if (n > 0) {
        at += n;
        left -= static_cast<size_t>(n);
        continue;
      }
      ASSERT_TRUE(sleepToRead(other)) << "message " << i << " woke nobody";
    }
    ASSERT_EQ(value, i);
  }
  writer.join();
}

TEST_F(ChannelTest, what_a_rank_has_written_before_its_end_is_read) {
  std::string words = "last words", room(10, 0);
  iovec piece = pieceOf(words), into = pieceOf(room);
  EXPECT_EQ(one.send(&piece, 1), 10);
  one = Channel();
  // As long as nobody looks at the socket, and after.
  ASSERT_TRUE(sleepToRead(other));
  EXPECT_EQ(other.receive(&into, 1), 10);
  EXPECT_EQ(room, words);
  ASSERT_TRUE(sleepToRead(other));
  EXPECT_EQ(other.receive(&into, 1), 0);
  EXPECT_EQ(other.send(&piece, 1), -1);
  EXPECT_EQ(errno, EPIPE);
}

TEST(Channels, a_rank_that_leaves_while_it_connects_is_named) {
  int pair[2] = {-1, -1};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
  Channel channel{Socket(pair[0])};
  {
    const Socket gone(pair[1]);
  }
  dsrt_error error = {};
  EXPECT_EQ(channel.takeRings(3, &error), DSRT_PEER_FAILED);
  EXPECT_STREQ(error.text, "rank 3 has left while it connected");
  EXPECT_EQ(error.late[0], 3);
}

} // namespace
