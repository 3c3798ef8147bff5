//===- ThreadTest.cpp - A system that has no more threads -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// pthread_create is ours here, and can be told to refuse. Sanitizers have one of their own.
//
//===----------------------------------------------------------------------===//
#include "base/Deadline.h"
#include "bootstrap/Lookup.h"
#include "bootstrap/TcpStore.h"
#include "dsrt/dsrt.h"
#include "support/StoreBackend.h"

#include <atomic>
#include <cerrno>
#include <climits>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <string>
#include <system_error>

#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)

namespace {
std::atomic<int> threadsLeft{INT_MAX};
} // namespace

/// Stands before the C library's.
extern "C" __attribute__((visibility("default"))) int
pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
               void *argument) noexcept {
  using Create = int(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  static auto *real = reinterpret_cast<Create *>(dlsym(RTLD_NEXT, "pthread_create"));
  if (threadsLeft != INT_MAX && threadsLeft-- <= 0)
    return EAGAIN;
  return real(thread, attributes, body, argument);
}

namespace {

class NoThreads : public testing::Test {
protected:
  static void SetUpTestSuite() { dsrt::test::registerStoreBackend(); }
  void TearDown() override { threadsLeft = INT_MAX; }
  const std::string why = "Resource temporarily unavailable";
};

TEST_F(NoThreads, a_world_without_a_thread_for_each_rank_is_one_sentence) {
  for (int threads = 0; threads < 3; ++threads) {
    dsrt_context *contexts[3];
    threadsLeft = threads;
    EXPECT_EQ(dsrt_world_create("store", 3, nullptr, contexts), DSRT_INTERNAL);
    EXPECT_EQ(std::string(dsrt_last_error(nullptr)),
              "dsrt_world_create: backend 'store': cannot start a thread for rank " +
                  std::to_string(threads) + " of 3: " + why);
    for (dsrt_context *context : contexts)
      EXPECT_EQ(context, nullptr);
  }
}

TEST_F(NoThreads, a_started_collective_is_refused) {
  dsrt_context *context = nullptr;
  ASSERT_EQ(dsrt_local_world_create(1, nullptr, &context), DSRT_OK);
  float value = 1;
  void *data = &value;
  const int64_t one = 1;
  dsrt_pending *pending = nullptr;
  threadsLeft = 0;
  EXPECT_EQ(
      dsrt_all_reduce_start(context, 1, &data, &one, DSRT_F32, DSRT_SUM, DSRT_WORLD, &pending),
      DSRT_INTERNAL);
  EXPECT_EQ(std::string(dsrt_last_error(context)), "no thread for started collectives: " + why);
  (void)dsrt_shutdown(context);
}

/// dsrt_init makes a sentence of it.
TEST_F(NoThreads, a_store_without_a_thread_does_not_start) {
  dsrt::bootstrap::TcpOptions options;
  options.address = "127.0.0.1";
  options.secret = "open sesame, now";
  options.numRanks = 2;
  std::unique_ptr<dsrt::bootstrap::TcpServer> server;
  dsrt_error error = {};
  threadsLeft = 0;
  EXPECT_THROW((void)startTcpServer(options, server, &error), std::system_error);
}

TEST_F(NoThreads, a_name_is_looked_up_all_the_same) {
  threadsLeft = 0;
  std::string reason;
  EXPECT_FALSE(dsrt::bootstrap::lookUp("localhost", 1, dsrt::Deadline::in(60000), reason).empty())
      << reason;
}

} // namespace

#endif
