//===- FreeRankTest.cpp - Ranks that run free as processes do ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rank is a thread with a server of its own, so all that it knows of others comes by streams.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Asynchronous/FreeRank.h"
#include "ds/Run/Ranks/World.h"

#include "TestSupport.h"

#include <chrono>
#include <cstring>
#include <thread>

namespace ds {
namespace {

using namespace std::chrono_literals;

/// Argument 0 is a number; the update makes it 2 x + argument 1.
struct Number final : StepInstance {
  uint64_t values[2] = {0, 0};
  void write(unsigned slot, llvm::function_ref<void(char *)> fill) override {
    fill(reinterpret_cast<char *>(&values[slot]));
  }
  HostView readArgument(unsigned slot) const override {
    return HostView(std::shared_ptr<void>(), &values[slot]);
  }
  HostView readResult(unsigned) const override { return nullptr; }
  void run(dsrt_context *) override { values[0] = 2 * values[0] + values[1]; }
  std::vector<CallProfile> profile() const override { return {}; }
};

/// A shard: its number is pulled and held, and a gradient pushed.
ShardTraffic trafficOf(unsigned shard) {
  return {{{0, shard, 8}}, {{1, shard, 8, true}}, {{0, shard, 8}}};
}

/// What one rank saw.
struct Seen {
  std::vector<uint64_t> pulled, gathered;
  std::vector<std::vector<double>> reports;
  std::string error;
};

struct Job {
  int64_t numRanks = 3, numShards = 2, steps = 20, timeoutMs = 10000;
  const Order *replay = nullptr;
  Order *record = nullptr; // rank 0's
  std::function<bool(int64_t rank, int64_t step)> goesOn = [](int64_t, int64_t) { return true; };

  llvm::Error train(int64_t rank, dsrt_context *context, Seen &seen) const {
    Order own(numRanks, numShards);
    std::vector<std::unique_ptr<StepInstance>> memories;
    for (int64_t shard = 0; shard < numShards; ++shard)
      memories.push_back(shard == rank ? std::make_unique<Number>() : nullptr);
    auto server = std::make_shared<ParameterServer>(
        std::move(memories), ParameterServer::Options{.numRanks = numRanks,
                                                      .staleness = 2,
                                                      .timeoutMs = timeoutMs,
                                                      .record = rank == 0 ? record : &own,
                                                      .replay = replay});
    std::vector<ShardTraffic> traffic;
    for (int64_t shard = 0; shard < numShards; ++shard)
      traffic.push_back(trafficOf(shard));
    auto free = makeProcessRank(server, traffic, rank, numRanks, 0, timeoutMs);
    seen.gathered.resize(numShards);
    auto take = [&](const ShardTraffic::Slot &, const void *value) {
      uint64_t number;
      memcpy(&number, value, sizeof number);
      seen.pulled.push_back(number);
    };
    uint64_t gradient = rank + 1;
    for (int64_t step = 0; step < steps; ++step) {
      if (!goesOn(rank, step))
        return llvm::createStringError("has had enough");
      if (llvm::Error error = free->begin(context))
        return error;
      if (llvm::Error error = free->pull(take))
        return error;
      if (llvm::Error error = free->push([&](const ShardTraffic::Slot &) {
            return HostView(std::shared_ptr<void>(), &gradient);
          }))
        return error;
      auto asked = free->end({static_cast<double>(100 * rank + step)}, false);
      if (!asked)
        return asked.takeError();
      EXPECT_FALSE(*asked);
      while (auto reports = rank == 0 ? free->takeReports(seen.reports.size()) : std::nullopt)
        for (std::vector<double> &report : *reports) {
          if (report == reports->front())
            seen.reports.emplace_back();
          seen.reports.back().push_back(report.front());
        }
    }
    if (llvm::Error error = free->awaitAll())
      return error;
    if (rank > 0) {
      if (llvm::Error error = free->awaitEndOfMeeting())
        return error;
    } else {
      for (int64_t shard = 0; shard < numShards; ++shard)
        if (free->holds(shard))
          memcpy(&seen.gathered[shard], server->shard(shard).readArgument(0).get(), 8);
      if (llvm::Error error = free->gather([&](const ShardTraffic::Slot &slot, const void *value) {
            memcpy(&seen.gathered[slot.ofRank], value, 8);
          }))
        return error;
      free->endMeeting();
    }
    free->leave();
    free.reset();
    EXPECT_EQ(errorOf(server->failure()),
              "update=asynchronous: this process has stopped serving other ranks");
    return llvm::Error::success();
  }

