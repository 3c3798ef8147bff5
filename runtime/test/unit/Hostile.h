//===- Hostile.h - A store and who should not be at its port ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_UNIT_HOSTILE_H
#define DSRT_TEST_UNIT_HOSTILE_H

#include "bootstrap/Seal.h"
#include "bootstrap/Socket.h"
#include "bootstrap/TcpStore.h"

#include <gtest/gtest.h>
#include <thread>

namespace dsrt::bootstrap {

constexpr int64_t hour = 3600000;

inline Deadline in(int64_t ms) { return Deadline::in(ms); }

class Hostile : public testing::Test {
protected:
  void SetUp() override {
    options = {};
    options.address = "127.0.0.1";
    options.secret = "open sesame, now";
    options.numRanks = 2;
    dsrt_error error = {};
    ASSERT_EQ(startTcpServer(options, server, &error), DSRT_OK) << error.text;
    options.port = server->port();
    server->setJoinTimeout(200);
  }
  void TearDown() override {
    for (auto &rank : ranks)
      if (rank)
        rank->leave(1000);
  }
  dsrt_status join(int32_t rank, dsrt_error *error) {
    options.rank = rank;
    options.timeoutMs = 20000;
    return connectTcpStore(options, ranks[rank], error);
  }
  void joinAll() {
    dsrt_error error = {};
    for (int32_t r : {0, 1})
      ASSERT_EQ(join(r, &error), DSRT_OK) << error.text;
  }
  /// Both ranks meet: the server is well.
  void expectAlive() {
    std::thread other([&] { meet(1); });
    meet(0);
    other.join();
  }
  void meet(int32_t rank) {
    ASSERT_NE(ranks[rank], nullptr) << "rank " << rank << " has not joined";
    dsrt_error error = {};
    EXPECT_EQ(ranks[rank]->barrier("alive", {0, 1}, rank, hour, &error), DSRT_OK) << error.text;
  }
  Socket connectPeer() {
    std::string why;
    Dial dial("127.0.0.1", options.port, in(5000), why);
    Socket socket = dial.next(in(5000), why);
    EXPECT_TRUE(socket) << why;
    return socket;
  }
  /// Whether the server hangs up within some seconds.
  static bool isHungUp(const Socket &socket) {
    std::string byte;
    const Deadline deadline = in(20000);
    while (socket.read(byte, 1, deadline)) {
    }
    return !deadline.passed();
  }
  /// A connection that has joined as a rank and then speaks for itself.
  struct Speaker {
    Socket socket;
    Seals seals;
    bool write(const std::string &bytes) const { return socket.write(bytes, in(5000)); }
    std::string frame(Request request, const std::string &words = "") {
      return seals.ofRank.frame(std::string(1, static_cast<char>(request)) + words);
    }
    /// The body of the next answer; "" if its code is wrong, or there is none.
    std::string answer() {
      std::string header, body;
      if (!socket.read(header, frameHeaderBytes, in(5000)))
        return "";
      Reader length(header);
      return socket.read(body, length.integer(4), in(5000)) &&
                     seals.ofServer.fits(header.substr(4), body)
                 ? body
                 : "";
    }
  };
  Speaker joined(int32_t rank) {
    Speaker speaker = {connectPeer(), {}};
    std::string challenge, welcome;
    EXPECT_TRUE(speaker.socket.read(challenge, challengeBytes, in(5000)));
    const std::string theirs = challenge.substr(magicBytes), nonce(nonceBytes, 'n');
    const std::string claim = claimOfRank(static_cast<uint32_t>(rank), 2, options.job);
    const Digest proof = proofOfRank(options.secret, theirs, nonce, claim);
    EXPECT_TRUE(speaker.write(std::string(magic, magicBytes) + claim + nonce + textOf(proof)));
    EXPECT_TRUE(speaker.socket.read(welcome, welcomeBytes, in(5000)));
    EXPECT_EQ(welcome[0], static_cast<char>(Greeting::welcome));
    speaker.seals = sealsOf(options.secret, theirs, nonce);
    return speaker;
  }

  TcpOptions options;
  std::unique_ptr<TcpServer> server;
  std::shared_ptr<Store> ranks[2];
};

} // namespace dsrt::bootstrap

#endif // DSRT_TEST_UNIT_HOSTILE_H
