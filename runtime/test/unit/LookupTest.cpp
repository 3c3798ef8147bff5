//===- LookupTest.cpp - Names of rank 0's machine ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// getaddrinfo is ours here: what a name means does not hang on the machine that tests.
//
//===----------------------------------------------------------------------===//
#include "base/Threads.h"
#include "bootstrap/Socket.h"
#include "bootstrap/TcpStore.h"

#include <atomic>
#include <chrono>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <map>
#include <netdb.h>
#include <netinet/in.h>
#include <thread>

using namespace dsrt::bootstrap;

namespace {

/// Names of the tests, and the numbers that they stand for. Read by threads that tests leave
/// behind.
const std::map<std::string, std::vector<std::string>> names = {
    {"elsewhere.test", {"192.0.2.1"}},    // of nobody, by RFC 5737
    {"here.test", {"127.0.0.1"}},         //
    {"own-loopback.test", {"127.0.1.1"}}, // as Debian's installer writes it
    {"two-families.test", {"::1", "127.0.0.1"}},
    {"one-is-silent.test", {"silent", "127.0.0.1"}},
    {"slow.test", {"127.0.0.1"}},
    {"temporary.test", {"127.0.0.1"}},
};
std::atomic<int> failures{0};   // that temporary.test still has
std::atomic<int> silentPort{0}; // where nobody accepts and the queue is full
std::atomic<bool> isOver{false};

using Resolver = int(const char *, const char *, const addrinfo *, addrinfo **);
int real(const char *node, const char *service, const addrinfo *hints, addrinfo **found) {
  static auto *function = reinterpret_cast<Resolver *>(dlsym(RTLD_NEXT, "getaddrinfo"));
  return function(node, service, hints, found);
}

} // namespace

/// Stands before the C library's.
extern "C" __attribute__((visibility("default"))) int
getaddrinfo(const char *node, const char *service, const addrinfo *hints, addrinfo **found) {
  auto entry = names.find(node ? node : "");
  if (entry == names.end() || (hints->ai_flags & AI_NUMERICHOST))
    return real(node, service, hints, found);
  if (entry->first == "temporary.test" && failures-- > 0)
    return EAI_AGAIN;
  if (entry->first == "slow.test")
    while (!isOver)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  addrinfo **next = found;
  for (const std::string &number : entry->second) {
    const bool silent = number == "silent";
    const std::string port = silent ? std::to_string(silentPort) : service;
    if (int code = real(silent ? "127.0.0.1" : number.c_str(), port.c_str(), hints, next))
      return code;
    while (*next)
      next = &(*next)->ai_next;
  }
  return 0;
}

namespace {

class Lookup : public testing::Test {
protected:
  void SetUp() override {
    options.secret = "open sesame, now";
    options.numRanks = 2;
  }
  /// Rank 0 under one name for its machine, rank 1 under another; both exchange.
  void expectJoin(const std::string &ofZero, const std::string &ofOne) {
    options.address = ofZero;
    std::shared_ptr<Store> zero, one;
    dsrt_error error = {};
    ASSERT_EQ(joinTcpStore(options, zero, &error), DSRT_OK) << error.text;
    TcpOptions other = options;
    other.address = ofOne;
    other.rank = 1;
    other.port = portOf(*zero);
    other.timeoutMs = 60000;
    ASSERT_EQ(connectTcpStore(other, one, &error), DSRT_OK) << error.text;
    std::string value;
    EXPECT_EQ(one->set("key", "value", 60000, &error), DSRT_OK) << error.text;
    EXPECT_EQ(zero->get("key", 60000, value, &error), DSRT_OK) << error.text;
    EXPECT_EQ(value, "value");
    one->leave(1000);
    zero->leave(1000);
  }
  TcpOptions options;
};

TEST_F(Lookup, rank_0_listens_on_all_addresses_whatever_its_name_means_to_itself) {
  for (const char *name : {"own-loopback.test", "elsewhere.test", "slow.test", "here.test",
                           "no-such-host.invalid", "192.0.2.1"}) {
    SCOPED_TRACE(name);
    expectJoin(name, "127.0.0.1");
    expectJoin(name, "here.test");
  }
  isOver = true;
}

TEST_F(Lookup, on_a_number_of_this_machine_rank_0_listens_there_alone) {
  for (const char *number : {"127.0.0.1", "localhost"}) {
    Socket listener;
    int32_t port = 0;
    bool onAll = true;
    dsrt_error error = {};
    ASSERT_EQ(Socket::listen(number, port, listener, onAll, &error), DSRT_OK) << error.text;
    EXPECT_FALSE(onAll);
    std::string why;
    Dial other("127.0.0.2", port, dsrt::Deadline::in(5000), why);
    EXPECT_FALSE(other.next(dsrt::Deadline::in(5000), why));
    EXPECT_EQ(why, "Connection refused");
  }
}

TEST_F(Lookup, all_addresses_of_a_name_are_tried_side_by_side) {
  expectJoin("here.test", "two-families.test");
  // The queue of a listener that accepts nobody is filled: its system answers nobody any more.
  Socket listener = Socket::open(AF_INET);
  sockaddr_in where = {};
  where.sin_family = AF_INET;
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof where;
  auto *plain = reinterpret_cast<sockaddr *>(&where);
  ASSERT_EQ(bind(listener.get(), plain, length), 0);
  ASSERT_EQ(listen(listener.get(), 0), 0);
  ASSERT_EQ(getsockname(listener.get(), plain, &length), 0);
  silentPort = ntohs(where.sin_port);
  std::string why;
  std::vector<Dial> fill;
  for (int i = 0; i < 4; ++i)
    fill.emplace_back("127.0.0.1", silentPort, dsrt::Deadline::in(5000), why);
  Dial full("127.0.0.1", silentPort, dsrt::Deadline::in(5000), why);
  EXPECT_FALSE(full.next(dsrt::Deadline::in(100), why));
  EXPECT_EQ(why, "Connection timed out");
  expectJoin("here.test", "one-is-silent.test");
}

TEST_F(Lookup, a_temporary_failure_is_waited_out) {
  failures = 3;
  expectJoin("here.test", "temporary.test");
  EXPECT_LT(failures, 0);
}

TEST_F(Lookup, a_silent_name_server_takes_no_longer_than_the_timeout) {
  isOver = false;
  options.address = "slow.test";
  options.port = 1;
  options.rank = 1;
  options.timeoutMs = 300;
  std::shared_ptr<Store> store;
  dsrt_error error = {};
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(connectTcpStore(options, store, &error), DSRT_TIMEOUT);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  EXPECT_STREQ(error.text, "timed out after 300 ms waiting for the store of rank 0 at slow.test:1: "
                           "no process has registered the address of its name yet");
  isOver = true; // the thread that asks ends
}

TEST_F(Lookup, a_name_that_does_not_exist_is_said) {
  options.address = "no-such-host.invalid";
  options.port = 1;
  options.rank = 1;
  options.timeoutMs = 100;
  std::shared_ptr<Store> store;
  dsrt_error error = {};
  EXPECT_EQ(connectTcpStore(options, store, &error), DSRT_TIMEOUT);
  EXPECT_NE(std::string(error.text).find("the store of rank 0 at no-such-host.invalid:1: "),
            std::string::npos)
      << error.text;
}

} // namespace