  std::vector<Seen> run() const {
    auto world = cantFail(World::create(numRanks, "local", {}));
    std::vector<Seen> seen(numRanks);
    llvm::consumeError(world->run([&](int64_t rank, dsrt_context *context) {
      seen[rank].error = errorOf(train(rank, context, seen[rank]));
      return llvm::Error::success(); // so that the world does not tell the others
    }));
    return seen;
  }
};

TEST(FreeRankTest, ProcessesFollowTheOrderThatProcessesRecorded) {
  Order order(3, 2);
  Job job;
  job.record = &order;
  std::vector<Seen> first = job.run();
  for (const Seen &seen : first)
    EXPECT_EQ(seen.error, "(no error)");
  EXPECT_EQ(order.steps(), 20);
  EXPECT_TRUE(order.meetsAt(20));
  job.record = nullptr;
  job.replay = &order;
  for (int64_t slow = 0; slow < 3; ++slow) {
    job.goesOn = [&](int64_t rank, int64_t) {
      if (rank == slow)
        std::this_thread::sleep_for(1ms);
      return true;
    };
    std::vector<Seen> again = job.run();
    EXPECT_EQ(again[0].gathered, first[0].gathered);
    for (int64_t rank = 0; rank < 3; ++rank) {
      EXPECT_EQ(again[rank].error, "(no error)");
      std::sort(again[rank].pulled.begin(), again[rank].pulled.end());
      std::vector<uint64_t> expected = first[rank].pulled;
      std::sort(expected.begin(), expected.end()); // of two shards, in either order
      EXPECT_EQ(again[rank].pulled, expected);
    }
  }
}

TEST(FreeRankTest, RankZeroHasTheMetricsOfAll) {
  Job job;
  job.steps = 5;
  std::vector<Seen> seen = job.run();
  ASSERT_GE(seen[0].reports.size(), 2U); // the last ones come at the meeting
  for (size_t step = 0; step < seen[0].reports.size(); ++step)
    EXPECT_EQ(seen[0].reports[step], (std::vector<double>{0. + step, 100. + step, 200. + step}));
}

TEST(FreeRankTest, ARankThatEndsIsNamedByAllOthers) {
  Job job;
  job.goesOn = [](int64_t rank, int64_t step) { return rank != 1 || step < 7; };
  std::vector<Seen> seen = job.run();
  EXPECT_EQ(seen[1].error, "has had enough");
  for (int64_t rank : {0, 2})
    EXPECT_EQ(seen[rank].error, "update=asynchronous: rank 1 has left the world, or the connection "
                                "to it was lost");
}

TEST(FreeRankTest, AWaitNamesTheRankAndTheTimeout) {
  Job job;
  job.timeoutMs = 300;
  job.goesOn = [](int64_t rank, int64_t step) {
    if (rank == 1 && step == 4)
      std::this_thread::sleep_for(1500ms);
    return true;
  };
  std::vector<Seen> seen = job.run();
  // Whoever is first to give up is gone for the other.
  int named = 0;
  for (int64_t rank : {0, 2})
    named += seen[rank].error == "update=asynchronous: timed out after 300 ms: rank " +
                                     std::to_string(rank) +
                                     " cannot begin step 8 before rank 1 has done step 5";
  EXPECT_GE(named, 1) << seen[0].error << "\n" << seen[2].error;
}

} // namespace
} // namespace ds
