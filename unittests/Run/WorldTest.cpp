//===- WorldTest.cpp - Ranks as threads -------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A failing rank frees the others, and its own reason is the one that is told.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/World.h"

#include "TestSupport.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace ds {
namespace {

TEST(World, EveryRankRunsOnce) {
  auto world = cantFail(World::create(3, "local", {}));
  std::atomic<int> sum{0};
  ASSERT_EQ(errorOf(world->run([&](int64_t rank, dsrt_context *context) {
              EXPECT_EQ(dsrt_rank(context), rank);
              EXPECT_EQ(dsrt_num_ranks(context), 3);
              sum += 1 << rank;
              return llvm::Error::success();
            })),
            "(no error)");
  EXPECT_EQ(sum, 7);
}

/// Threads poll between short waits, sleep after long ones, and always where ranks outnumber cores.
TEST(World, RunsBeginAndEndWhetherThreadsPollOrSleep) {
  for (const int64_t ranks : {2, 9}) {
    auto world = cantFail(World::create(ranks, "local", {}));
    std::atomic<int64_t> calls{0};
    for (int run = 1; run <= 300; ++run) {
      if (run % 3 == 0)
        std::this_thread::sleep_for(std::chrono::microseconds(100 * (run % 5)));
      ASSERT_EQ(errorOf(world->run([&](int64_t rank, dsrt_context *) {
                  if (rank == run % ranks && run % 7 == 0)
                    std::this_thread::sleep_for(std::chrono::microseconds(300));
                  ++calls;
                  return llvm::Error::success();
                })),
                "(no error)");
      ASSERT_EQ(calls, run * ranks);
    }
  }
}

TEST(World, AFailingRankLeavesNobodyWaiting) {
  auto world = cantFail(World::create(3, "local", {}));
  std::string message = errorOf(world->run([&](int64_t rank, dsrt_context *context) -> llvm::Error {
    if (rank == 1)
      return llvm::createStringError(llvm::inconvertibleErrorCode(), "rank 1 has no disk");
    dsrt_barrier(context, DSRT_WORLD); // for ever, but for the abort
    return contextError(context);
  }));
  expectSentence(message, {"rank 1 has no disk"});
}

TEST(World, OneRankNeedsNoThread) {
  auto world = cantFail(World::create(1, "local", {}));
  EXPECT_EQ(errorOf(world->run([](int64_t, dsrt_context *) {
              return llvm::createStringError(llvm::inconvertibleErrorCode(), "alone");
            })),
            "alone");
}

TEST(World, WithoutALauncherThereIsNothingToJoin) {
  auto world = World::join("auto", {});
  ASSERT_TRUE(bool(world)) << errorOf(std::move(world));
  EXPECT_EQ(world->get(), nullptr);
  EXPECT_EQ(cantFail(World::join("local", {})).get(), nullptr);
}

TEST(World, AgreementPassesAnErrorThroughInOneProcess) {
  auto world = cantFail(World::create(2, "local", {}));
  EXPECT_EQ(errorOf(world->agree(llvm::createStringError(llvm::inconvertibleErrorCode(), "bad"))),
            "bad");
  EXPECT_EQ(errorOf(world->agree(llvm::Error::success())), "(no error)");
}

TEST(World, TheCauseIsToldThoughAnotherRankIsFirstToFailOfIt) {
  auto world = cantFail(World::create(2, "local", {}));
  std::string message = errorOf(world->run([](int64_t rank, dsrt_context *context) -> llvm::Error {
    if (rank == 0)
      dsrt_barrier(context, DSRT_WORLD);
    else
      dsrt_all_reduce(context, /*n_buffers=*/-1, nullptr, nullptr, DSRT_F32, DSRT_SUM, DSRT_WORLD);
    if (rank == 1) // rank 0 is through by then
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    return contextError(context);
  }));
  EXPECT_EQ(message.find("rank 1 failed first"), std::string::npos) << message;
  EXPECT_NE(message.find("on rank 1"), std::string::npos) << message;
}

} // namespace
} // namespace ds
