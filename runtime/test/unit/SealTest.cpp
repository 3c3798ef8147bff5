//===- SealTest.cpp - Messages that do not come from their sender -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Somebody sits between rank 1 and the store, lets it join, and then changes what passes.
//
//===----------------------------------------------------------------------===//
#include "Hostile.h"

#include <functional>
#include <poll.h>

using namespace dsrt::bootstrap;

namespace {

/// What goes on instead of a message, which is the `number`th of its direction.
using Change = std::function<std::string(bool fromRank, int number, const std::string &frame)>;

class Relay {
public:
  Relay(int32_t serverPort, Change change) : serverPort(serverPort), change(std::move(change)) {
    dsrt_error error = {};
    bool onAll = false;
    EXPECT_EQ(Socket::listen("127.0.0.1", port, listener, onAll, &error), DSRT_OK) << error.text;
    thread = std::thread([this] { run(); });
  }
  ~Relay() { thread.join(); }
  int32_t port = 0;

private:
  bool pass(const Socket &from, const Socket &to, size_t bytes) {
    std::string text;
    return from.read(text, bytes, in(20000)) && to.write(text, in(5000));
  }
  bool passMessage(const Socket &from, const Socket &to, bool fromRank) {
    std::string header, body;
    if (!from.read(header, frameHeaderBytes, in(5000)))
      return false;
    Reader length(header);
    return from.read(body, length.integer(4), in(5000)) &&
           to.write(change(fromRank, count[fromRank]++, header + body), in(5000));
  }
  void run() {
    if (listener.waitReadable(-1, in(20000)) != Socket::Event::readable)
      return;
    Socket rank = listener.accept();
    std::string why;
    Dial dial("127.0.0.1", serverPort, in(5000), why);
    Socket server = dial.next(in(5000), why);
    bool goesOn = rank && server && pass(server, rank, challengeBytes) &&
                  pass(rank, server, joinBytes) && pass(server, rank, welcomeBytes);
    while (goesOn) {
      pollfd entries[] = {{rank.get(), POLLIN, 0}, {server.get(), POLLIN, 0}};
      goesOn = ::poll(entries, 2, 20000) > 0;
      if (goesOn && entries[0].revents)
        goesOn = passMessage(rank, server, true);
      if (goesOn && entries[1].revents)
        goesOn = passMessage(server, rank, false);
    }
  }

  const int32_t serverPort;
  const Change change;
  int count[2] = {};
  Socket listener;
  std::thread thread;
};

class Sealed : public Hostile {
protected:
  /// Rank 1 joins by way of somebody who changes messages.
  void joinBy(Change change) {
    dsrt_error error = {};
    ASSERT_EQ(join(0, &error), DSRT_OK) << error.text;
    relay = std::make_unique<Relay>(options.port, std::move(change));
    options.port = relay->port;
    ASSERT_EQ(join(1, &error), DSRT_OK) << error.text;
  }
  void TearDown() override {
    Hostile::TearDown();
    for (auto &rank : ranks)
      rank.reset(); // the relay ends with its rank
    relay.reset();
  }
  dsrt_status set(const std::string &value) { return ranks[1]->set("k", value, hour, &error); }
  dsrt_status get(std::string &value) { return ranks[1]->get("k", hour, value, &error); }
  void expectRequestIsRefused() {
    EXPECT_STREQ(error.text, "rank 1: a message on its connection to the store was forged, altered "
                             "or replayed: its code is not that of the next message");
    EXPECT_EQ(error.late[0], 1);
    std::string value;
    dsrt_error ofOther = {};
    EXPECT_EQ(ranks[0]->get("never", hour, value, &ofOther), DSRT_PEER_FAILED);
    EXPECT_STREQ(ofOther.text,
                 "rank 1 failed first: a message on its connection to the store was forged, "
                 "altered or replayed: its code is not that of the next message");
  }
  void expectAnswerIsRefused() {
    EXPECT_EQ(std::string(error.text),
              "an answer of the store of rank 0 at 127.0.0.1:" + std::to_string(relay->port) +
                  " was forged, altered or replayed: its code is not "
                  "that of the next message");
    // And nothing is believed any more.
    std::string value;
    EXPECT_EQ(get(value), DSRT_PEER_FAILED);
  }

