//===- QueueTest.cpp - Collectives that a stream carries --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nccl on its fakes, call by call and in captures, and what other backends say. How ranks that are
// threads exchange by a mover is tested with the one that there is: unittests/Target.
//
//===----------------------------------------------------------------------===//
#include "dsrt/queue.h"
#include "DeviceFixture.h"

#include <atomic>
#include <dlfcn.h>
#include <unistd.h>

using dsrt::test::DeviceTest;

namespace {

/// A function of the fake driver.
template <typename Signature> Signature *driver(const char *name) {
  void *library = dlopen(std::getenv("DS_CUDA_LIBRARY"), RTLD_NOW | RTLD_GLOBAL);
  auto *function = library ? reinterpret_cast<Signature *>(dlsym(library, name)) : nullptr;
  if (!function)
    throw std::runtime_error(std::string("the fake driver has no ") + name);
  return function;
}

class DeviceTestQueue : public DeviceTest {
protected:
  /// What a rank needs to queue: its stream, and memory for `elements` floats.
  struct Seat {
    Seat(dsrt_context *context, int64_t elements) : context(context), elements(elements) {
      EXPECT_EQ(dsrt_memory_alloc(context, elements * 4, &data), DSRT_OK);
      stream = driver<void *()>("fake_stream_create")();
    }
    /// Values appear late on the stream.
    void fillLate(float value, int milliseconds = 50) {
      driver<void(void *, void *, float, int64_t, int)>("fake_stream_fill_late")(
          stream, data, value, elements, milliseconds);
    }
    void synchronise() { EXPECT_EQ(driver<int(void *)>("cuStreamSynchronize")(stream), 0); }
    std::vector<float> read() {
      synchronise();
      std::vector<float> host(static_cast<size_t>(elements));
      EXPECT_EQ(dsrt_memory_copy(context, host.data(), data, elements * 4), DSRT_OK);
      return host;
    }
    dsrt_context *context;
    int64_t elements;
    void *data = nullptr, *stream = nullptr;
  };
};

TEST_P(DeviceTestQueue, calls_return_before_their_work_and_the_stream_goes_on_behind_it) {
  if (!isNccl())
    return;
  open(2);
  onAll([&](dsrt_context *context, int32_t rank) {
    Seat seat(context, 100);
    ASSERT_EQ(dsrt_queue_begin(context, seat.stream, nullptr, 1), DSRT_OK);
    seat.fillLate(static_cast<float>(rank + 1), 200);
    EXPECT_EQ(sum(context, seat.data), DSRT_OK) << dsrt_last_error(context);
    EXPECT_NE(driver<int(void *)>("cuStreamQuery")(seat.stream), 0) << "the call has waited";
    EXPECT_EQ(sum(context, seat.data), DSRT_OK); // of what the first one leaves
    EXPECT_EQ(dsrt_queue_end(context), DSRT_OK);
    EXPECT_EQ(seat.read(), std::vector<float>(100, 6.0f));
  });
}

TEST_P(DeviceTestQueue, what_is_started_ends_with_its_wait) {
  if (!isNccl())
    return;
  open(2);
  onAll([&](dsrt_context *context, int32_t rank) {
    Seat seat(context, 100), other(context, 100);
    ASSERT_EQ(dsrt_queue_begin(context, seat.stream, nullptr, 1), DSRT_OK);
    seat.fillLate(static_cast<float>(rank + 1));
    dsrt_pending *pending = nullptr;
    EXPECT_EQ(dsrt_all_reduce_start(context, 1, &seat.data, &seat.elements, DSRT_F32, DSRT_SUM,
                                    DSRT_WORLD, &pending),
              DSRT_OK);
    EXPECT_EQ(dsrt_wait(context, pending), DSRT_OK);
    EXPECT_EQ(dsrt_queue_end(context), DSRT_OK);
    EXPECT_EQ(seat.read(), std::vector<float>(100, 3.0f));
  });
}

// Unchecked calls meet nobody, so ranks capture one after the other.
TEST_P(DeviceTestQueue, a_capture_waits_for_nobody_and_can_be_replayed) {
  if (!isNccl())
    return;
  open(2);
  std::vector<void *> graphs(2);
  std::vector<std::unique_ptr<Seat>> seats(2);
  onAll([&](dsrt_context *context, int32_t rank) {
    seats[rank] = std::make_unique<Seat>(context, 100);
    seats[rank]->fillLate(static_cast<float>(rank + 1), 0);
    seats[rank]->synchronise();
  });
  for (int rank = 0; rank < 2; ++rank)
    std::thread([&, rank] {
      Seat &seat = *seats[rank];
      // Allocating has made the context current on another thread.
      void *unused = nullptr;
      EXPECT_EQ(dsrt_memory_alloc(contexts[rank], 4, &unused), DSRT_OK);
      EXPECT_EQ(driver<int(void *, int)>("cuStreamBeginCapture_v2")(seat.stream, 1), 0);
      EXPECT_EQ(dsrt_queue_begin(contexts[rank], seat.stream, nullptr, 0), DSRT_OK);
      EXPECT_EQ(sum(contexts[rank], seat.data), DSRT_OK) << dsrt_last_error(contexts[rank]);
      EXPECT_EQ(dsrt_queue_end(contexts[rank]), DSRT_OK);
      void *captured = nullptr;
      EXPECT_EQ(driver<int(void *, void **)>("cuStreamEndCapture")(seat.stream, &captured), 0);
      EXPECT_EQ(driver<int(void **, void *, unsigned long long)>("cuGraphInstantiateWithFlags")(
                    &graphs[rank], captured, 0),
                0);
    }).join();
  onAll([&](dsrt_context *context, int32_t rank) {
    EXPECT_EQ(dsrt_queue_compare(context), DSRT_OK) << dsrt_last_error(context);
    void *unused = nullptr;
    EXPECT_EQ(dsrt_memory_alloc(context, 4, &unused), DSRT_OK);
    for (int time = 0; time < 3; ++time) // 3, 6, 12
      EXPECT_EQ(driver<int(void *, void *)>("cuGraphLaunch")(graphs[rank], seats[rank]->stream), 0);
    EXPECT_EQ(seats[rank]->read(), std::vector<float>(100, 12.0f));
  });
}

// In a capture, which runs nothing: the real library would hang.
TEST_P(DeviceTestQueue, lists_that_differ_in_their_order_are_found) {
  if (!isNccl())
    return;
  open(2);
  onAll([&](dsrt_context *context, int32_t rank) {
    Seat seat(context, 100);
    seat.fillLate(1, 0);
    seat.synchronise();
    EXPECT_EQ(driver<int(void *, int)>("cuStreamBeginCapture_v2")(seat.stream, 1), 0);
    EXPECT_EQ(dsrt_queue_begin(context, seat.stream, nullptr, 0), DSRT_OK);
    for (int64_t elements : {rank == 0 ? 100 : 50, rank == 0 ? 50 : 100})
      EXPECT_EQ(sum(context, seat.data, elements), DSRT_OK);
    EXPECT_EQ(dsrt_queue_end(context), DSRT_OK);
    void *captured = nullptr;
    EXPECT_EQ(driver<int(void *, void **)>("cuStreamEndCapture")(seat.stream, &captured), 0);
    EXPECT_NE(dsrt_queue_compare(context), DSRT_OK);
    EXPECT_TRUE(has(dsrt_last_error(context),
                    "ranks disagree on the collectives of a step: rank 0 has queued one list, rank "
                    "1 another"))
        << dsrt_last_error(context);
  });
}

TEST_P(DeviceTestQueue, checked_calls_are_compared) {
  if (!isNccl())
    return;
  open(2);
  onAll([&](dsrt_context *context, int32_t rank) {
    Seat seat(context, 100);
    ASSERT_EQ(dsrt_queue_begin(context, seat.stream, nullptr, 1), DSRT_OK);
    EXPECT_NE(sum(context, seat.data, rank == 0 ? 100 : 50), DSRT_OK);
    EXPECT_TRUE(has(dsrt_last_error(context), "ranks disagree on")) << dsrt_last_error(context);
  });
}

TEST_P(DeviceTestQueue, a_wait_that_does_not_end_names_who_is_behind) {
  if (!isNccl())
    return;
  options.timeout_ms = 1000;
  open(3);
  onAll([&](dsrt_context *context, int32_t rank) {
    auto look = [](void *state, int64_t *exchanges) {
      *exchanges = *static_cast<int32_t *>(state) == 1 ? 2 : 3;
      return 0;
    };
    // The last to look may hear of it from the first.
    const dsrt_status status = dsrt_queue_wait(context, 1, look, &rank);
    const std::string text = dsrt_last_error(context);
    EXPECT_TRUE(status == DSRT_TIMEOUT || status == DSRT_PEER_FAILED) << text;
    EXPECT_TRUE(has(text, "did not end within 1000 ms, after exchange")) << text;
    EXPECT_TRUE(has(text, "waiting for rank 1") || has(text, "is behind that of other ranks"))
        << text;
    int32_t late = -1;
    EXPECT_TRUE(status == DSRT_PEER_FAILED ||
                (dsrt_late_ranks(context, 1, &late) == 1 && late == 1))
        << late;
  });
}

TEST_P(DeviceTestQueue, a_wait_ends_when_the_work_does_and_when_another_rank_fails) {
  if (!isNccl())
    return;
  open(2);
  onAll([&](dsrt_context *context, int32_t rank) {
    std::atomic<int> looks{0};
    auto third = [](void *state, int64_t *) {
      return static_cast<int32_t>(++*static_cast<std::atomic<int> *>(state) == 3);
    };
    EXPECT_EQ(dsrt_queue_wait(context, 1, third, &looks), DSRT_OK);
    EXPECT_EQ(looks, 3);
    dsrt_barrier(context, DSRT_WORLD);
    if (rank == 1) {
      dsrt_abort(context, "loss is not a number");
      return;
    }
    auto never = [](void *, int64_t *) { return 0; };
    EXPECT_EQ(dsrt_queue_wait(context, 1, never, nullptr), DSRT_ABORTED);
  });
}

TEST_P(DeviceTestQueue, backends_that_cannot_queue_say_so) {
  if (isNccl())
    return;
  open(1);
  EXPECT_FALSE(dsrt_can_queue(contexts[0]));
  int stream = 0;
  EXPECT_EQ(dsrt_queue_begin(contexts[0], &stream, nullptr, 1), DSRT_UNSUPPORTED);
  EXPECT_STREQ(dsrt_last_error(contexts[0]),
               "dsrt_queue_begin: backend 'hccl' queues no collectives");
}

TEST(Queue, local_needs_a_mover) {
  dsrt_context *context = nullptr;
  ASSERT_EQ(dsrt_local_world_create(1, nullptr, &context), DSRT_OK);
  EXPECT_TRUE(dsrt_can_queue(context));
  int stream = 0;
  EXPECT_EQ(dsrt_queue_begin(context, &stream, nullptr, 1), DSRT_INVALID_ARGUMENT);
  EXPECT_STREQ(dsrt_last_error(context),
               "dsrt_queue_begin: backend 'local' has no stream of its own; expected a mover");
  const uint64_t number = dsrt_context_number(context);
  EXPECT_TRUE(dsrt_context_exists(number));
  EXPECT_EQ(dsrt_shutdown(context), DSRT_OK);
  EXPECT_FALSE(dsrt_context_exists(number));
}

// Rank 1 of three does not come to the wait.
TEST(Queue, ranks_of_one_process_are_named) {
  dsrt_options options;
  dsrt_options_init(&options);
  options.timeout_ms = 500;
  std::vector<dsrt_context *> contexts(3);
  ASSERT_EQ(dsrt_local_world_create(3, &options, contexts.data()), DSRT_OK);
  std::vector<std::thread> threads;
  for (int rank : {0, 2})
    threads.emplace_back([&, rank] {
      auto never = [](void *, int64_t *) { return 0; };
      EXPECT_NE(dsrt_queue_wait(contexts[rank], 1, never, nullptr), DSRT_OK);
      EXPECT_NE(std::string(dsrt_last_error(contexts[rank])).find("waiting for rank 1"),
                std::string::npos)
          << dsrt_last_error(contexts[rank]);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (dsrt_context *context : contexts)
    (void)dsrt_shutdown(context);
}

INSTANTIATE_TEST_SUITE_P(Fakes, DeviceTestQueue, testing::Values("nccl", "hccl"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
