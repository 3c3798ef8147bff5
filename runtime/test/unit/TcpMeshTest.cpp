//===- TcpMeshTest.cpp - Who may connect to a rank of backend tcp -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The test plays rank 1: it gives a card of its own to the store, and behaves as no rank would.
//
//===----------------------------------------------------------------------===//
#include "backends/tcp/Mesh.h"
#include "bootstrap/Hello.h"

#include <chrono>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

using namespace dsrt;
using namespace dsrt::bootstrap;

namespace {

struct Mesh : testing::Test {
  std::vector<std::shared_ptr<Store>> stores = makeProcessStores(2);
  tcp::Mesh mesh;
  dsrt_error error = {};

  /// What rank 1 is told of rank 0.
  struct Told {
    int32_t port = 0;
    std::vector<std::string> tokens;
    Hello hello;
  };
  Told swap(const std::string &protocol) {
    Writer card;
    card.string(protocol);
    card.integer(1, 4);
    card.integer(0, 4); // place on its host
    card.string("127.0.0.1");
    card.string(std::string(32, 't'));
    card.string("another machine");
    card.string("");
    std::vector<std::string> told;
    dsrt_error ignored = {};
    EXPECT_EQ(stores[1]->exchange("dsrt.tcp.cards", {0, 1}, 1, card.out, 10000, told, &ignored),
              DSRT_OK);
    Reader other(told[0]);
    other.string();
    Told found;
    found.port = static_cast<int32_t>(other.integer(4));
    other.integer(4);
    other.string();
    found.tokens = {other.string(), std::string(32, 't')};
    found.hello = Hello(stores[1]->keyFor("tcp"), 1, found.tokens);
    return found;
  }
};

TEST_F(Mesh, another_version_is_named) {
  std::thread other([&] { swap("dsrt-tcp 9"); });
  EXPECT_EQ(tcp::connectMesh(*stores[0], 0, 10000, mesh, &error), DSRT_MISMATCH);
  other.join();
  EXPECT_STREQ(error.text, "rank 1 speaks 'dsrt-tcp 9', rank 0 speaks 'dsrt-tcp 3': they belong to "
                           "different versions of ds");
}

TEST_F(Mesh, strangers_are_passed_over_and_the_missing_rank_is_named) {
  std::thread other([&] {
    const Told told = swap("dsrt-tcp 3");
    const Deadline deadline = Deadline::in(10000);
    // Says nothing; breaks off; knows no code; gives the code of an answer; has the tokens, but not
    // the key; calls as a rank that does not call.
    const std::string one("\1\0\0\0", 4);
    const std::string answers = told.hello.answer(0);
    const Hello keyless("", 1, told.tokens);
    std::string why;
    Dial silent("127.0.0.1", told.port, deadline, why);
    Socket waits = silent.next(deadline, why);
    for (const std::string &words : {std::string("GET / HTTP/1.1\r\n"), one + std::string(32, 'x'),
                                     answers, keyless.call(0), std::string(36, '\0')}) {
      Dial dial("127.0.0.1", told.port, deadline, why);
      Socket socket = dial.next(deadline, why);
      ASSERT_TRUE(socket) << why;
      EXPECT_TRUE(socket.write(words, deadline));
      std::string answer;
      EXPECT_FALSE(socket.read(answer, 1, Deadline::in(words.size() == helloBytes ? 10000 : 100)));
    }
  });
  EXPECT_EQ(tcp::connectMesh(*stores[0], 0, 6000, mesh, &error), DSRT_TIMEOUT);
  other.join();
  EXPECT_STREQ(error.text, "timed out after 6000 ms waiting for rank 1");
  ASSERT_EQ(error.num_late, 1);
  EXPECT_EQ(error.late[0], 1);
}

TEST_F(Mesh, who_has_tokens_and_key_is_let_in) {
  std::thread other([&] {
    const Told told = swap("dsrt-tcp 3");
    const Deadline deadline = Deadline::in(10000);
    std::string why, answer;
    Dial dial("127.0.0.1", told.port, deadline, why);
    Socket socket = dial.next(deadline, why);
    ASSERT_TRUE(socket) << why;
    EXPECT_TRUE(socket.write(told.hello.call(0), deadline));
    EXPECT_TRUE(socket.read(answer, helloBytes, deadline));
    EXPECT_TRUE(told.hello.isAnswer(answer, 0));
  });
  EXPECT_EQ(tcp::connectMesh(*stores[0], 0, 10000, mesh, &error), DSRT_OK) << error.text;
  other.join();
  EXPECT_FALSE(mesh.channels[0]);
  EXPECT_TRUE(mesh.channels[1]);
  EXPECT_FALSE(mesh.channels[1].hasRings());
  EXPECT_EQ(mesh.hostOf, (std::vector<int32_t>{0, 1})); // both are the first of theirs
}

/// The meshes of ranks with these places on their hosts.
std::vector<tcp::Mesh> meshesOf(const std::vector<int32_t> &places) {
  const auto stores = makeProcessStores(static_cast<int32_t>(places.size()));
  std::vector<tcp::Mesh> meshes(places.size());
  std::vector<std::thread> threads;
  for (size_t r = 0; r < places.size(); ++r)
    threads.emplace_back([&, r] {
      dsrt_error error = {};
      EXPECT_EQ(tcp::connectMesh(*stores[r], places[r], 20000, meshes[r], &error), DSRT_OK)
          << error.text;
    });
  for (std::thread &thread : threads)
    thread.join();
  return meshes;
}

TEST(Meshes, ranks_of_a_host_share_memory_and_ranks_of_two_do_not) {
  const std::vector<tcp::Mesh> meshes = meshesOf({0, 1, 0, 1});
  for (size_t r = 0; r < 4; ++r)
    for (size_t s = 0; s < 4; ++s) {
      EXPECT_EQ(static_cast<bool>(meshes[r].channels[s]), r != s);
      EXPECT_EQ(meshes[r].channels[s].hasRings(), r != s && r / 2 == s / 2) << r << " " << s;
    }
}

TEST(Meshes, shared_memory_has_no_file) {
  const std::vector<tcp::Mesh> meshes = meshesOf({0, 1});
  std::ifstream maps("/proc/self/maps");
  int found = 0;
  for (std::string line; std::getline(maps, line);)
    if (line.find("dsrt-rings") != std::string::npos) {
      EXPECT_NE(line.find("/memfd:dsrt-rings (deleted)"), std::string::npos) << line;
      ++found;
    }
  EXPECT_EQ(found, 2); // of both ranks, which are threads
}

} // namespace
