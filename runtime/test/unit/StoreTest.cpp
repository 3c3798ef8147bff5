//===- StoreTest.cpp - What ranks share before they can talk ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every test runs on both kinds of store: among threads in memory, and over TCP.
//
//===----------------------------------------------------------------------===//
#include "bootstrap/TcpStore.h"

#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

using namespace dsrt::bootstrap;

namespace {

constexpr int64_t hour = 3600000;

std::vector<std::shared_ptr<Store>> makeTcpStores(int32_t numRanks) {
  TcpOptions options;
  options.address = "127.0.0.1";
  options.secret = "open sesame, now";
  options.numRanks = numRanks;
  std::vector<std::shared_ptr<Store>> stores(numRanks);
  dsrt_error error = {};
  EXPECT_EQ(joinTcpStore(options, stores[0], &error), DSRT_OK) << error.text;
  options.port = stores[0] ? portOf(*stores[0]) : 0;
  for (options.rank = 1; options.rank < numRanks; ++options.rank)
    EXPECT_EQ(connectTcpStore(options, stores[options.rank], &error), DSRT_OK) << error.text;
  return stores;
}

struct Kind {
  const char *name;
  std::vector<std::shared_ptr<Store>> (*make)(int32_t numRanks);
};

class Stores : public testing::TestWithParam<Kind> {
protected:
  void open(int32_t numRanks) {
    stores = GetParam().make(numRanks);
    ASSERT_EQ(stores.size(), static_cast<size_t>(numRanks));
    everyone.resize(numRanks);
    std::iota(everyone.begin(), everyone.end(), 0);
  }
  void TearDown() override { // rank 0 last: the server is there
    for (size_t r = stores.size(); r-- > 0;)
      if (stores[r])
        stores[r]->leave(10000);
  }
  void onRanks(const std::function<void(int32_t, Store &)> &body) {
    std::vector<std::thread> threads;
    for (size_t r = 0; r < stores.size(); ++r)
      threads.emplace_back([&, r] { body(static_cast<int32_t>(r), *stores[r]); });
    for (std::thread &thread : threads)
      thread.join();
  }

