//===- StreamsTest.cpp - Connections beside every backend -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Fleet.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace dsrt::cts;

namespace {

/// -1: nothing came within ten seconds.
int receiveOne(int socket) {
  pollfd entry = {socket, POLLIN, 0};
  unsigned char byte = 0;
  return poll(&entry, 1, 10000) == 1 && recv(socket, &byte, 1, 0) == 1 ? byte : -1;
}

void sendOne(int socket, int value) {
  const auto byte = static_cast<unsigned char>(value);
  EXPECT_EQ(send(socket, &byte, 1, MSG_NOSIGNAL), 1);
}

TEST(Streams, each_two_ranks_have_one_in_each_direction) {
  onAllRanks([](const Seat &seat, const Mode &) {
    const int32_t n = seat.numRanks, rank = seat.rank;
    std::vector<int32_t> to(static_cast<size_t>(n)), from(static_cast<size_t>(n));
    EXPECT_OK(seat, dsrt_open_streams(seat.context, to.data(), from.data()));
    EXPECT_EQ(to[rank], -1);
    EXPECT_EQ(from[rank], -1);
    // A byte that says from whom to whom; of the answer, that it is one.
    for (int32_t other = 0; other < n; ++other)
      if (other != rank)
        sendOne(to[other], rank * 10 + other);
    for (int32_t other = 0; other < n; ++other)
      if (other != rank) {
        EXPECT_EQ(receiveOne(from[other]), other * 10 + rank);
        sendOne(from[other], 100 + rank * 10 + other);
      }
    for (int32_t other = 0; other < n; ++other)
      if (other != rank) {
        EXPECT_EQ(receiveOne(to[other]), 100 + other * 10 + rank);
        unsigned char none;
        EXPECT_EQ(recv(to[other], &none, 1, 0), -1)
            << "a stream that blocks, or more than was sent";
      }
    // Both close, so that nobody sees the end of a stream before it has looked.
    EXPECT_OK(seat, dsrt_barrier(seat.context, DSRT_WORLD));
    for (int32_t other = 0; other < n; ++other)
      if (other != rank) {
        close(to[other]);
        close(from[other]);
      }
  });
}

} // namespace
