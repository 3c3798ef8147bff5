//===- HostileTest.cpp - Unauthenticated peers of a store -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever arrives on the port, the job goes on: after every attack the ranks still exchange. The
// random bytes come from a fixed seed.
//
//===----------------------------------------------------------------------===//
#include "Hostile.h"
#include "base/Threads.h"
#include "bootstrap/StoreTable.h"

#include <atomic>
#include <random>
#include <sys/socket.h>

using namespace dsrt::bootstrap;

namespace {

std::string hex(const Digest &digest) {
  std::string text;
  for (uint8_t byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

// Examples of FIPS 180-4 and test cases of RFC 4231.
TEST(Sha256, equals_the_published_examples) {
  EXPECT_EQ(hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(sha256(std::string(1000000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, parts_of_a_message_are_hashed_as_one) {
  const std::string message(200, 'm');
  for (size_t cut : {0, 1, 55, 56, 63, 64, 65, 128, 199})
    EXPECT_EQ(hmacSha256("key", {message.substr(0, cut), message.substr(cut)}),
              hmacSha256("key", {message}));
}

TEST(Sha256, hmac_equals_the_published_examples) {
  EXPECT_EQ(hex(hmacSha256(std::string(20, 0x0b), {"Hi ", "There"})),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hex(hmacSha256("Jefe", {"what do ya want for nothing?"})),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hex(hmacSha256(std::string(131, static_cast<char>(0xaa)),
                           {"Test Using Larger Than Block-Size Key - Hash Key First"})),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST_F(Hostile, random_bytes_of_unauthenticated_peers_are_ignored) {
  joinAll();
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    Socket socket = connectPeer();
    std::string bytes(random() % 300, 0);
    for (char &byte : bytes)
      byte = static_cast<char>(random());
    if (i % 3 == 0) // past the first check
      bytes.replace(0, std::min(bytes.size(), magicBytes), magic,
                    std::min(bytes.size(), magicBytes));
    (void)socket.write(bytes, in(5000));
    if (i % 50 == 0)
      expectAlive();
  }
  expectAlive();
}

TEST_F(Hostile, other_protocols_are_hung_up_on) {
  joinAll();
  Socket browser = connectPeer();
  EXPECT_TRUE(browser.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", in(5000)));
  EXPECT_TRUE(isHungUp(browser));
  expectAlive();
}

TEST_F(Hostile, a_peer_that_says_nothing_or_little_is_cut_off) {
  joinAll();
  Socket silent = connectPeer(), slow = connectPeer();
  for (size_t i = 0; i < magicBytes; ++i) {
    (void)slow.write(std::string(1, magic[i]), in(1000));
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
  }
  EXPECT_TRUE(isHungUp(silent));
  EXPECT_TRUE(isHungUp(slow));
  expectAlive();
}

TEST_F(Hostile, a_flood_of_unauthenticated_peers_does_not_keep_ranks_out) {
  server->setJoinTimeout(60000);
  std::vector<Socket> flood;
  for (int i = 0; i < 400; ++i)
    flood.push_back(connectPeer());
  joinAll();
  expectAlive();
}

TEST_F(Hostile, without_the_secret_nobody_joins) {
  const std::string right = options.secret;
  options.secret = "open simsim, now";
  dsrt_error error = {};
  EXPECT_EQ(join(0, &error), DSRT_UNAVAILABLE);
  EXPECT_NE(std::string(error.text).find("the secret of this rank differs from that of rank 0"),
            std::string::npos)
      << error.text;
  options.secret = "short";
  EXPECT_EQ(join(0, &error), DSRT_INVALID_ARGUMENT);
  EXPECT_STREQ(error.text, "the secret of the job has 5 bytes, expected at least 16");
  options.secret = right;
  joinAll();
  expectAlive();
}

TEST_F(Hostile, a_recorded_join_is_of_no_use) {
  // The proof that was right for one challenge is wrong for the next.
  std::string proof;
  for (int attempt = 0; attempt < 2; ++attempt) {
    Socket socket = connectPeer();
    std::string challenge, greeting;
    ASSERT_TRUE(socket.read(challenge, challengeBytes, in(5000)));
    const std::string nonce(nonceBytes, 'n'), claim = claimOfRank(1, 2, "");
    if (attempt == 0) {
      const Digest digest = proofOfRank(options.secret, challenge.substr(magicBytes), nonce, claim);
      proof.assign(digest.begin(), digest.end());
      continue; // overheard, not sent
    }
    ASSERT_TRUE(socket.write(std::string(magic, magicBytes) + claim + nonce + proof, in(5000)));
    ASSERT_TRUE(socket.read(greeting, 1, in(5000)));
    EXPECT_EQ(greeting[0], static_cast<char>(Greeting::wrongSecret));
    EXPECT_TRUE(isHungUp(socket));
  }
}

TEST_F(Hostile, a_server_without_the_secret_is_not_believed) {
  // It accepts everybody and cannot prove that it knows the secret.
  int32_t port = 0;
  Socket listener;
  dsrt_error error = {};
  bool onAll = true;
  ASSERT_EQ(Socket::listen("127.0.0.1", port, listener, onAll, &error), DSRT_OK);
  EXPECT_FALSE(onAll);
  std::thread impostor([&] {
    Socket socket;
    while (!socket)
      socket = listener.accept();
    std::string join;
    (void)socket.write(std::string(magic, magicBytes) + std::string(nonceBytes, 's'), in(5000));
    (void)socket.read(join, joinBytes, in(5000));
    (void)socket.write(std::string(1 + macBytes, '\0'), in(5000));
    (void)socket.read(join, 1, in(5000));
  });
  options.port = port;
  EXPECT_EQ(join(0, &error), DSRT_UNAVAILABLE);
  EXPECT_NE(std::string(error.text).find("the server does not know the secret of this job"),
            std::string::npos)
      << error.text;
  impostor.join();
}

TEST_F(Hostile, a_greeting_that_is_cut_short_is_not_called_a_wrong_secret) {
  // A server that dies after its first byte: the rank goes on waiting for one that does not.
  int32_t port = 0;
  Socket listener;
  dsrt_error error = {};
  bool onAll = true;
  ASSERT_EQ(Socket::listen("127.0.0.1", port, listener, onAll, &error), DSRT_OK);
  EXPECT_FALSE(onAll);
  std::atomic<bool> isOver = false;
  std::thread dying([&] {
    while (!isOver) {
      Socket socket = listener.accept();
      std::string join;
      if (!socket)
        continue;
      (void)socket.write(std::string(magic, magicBytes) + std::string(nonceBytes, 's'), in(5000));
      (void)socket.read(join, joinBytes, in(5000));
      (void)socket.write(std::string(1 + macBytes / 2, '\0'), in(5000));
    }
    listener = Socket();
  });
  options.port = port;
  options.rank = 1;
  options.timeoutMs = 200;
  std::shared_ptr<Store> store;
  EXPECT_EQ(connectTcpStore(options, store, &error), DSRT_TIMEOUT);
  EXPECT_EQ(std::string(error.text), "timed out after 200 ms waiting for the store of rank 0 at "
                                     "127.0.0.1:" +
                                         std::to_string(port) +
                                         ": it ended in the middle of its greeting");
  isOver = true;
  dying.join();
}

TEST_F(Hostile, a_second_rank_of_the_same_number_and_another_size_are_refused) {
  joinAll();
  std::shared_ptr<Store> again;
  dsrt_error error = {};
  EXPECT_EQ(connectTcpStore(options, again, &error), DSRT_UNAVAILABLE);
  EXPECT_NE(std::string(error.text).find("rank 1 has joined already"), std::string::npos);
  options.numRanks = 3;
  options.rank = 2;
  EXPECT_EQ(connectTcpStore(options, again, &error), DSRT_UNAVAILABLE);
  EXPECT_NE(std::string(error.text).find("rank 0 has another world size than 3"),
            std::string::npos);
  expectAlive();
}

TEST_F(Hostile, ranks_of_another_job_with_the_same_secret_are_refused) {
  joinAll(); // neither has a name
  options.job = "second";
  std::shared_ptr<Store> other;
  dsrt_error error = {};
  EXPECT_EQ(connectTcpStore(options, other, &error), DSRT_UNAVAILABLE);
  EXPECT_NE(std::string(error.text)
                .find("rank 0 there belongs to another job than 'second'; two jobs need two ports"),
            std::string::npos)
      << error.text;
  expectAlive();
}

TEST_F(Hostile, a_port_where_nobody_listens_times_out_with_the_address) {
  options.port = server->port();
  server.reset();
  options.rank = 1;
  options.timeoutMs = 300;
  std::shared_ptr<Store> store;
  dsrt_error error = {};
  EXPECT_EQ(connectTcpStore(options, store, &error), DSRT_TIMEOUT);
  EXPECT_EQ(std::string(error.text),
            "timed out after 300 ms waiting for the store of rank 0 at 127.0.0.1:" +
                std::to_string(options.port) + ": Connection refused");
  EXPECT_EQ(error.late[0], 0);
}

TEST_F(Hostile, a_rank_whose_connection_is_lost_is_a_failure_that_names_it) {
  dsrt_error error = {};
  ASSERT_EQ(join(0, &error), DSRT_OK);
  {
    Speaker gone = joined(1);
  }
  std::string value;
  EXPECT_EQ(ranks[0]->get("never", hour, value, &error), DSRT_PEER_FAILED);
  EXPECT_STREQ(error.text,
               "rank 1 failed first: its connection was lost; the process has ended, or "
               "its network");
  EXPECT_EQ(error.late[0], 1);
}

TEST_F(Hostile, a_lost_server_is_said) {
  joinAll();
  std::thread stop([&] { server.reset(); });
  std::string value;
  dsrt_error error = {};
  EXPECT_EQ(ranks[1]->get("never", hour, value, &error), DSRT_PEER_FAILED);
  EXPECT_NE(std::string(error.text).find("lost the connection to the store of rank 0"),
            std::string::npos);
  stop.join();
}

/// A rank that has joined but is broken: random requests, most of them of a known kind. The server
/// answers or hangs up, and stays well enough to tell the other rank.
TEST_F(Hostile, malformed_requests_of_a_rank_never_stop_the_server) {
  std::mt19937 random(11);
  for (int round = 0; round < 60; ++round) {
    TearDown();
    ranks[0].reset();
    SetUp();
    dsrt_error error = {};
    ASSERT_EQ(join(0, &error), DSRT_OK) << error.text;
    {
      Speaker broken = joined(1);
      for (int i = 0; i < 20; ++i) {
        std::string body(1 + random() % 60, 0);
        for (char &byte : body)
          byte = static_cast<char>(random() % 4 ? random() % 8 : random());
        body[0] = static_cast<char>(random() % 10);
        (void)broken.write(broken.seals.ofRank.frame(body));
      }
    }
    std::string value;
    EXPECT_NE(ranks[0]->get("never", hour, value, &error), DSRT_OK);
    EXPECT_NE(error.text[0], '\0');
  }
}

TEST_F(Hostile, a_frame_of_impossible_length_ends_the_connection) {
  for (uint64_t length : {uint64_t(0), uint64_t(maxValueBytes) * 2, uint64_t(0xffffffffu)}) {
    SetUp(); // another server
    Speaker broken = joined(1);
    Writer header;
    header.integer(length, 4);
    EXPECT_TRUE(broken.write(header.out + std::string(macBytes, 'c')));
    EXPECT_TRUE(isHungUp(broken.socket));
  }
}

} // namespace