  std::vector<std::shared_ptr<Store>> stores;
  std::vector<int32_t> everyone;
};

TEST_P(Stores, a_value_reaches_ranks_that_wait_for_it) {
  open(3);
  const std::string id(4108, '\0'); // any bytes
  onRanks([&](int32_t rank, Store &store) {
    dsrt_error error = {};
    std::string got;
    if (rank == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      EXPECT_EQ(store.set("id", id, hour, &error), DSRT_OK) << error.text;
    }
    EXPECT_EQ(store.get("id", hour, got, &error), DSRT_OK) << error.text;
    EXPECT_EQ(got, id);
  });
}

TEST_P(Stores, a_key_that_nobody_sets_times_out) {
  open(2);
  dsrt_error error = {};
  std::string got;
  EXPECT_EQ(stores[1]->get("nothing", 100, got, &error), DSRT_TIMEOUT);
  EXPECT_STREQ(error.text, "timed out after 100 ms waiting for the key 'nothing' of the store");
  EXPECT_EQ(stores[0]->set("nothing", "1", hour, &error), DSRT_OK);
  EXPECT_EQ(stores[1]->get("nothing", 0, got, &error), DSRT_OK);
  EXPECT_EQ(stores[1]->erase("nothing", hour, &error), DSRT_OK);
  EXPECT_EQ(stores[0]->get("nothing", 0, got, &error), DSRT_TIMEOUT);
}

TEST_P(Stores, counters_add_up_over_ranks) {
  open(4);
  std::atomic<int64_t> largest{0};
  onRanks([&](int32_t rank, Store &store) {
    for (int i = 0; i < 100; ++i) {
      dsrt_error error = {};
      int64_t sum = 0;
      EXPECT_EQ(store.add("count", rank + 1, hour, sum, &error), DSRT_OK) << error.text;
      int64_t seen = largest;
      while (sum > seen && !largest.compare_exchange_weak(seen, sum)) {
      }
    }
  });
  EXPECT_EQ(largest, 100 * (1 + 2 + 3 + 4));
}

TEST_P(Stores, an_exchange_gives_everyone_all_values_and_can_be_repeated) {
  open(4);
  onRanks([&](int32_t rank, Store &store) {
    for (int round = 0; round < 50; ++round) {
      dsrt_error error = {};
      std::vector<std::string> got;
      const std::string mine = std::to_string(rank) + "." + std::to_string(round);
      ASSERT_EQ(store.exchange("e", everyone, rank, mine, hour, got, &error), DSRT_OK)
          << error.text;
      ASSERT_EQ(got.size(), 4u);
      for (int r = 0; r < 4; ++r)
        EXPECT_EQ(got[r], std::to_string(r) + "." + std::to_string(round));
    }
  });
}

TEST_P(Stores, groups_exchange_independently) {
  open(4);
  onRanks([&](int32_t rank, Store &store) {
    const std::vector<int32_t> members =
        rank % 2 ? std::vector<int32_t>{1, 3} : std::vector<int32_t>{0, 2};
    dsrt_error error = {};
    std::vector<std::string> got;
    ASSERT_EQ(store.exchange(rank % 2 ? "odd" : "even", members, rank / 2, std::to_string(rank),
                             hour, got, &error),
              DSRT_OK);
    EXPECT_EQ(got[0] + got[1], rank % 2 ? "13" : "02");
  });
}

TEST_P(Stores, late_ranks_are_named) {
  open(4);
  onRanks([&](int32_t rank, Store &store) {
    if (rank == 1 || rank == 3)
      return;
    dsrt_error error = {};
    EXPECT_EQ(store.barrier("b", everyone, rank, 300, &error), DSRT_TIMEOUT);
    EXPECT_STREQ(error.text, "timed out after 300 ms waiting for ranks 1, 3");
    EXPECT_EQ(error.num_late, 2);
    EXPECT_EQ(error.late[0], 1);
    EXPECT_EQ(error.late[1], 3);
  });
}

TEST_P(Stores, a_failure_frees_everyone_and_the_first_one_counts) {
  open(3);
  std::atomic<int> waiting{0};
  onRanks([&](int32_t rank, Store &store) {
    dsrt_error error = {};
    EXPECT_EQ(store.poll(10000, &error), DSRT_OK);
    if (rank == 1) {
      while (waiting < 2)
        std::this_thread::yield();
      store.fail(DSRT_INTERNAL, "the device is gone");
      store.fail(DSRT_INTERNAL, "and again");
      return;
    }
    std::string got;
    ++waiting;
    const dsrt_status status = rank == 0 ? store.get("never", hour, got, &error)
                                         : store.barrier("b", everyone, rank, hour, &error);
    EXPECT_EQ(status, DSRT_PEER_FAILED);
    EXPECT_STREQ(error.text, "rank 1 failed first: the device is gone");
    EXPECT_EQ(error.num_late, 1);
    EXPECT_EQ(error.late[0], 1);
    EXPECT_EQ(store.poll(10000, &error), DSRT_PEER_FAILED);
    EXPECT_EQ(store.set("k", "v", hour, &error), DSRT_PEER_FAILED);
  });
}

TEST_P(Stores, an_abort_is_told_as_one) {
  open(2);
  stores[0]->fail(DSRT_ABORTED, "loss is not a number");
  dsrt_error error = {};
  std::string got;
  EXPECT_EQ(stores[1]->get("never", hour, got, &error), DSRT_ABORTED);
  EXPECT_STREQ(error.text, "rank 0 aborted: loss is not a number");
}

TEST_P(Stores, a_waiting_call_does_not_keep_another_thread_out) {
  open(2);
  std::thread waiting([&] {
    dsrt_error error = {};
    std::string got;
    EXPECT_EQ(stores[1]->get("go", hour, got, &error), DSRT_OK) << error.text;
  });
  dsrt_error error = {};
  int64_t sum = 0;
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(stores[1]->add("other", 1, hour, sum, &error), DSRT_OK) << error.text;
  EXPECT_EQ(sum, 20);
  EXPECT_EQ(stores[1]->set("go", "", hour, &error), DSRT_OK);
  waiting.join();
}

TEST_P(Stores, too_long_keys_and_values_are_refused) {
  open(1);
  dsrt_error error = {};
  EXPECT_EQ(stores[0]->set(std::string(5000, 'k'), "", hour, &error), DSRT_INVALID_ARGUMENT);
  EXPECT_STREQ(error.text,
               "a key of 5000 and a value of 0 bytes exceed the store's 4096 and 67108864");
}

TEST_P(Stores, members_that_disagree_are_told) {
  open(3);
  std::atomic<int> mismatches{0};
  onRanks([&](int32_t rank, Store &store) {
    if (rank == 2)
      return;
    dsrt_error error = {};
    std::vector<std::string> got;
    const std::vector<int32_t> members =
        rank == 0 ? std::vector<int32_t>{0, 1} : std::vector<int32_t>{0, 1, 2};
    const dsrt_status status = store.exchange("e", members, rank, "", hour, got, &error);
    if (status == DSRT_MISMATCH) {
      ++mismatches;
      store.fail(status, error.text);
    } else {
      EXPECT_EQ(status, DSRT_PEER_FAILED) << error.text;
    }
    EXPECT_NE(std::string(error.text).find("ranks disagree on the members of 'e'"),
              std::string::npos)
        << error.text;
  });
  EXPECT_EQ(mismatches, 1);
}

INSTANTIATE_TEST_SUITE_P(Bootstrap, Stores,
                         testing::Values(Kind{"memory", makeProcessStores},
                                         Kind{"tcp", makeTcpStores}),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
