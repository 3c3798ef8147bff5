//===- FiberTest.cpp - Collectives in pieces on the caller's thread --------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "base/Fiber.h"
#include "dsrt/backend.h"

#include <chrono>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <thread>

using namespace dsrt;

namespace {

TEST(Fiber, goes_on_where_it_yielded) {
  std::string order;
  Fiber *self = nullptr;
  Fiber fiber([&] {
    for (char c : {'b', 'd'}) {
      order += c;
      self->yield();
    }
    order += 'f';
  });
  self = &fiber;
  for (char c : {'a', 'c', 'e'}) {
    order += c;
    EXPECT_FALSE(fiber.ended());
    fiber.resume();
  }
  EXPECT_TRUE(fiber.ended());
  EXPECT_EQ(order, "abcdef");
}

TEST(Fiber, has_a_stack_of_its_own) {
  constexpr size_t bytes = size_t(1) << 20;
  int sum = 0;
  Fiber *self = nullptr;
  Fiber fiber([&] {
    volatile char local[bytes];
    for (size_t i = 0; i < bytes; i += 4096)
      local[i] = 1;
    self->yield();
    for (size_t i = 0; i < bytes; i += 4096)
      sum += local[i];
  });
  self = &fiber;
  fiber.resume();
  std::thread([&] { // whoever computes meanwhile
    volatile char other[bytes];
    for (size_t i = 0; i < bytes; i += 4096)
      other[i] = 2;
  })
      .join();
  fiber.resume();
  EXPECT_EQ(sum, static_cast<int>(bytes / 4096));
}

/// A world of one rank whose collectives end after some looks, or when the caller waits.
struct Polled {
  int needed = 3, looks = 0, waits = 0, ended = 0;
};
Polled polled;

dsrt_status init(const dsrt_options *, void **outState, int32_t *outRank, int32_t *outNumRanks,
                 dsrt_error *) {
  *outState = &polled;
  *outRank = 0;
  *outNumRanks = 1;
  return DSRT_OK;
}
dsrt_status shutdown(void *, int32_t, dsrt_error *) { return DSRT_OK; }
dsrt_status groupCreate(void *, int32_t, const int32_t *, int64_t, void **outGroup, dsrt_error *) {
  *outGroup = &polled;
  return DSRT_OK;
}
void groupDestroy(void *, void *, int32_t) {}
dsrt_status collective(void *, void *, const dsrt_call *call, dsrt_error *) {
  for (int look = 0; look < polled.needed && call->yield; ++look) {
    ++polled.looks;
    if (!call->yield(call->yields_to)) {
      ++polled.waits;
      break;
    }
  }
  ++polled.ended;
  *call->waiting_ns = 0;
  return DSRT_OK;
}
void abortWorld(void *, const char *) {}

dsrt_context *world() {
  static const dsrt_backend table = [] {
    dsrt_backend made = {};
    made.abi_version = DSRT_BACKEND_ABI_VERSION;
    made.struct_size = sizeof made;
    made.name = "polled";
    made.capabilities = DSRT_CAP_IN_ORDER | DSRT_CAP_POLLED;
    made.alignment = 4;
    made.reductions[DSRT_F32] = 1u << DSRT_SUM;
    made.init = init;
    made.shutdown = shutdown;
    made.group_create = groupCreate;
    made.group_destroy = groupDestroy;
    made.collective = collective;
    made.abort = abortWorld;
    EXPECT_EQ(dsrt_register_backend(&made), DSRT_OK);
    return made;
  }();
  (void)table;
  polled = {};
  dsrt_context *context = nullptr;
  EXPECT_EQ(dsrt_init("polled", nullptr, &context), DSRT_OK) << dsrt_last_error(nullptr);
  return context;
}

dsrt_pending *start(dsrt_context *context, float &value) {
  void *data = &value;
  const int64_t one = 1;
  dsrt_pending *pending = nullptr;
  EXPECT_EQ(
      dsrt_all_reduce_start(context, 1, &data, &one, DSRT_F32, DSRT_SUM, DSRT_WORLD, &pending),
      DSRT_OK);
  return pending;
}

void pass100us() { std::this_thread::sleep_for(std::chrono::microseconds(150)); }

TEST(Polled, progress_looks_and_says_what_is_left) {
  dsrt_context *context = world();
  EXPECT_EQ(dsrt_progress(context), 0);
  float values[2] = {1, 2};
  dsrt_pending *first = start(context, values[0]), *second = start(context, values[1]);
  EXPECT_EQ(polled.looks, 2) << "each start looks";
  int64_t left = 2;
  for (int turn = 0; turn < 8 && left > 0; ++turn) {
    pass100us();
    const int64_t now = dsrt_progress(context);
    EXPECT_LE(now, left);
    left = now;
  }
  EXPECT_EQ(left, 0);
  EXPECT_EQ(polled.ended, 2);
  EXPECT_EQ(polled.waits, 0) << "nobody has waited";
  EXPECT_EQ(dsrt_wait(context, first), DSRT_OK);
  EXPECT_EQ(dsrt_wait(context, second), DSRT_OK);
  EXPECT_EQ(dsrt_shutdown(context), DSRT_OK);
}

TEST(Polled, progress_looks_once_in_100_us) {
  dsrt_context *context = world();
  polled.needed = 1000;
  float value = 1;
  dsrt_pending *pending = start(context, value);
  // A busy machine may take longer than that between two calls, so many of them show it.
  for (int call = 0; call < 100; ++call)
    dsrt_progress(context);
  EXPECT_LT(polled.looks, 50);
  EXPECT_EQ(dsrt_wait(context, pending), DSRT_OK);
  EXPECT_EQ(dsrt_shutdown(context), DSRT_OK);
}

TEST(Polled, a_wait_lets_the_backend_wait) {
  dsrt_context *context = world();
  float values[2] = {1, 2};
  dsrt_pending *first = start(context, values[0]), *second = start(context, values[1]);
  EXPECT_EQ(dsrt_wait(context, second), DSRT_OK);
  EXPECT_EQ(polled.ended, 2) << "in order";
  EXPECT_EQ(polled.waits, 2);
  EXPECT_EQ(dsrt_wait(context, first), DSRT_OK);
  EXPECT_EQ(dsrt_shutdown(context), DSRT_OK);
}

TEST(Polled, blocking_calls_and_the_end_come_after_what_was_started) {
  dsrt_context *context = world();
  float values[2] = {1, 2};
  dsrt_pending *first = start(context, values[0]);
  EXPECT_EQ(dsrt_barrier(context, DSRT_WORLD), DSRT_OK);
  EXPECT_EQ(polled.ended, 2);
  EXPECT_EQ(dsrt_wait(context, first), DSRT_OK);
  start(context, values[1]);
  EXPECT_EQ(dsrt_shutdown(context), DSRT_OK);
  EXPECT_EQ(polled.ended, 3) << "the one that nobody waited for";
}

} // namespace