  std::unique_ptr<Relay> relay;
  dsrt_error error = {};
};

TEST_F(Sealed, messages_that_are_left_alone_arrive) {
  joinBy([](bool, int, const std::string &frame) { return frame; });
  std::string value;
  EXPECT_EQ(set("one"), DSRT_OK) << error.text;
  EXPECT_EQ(get(value), DSRT_OK) << error.text;
  EXPECT_EQ(value, "one");
}

TEST_F(Sealed, an_altered_request_is_a_failure_that_names_its_rank) {
  joinBy([](bool fromRank, int number, std::string frame) {
    if (fromRank && number == 1)
      frame.back() = static_cast<char>(frame.back() ^ 1);
    return frame;
  });
  EXPECT_EQ(set("one"), DSRT_OK) << error.text;
  EXPECT_EQ(set("two"), DSRT_PEER_FAILED);
  expectRequestIsRefused();
}

TEST_F(Sealed, a_forged_request_is_a_failure_that_names_its_rank) {
  joinBy([](bool fromRank, int number, const std::string &frame) {
    if (!fromRank || number != 1)
      return frame;
    Writer forged; // the right form, and a code that says nothing
    forged.integer(frame.size() - frameHeaderBytes, 4);
    return forged.out + std::string(macBytes, 'c') + frame.substr(frameHeaderBytes);
  });
  EXPECT_EQ(set("one"), DSRT_OK) << error.text;
  EXPECT_EQ(set("two"), DSRT_PEER_FAILED);
  expectRequestIsRefused();
}

TEST_F(Sealed, a_replayed_request_is_a_failure_that_names_its_rank) {
  std::string first;
  joinBy([&](bool fromRank, int number, const std::string &frame) {
    if (fromRank && number == 0)
      first = frame;
    return fromRank && number == 1 ? first : frame;
  });
  EXPECT_EQ(set("one"), DSRT_OK) << error.text;
  EXPECT_EQ(set("two"), DSRT_PEER_FAILED);
  expectRequestIsRefused();
}

TEST_F(Sealed, a_request_that_is_kept_back_is_a_timeout_of_its_rank_alone) {
  joinBy([](bool fromRank, int number, const std::string &frame) {
    return fromRank && number == 1 ? "" : frame;
  });
  EXPECT_EQ(set("one"), DSRT_OK) << error.text;
  std::string value;
  EXPECT_EQ(ranks[1]->get("never", 0, value, &error), DSRT_TIMEOUT); // nobody answers
  EXPECT_EQ(ranks[0]->get("never", 0, value, &error), DSRT_TIMEOUT); // and nobody has failed
}

TEST_F(Sealed, an_altered_answer_is_not_believed) {
  joinBy([](bool fromRank, int number, std::string frame) {
    if (!fromRank && number == 1)
      frame.back() = static_cast<char>(frame.back() ^ 1);
    return frame;
  });
  std::string value;
  EXPECT_EQ(set("one"), DSRT_OK) << error.text;
  EXPECT_EQ(get(value), DSRT_PEER_FAILED);
  expectAnswerIsRefused();
}

TEST_F(Sealed, a_replayed_answer_is_not_believed) {
  std::string first;
  joinBy([&](bool fromRank, int number, const std::string &frame) {
    if (!fromRank && number == 1)
      first = frame;
    return !fromRank && number == 3 ? first : frame;
  });
  std::string value;
  EXPECT_EQ(set("one"), DSRT_OK) << error.text;
  EXPECT_EQ(get(value), DSRT_OK) << error.text;
  EXPECT_EQ(set("two"), DSRT_OK) << error.text;
  EXPECT_EQ(get(value), DSRT_PEER_FAILED); // "one" again
  expectAnswerIsRefused();
}

TEST_F(Sealed, what_a_rank_said_is_no_answer_to_it) {
  std::string said;
  joinBy([&](bool fromRank, int, const std::string &frame) {
    if (fromRank)
      said = frame;
    return fromRank ? frame : said;
  });
  EXPECT_EQ(set("one"), DSRT_PEER_FAILED);
  expectAnswerIsRefused();
}

} // namespace
