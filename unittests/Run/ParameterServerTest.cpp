//===- ParameterServerTest.cpp - Ranks that run free ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shard is one number. A push makes it 2 x + rank + 1, which tells the order of all pushes.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Asynchronous/ParameterServer.h"

#include "TestSupport.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace ds {
namespace {

using namespace std::chrono_literals;

struct Number final : StepInstance {
  uint64_t value = 0;
  void write(unsigned, llvm::function_ref<void(char *)>) override {}
  HostView readArgument(unsigned) const override { return nullptr; }
  HostView readResult(unsigned) const override { return nullptr; }
  void run(dsrt_context *) override {}
  std::vector<CallProfile> profile() const override { return {}; }
};

std::vector<std::unique_ptr<StepInstance>> makeShards(int64_t number) {
  std::vector<std::unique_ptr<StepInstance>> shards;
  for (int64_t i = 0; i < number; ++i)
    shards.push_back(std::make_unique<Number>());
  return shards;
}

uint64_t &valueOf(StepInstance &shard) { return static_cast<Number &>(shard).value; }

/// Every rank takes its steps and waits in them as `pause` says. What each pull read, by rank.
std::vector<std::vector<uint64_t>> train(ParameterServer &server, int64_t numRanks, int64_t steps,
                                         llvm::function_ref<void(int64_t rank)> pause) {
  std::vector<std::vector<uint64_t>> read(numRanks);
  std::vector<std::thread> ranks;
  for (int64_t rank = 0; rank < numRanks; ++rank)
    ranks.emplace_back([&, rank] {
      for (int64_t step = 0; step < steps; ++step) {
        llvm::cantFail(server.begin(rank, nullptr));
        for (int64_t shard = 0; shard < server.numShards(); ++shard)
          llvm::cantFail(server.pull(rank, step, shard, nullptr, [&](StepInstance &number) {
            read[rank].push_back(valueOf(number));
          }));
        pause(rank);
        for (int64_t shard = 0; shard < server.numShards(); ++shard)
          llvm::cantFail(server.push(rank, step, shard, nullptr, [&](StepInstance &number) {
            valueOf(number) = 2 * valueOf(number) + rank + 1;
          }));
        server.end(rank, {});
      }
    });
  for (std::thread &rank : ranks)
    rank.join();
  return read;
}

TEST(ParameterServerTest, NobodyIsMoreThanTheStalenessAheadOfASlowRank) {
  for (int64_t staleness : {0, 1, 3}) {
    ParameterServer server(makeShards(2),
                           {.numRanks = 3, .staleness = staleness, .timeoutMs = 10000});
    std::atomic<int64_t> begun[3] = {0, 0, 0};
    train(server, 3, 12, [&](int64_t rank) {
      int64_t mine = ++begun[rank];
      if (rank != 2)
        return;
      // The others come as far as they may, and no farther.
      int64_t most = std::min<int64_t>(12, mine + staleness);
      while (begun[0] < most || begun[1] < most)
        std::this_thread::sleep_for(100us);
      std::this_thread::sleep_for(2ms);
      EXPECT_EQ(begun[0], most);
      EXPECT_EQ(begun[1], most);
    });
  }
}

TEST(ParameterServerTest, ARecordedOrderIsRepeated) {
  Order order(3, 2);
  ParameterServer first(makeShards(2),
                        {.numRanks = 3, .staleness = 2, .timeoutMs = 10000, .record = &order});
  auto read = train(first, 3, 20, [](int64_t rank) { std::this_thread::sleep_for(rank * 200us); });
  EXPECT_EQ(order.steps(), 20);
  EXPECT_TRUE(order.meetsAt(0));
  EXPECT_TRUE(order.meetsAt(20));
  for (int64_t slow = 0; slow < 3; ++slow) {
    ParameterServer again(makeShards(2),
                          {.numRanks = 3, .staleness = 2, .timeoutMs = 10000, .replay = &order});
    auto readAgain = train(again, 3, 20, [&](int64_t rank) {
      if (rank == slow)
        std::this_thread::sleep_for(1ms);
    });
    EXPECT_EQ(read, readAgain);
    for (int64_t shard : {0, 1})
      EXPECT_EQ(valueOf(first.shard(shard)), valueOf(again.shard(shard)));
  }
}

TEST(ParameterServerTest, AnOrderOfRanksThatAskedForAllShardsAtOnceIsFollowed) {
  // Rank 0 pulled shard 1 before, and shard 0 behind what rank 1 pushed.
  Order order(2, 2);
  order.change(0, 0, 0) = {1, 1};
  order.change(0, 0, 1) = {0, 1};
  order.change(0, 1, 0) = {0, 0};
  order.change(0, 1, 1) = {0, 0};
  ParameterServer server(makeShards(2),
                         {.numRanks = 2, .staleness = 1, .timeoutMs = 2000, .replay = &order});
  std::vector<std::thread> ranks;
  for (int64_t rank = 0; rank < 2; ++rank)
    ranks.emplace_back([&, rank] {
      llvm::cantFail(server.begin(rank, nullptr));
      llvm::cantFail(server.pullAll(rank, 0, nullptr, [](int64_t, StepInstance &) {}));
      llvm::cantFail(server.pushAll(rank, 0, nullptr, [&](int64_t, StepInstance &number) {
        valueOf(number) = 2 * valueOf(number) + rank + 1;
      }));
    });
  for (std::thread &rank : ranks)
    rank.join();
  EXPECT_EQ(valueOf(server.shard(0)), 5U); // rank 1, then rank 0
  EXPECT_EQ(valueOf(server.shard(1)), 5U);
}

TEST(ParameterServerTest, AWaitOfAReplayNamesTheRankThatIsNext) {
  Order order(2, 1);
  order.change(0, 0, 0) = {1, 1};
  order.change(0, 1, 0) = {0, 0};
  ParameterServer server(makeShards(1),
                         {.numRanks = 2, .staleness = 1, .timeoutMs = 150, .replay = &order});
  llvm::cantFail(server.begin(0, nullptr));
  EXPECT_EQ(llvm::toString(server.pull(0, 0, 0, nullptr, [](StepInstance &) {})),
            "update=asynchronous: timed out after 150 ms: rank 0 pulls shard 0 in step 1 after "
            "update 1, which has 0: the next one is rank 1's");
}

TEST(ParameterServerTest, AFailureEndsEveryWaitNowAndLater) {
  ParameterServer server(makeShards(1), {.numRanks = 2, .staleness = 0, .timeoutMs = 60000});
  llvm::cantFail(server.begin(0, nullptr));
  server.end(0, {});
  std::thread other([&] {
    std::this_thread::sleep_for(20ms);
    server.fail("rank 1 is gone");
    server.fail("and so am I");
  });
  EXPECT_EQ(llvm::toString(server.begin(0, nullptr)), "rank 1 is gone");
  other.join();
  EXPECT_EQ(llvm::toString(server.awaitEndOfMeeting(1, nullptr)), "rank 1 is gone");
  EXPECT_EQ(llvm::toString(server.failure()), "rank 1 is gone");
}

TEST(ParameterServerTest, AWaitNamesTheRankAndTheTimeout) {
  ParameterServer server(makeShards(1), {.numRanks = 2, .staleness = 1, .timeoutMs = 150});
  for (int64_t step = 0; step < 2; ++step) {
    llvm::cantFail(server.begin(0, nullptr));
    server.end(0, {});
  }
  EXPECT_EQ(llvm::toString(server.begin(0, nullptr)),
            "update=asynchronous: timed out after 150 ms: rank 0 cannot begin step 3 before rank 1 "
            "has done step 1");
  EXPECT_EQ(llvm::toString(server.awaitAll(0, 2, nullptr)),
            "update=asynchronous: timed out after 150 ms: rank 0 waits after step 2 for rank 1, "
            "which has done step 0");
}

TEST(ParameterServerTest, AskedForAMeetingAllRanksComeToOne) {
  ParameterServer server(makeShards(1), {.numRanks = 3, .staleness = 4, .timeoutMs = 10000});
  std::vector<int64_t> left(3);
  std::vector<std::thread> ranks;
  for (int64_t rank = 0; rank < 3; ++rank)
    ranks.emplace_back([&, rank] {
      for (int64_t step = 0; step < 1000 && left[rank] == 0; ++step) {
        llvm::cantFail(server.begin(rank, nullptr));
        std::this_thread::sleep_for((rank + 1) * 100us);
        server.end(rank, {});
        if (rank == 1 && step == 5)
          server.askToMeet();
        if (server.meetsAt(step + 1))
          left[rank] = step + 1;
      }
    });
  for (std::thread &rank : ranks)
    rank.join();
  EXPECT_GE(left[0], 6);
  EXPECT_EQ(left, std::vector<int64_t>(3, left[0]));
}

TEST(ParameterServerTest, MetricsOfAStepAreThereWhenAllHaveDoneIt) {
  ParameterServer server(makeShards(1), {.numRanks = 2, .staleness = 1, .timeoutMs = 100});
  llvm::cantFail(server.begin(0, nullptr));
  server.end(0, {1});
  EXPECT_FALSE(server.takeReports(0));
  llvm::cantFail(server.begin(1, nullptr));
  server.end(1, {10});
  auto all = server.takeReports(0);
  ASSERT_TRUE(all);
  EXPECT_EQ(*all, (std::vector<std::vector<double>>{{1}, {10}}));
  EXPECT_FALSE(server.takeReports(0));
}

} // namespace
} // namespace ds
