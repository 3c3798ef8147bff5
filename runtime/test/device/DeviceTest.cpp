//===- DeviceTest.cpp - What device backends do beyond the matrix -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory, streams, numbers and capabilities.
//
//===----------------------------------------------------------------------===//
#include "DeviceFixture.h"

#include <algorithm>
#include <cerrno>
#include <dlfcn.h>
#include <unistd.h>

using dsrt::test::DeviceTest;

namespace {

/// A function of the fake driver of this backend.
template <typename Function> Function *ofDriver(const std::string &backend, const char *name) {
  const char *file = std::getenv(backend == "nccl" ? "DS_CUDA_LIBRARY" : "DS_ASCENDCL_LIBRARY");
  void *library = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
  return library ? reinterpret_cast<Function *>(dlsym(library, name)) : nullptr;
}

//===----------------------------------------------------------------------===//
// Memory.
//===----------------------------------------------------------------------===//

TEST_P(DeviceTest, device_memory_is_out_of_the_hosts_reach) {
  open(1);
  void *data = nullptr;
  ASSERT_EQ(dsrt_memory_alloc(contexts[0], 4096, &data), DSRT_OK);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(write(ends[1], data, 1), -1); // the kernel meets the protection before we would
  EXPECT_EQ(errno, EFAULT);
  close(ends[0]);
  close(ends[1]);
  EXPECT_EQ(dsrt_memory_free(contexts[0], data), DSRT_OK);
}

TEST_P(DeviceTest, copies_go_in_every_direction) {
  open(1);
  const int64_t bytes = (5 << 20) + 12; // more than one piece
  std::vector<char> from(bytes), to(bytes);
  for (int64_t i = 0; i < bytes; ++i)
    from[i] = static_cast<char>(i * 7);
  void *a = nullptr, *b = nullptr;
  ASSERT_EQ(dsrt_memory_alloc(contexts[0], bytes, &a), DSRT_OK);
  ASSERT_EQ(dsrt_memory_alloc(contexts[0], bytes, &b), DSRT_OK);
  EXPECT_EQ(dsrt_memory_copy(contexts[0], a, from.data(), bytes), DSRT_OK);
  EXPECT_EQ(dsrt_memory_copy(contexts[0], b, a, bytes), DSRT_OK);
  EXPECT_EQ(dsrt_memory_copy(contexts[0], to.data(), b, bytes), DSRT_OK);
  EXPECT_EQ(from, to);
  std::fill(to.begin(), to.end(), 0);
  EXPECT_EQ(dsrt_memory_copy(contexts[0], to.data(), from.data(), bytes), DSRT_OK);
  EXPECT_EQ(from, to);
  EXPECT_EQ(dsrt_memory_free(contexts[0], a), DSRT_OK);
  EXPECT_EQ(dsrt_memory_free(contexts[0], b), DSRT_OK);
}

TEST_P(DeviceTest, a_call_that_mixes_host_and_device_memory_is_refused) {
  open(1);
  void *device = nullptr;
  ASSERT_EQ(dsrt_memory_alloc(contexts[0], 400, &device), DSRT_OK);
  std::vector<float> host(100);
  void *buffers[] = {host.data(), device};
  const int64_t elements[] = {100, 100};
  EXPECT_EQ(dsrt_all_reduce(contexts[0], 2, buffers, elements, DSRT_F32, DSRT_SUM, DSRT_WORLD),
            DSRT_INVALID_ARGUMENT);
  EXPECT_TRUE(has(dsrt_last_error(contexts[0]),
                  "buffer 0 is host memory and buffer 1 is device memory, expected one kind"))
      << dsrt_last_error(contexts[0]);
}

TEST_P(DeviceTest, ranks_that_pass_different_memory_disagree) {
  open(2);
  onAll([&](dsrt_context *context, int32_t rank) {
    void *device = nullptr;
    EXPECT_EQ(dsrt_memory_alloc(context, 400, &device), DSRT_OK);
    std::vector<float> host(100);
    // The second to look may hear of it from the first.
    const dsrt_status status = sum(context, rank == 0 ? host.data() : device);
    EXPECT_TRUE(status == DSRT_MISMATCH || status == DSRT_PEER_FAILED) << status;
    EXPECT_TRUE(has(dsrt_last_error(context), "rank 0 has host memory, rank 1 has device memory"))
        << dsrt_last_error(context);
  });
}

TEST_P(DeviceTest, ranks_that_permute_otherwise_disagree) {
  open(2);
  onAll([&](dsrt_context *context, int32_t rank) {
    float sent = 1, received = 0;
    const void *in = &sent;
    void *out = &received;
    const int64_t one = 1, sources[] = {1, rank == 0 ? 0 : -1};
    const dsrt_status status =
        dsrt_collective_permute(context, 1, &in, &out, &one, DSRT_F32, sources, DSRT_WORLD);
    EXPECT_TRUE(status == DSRT_MISMATCH || status == DSRT_PEER_FAILED) << status;
    EXPECT_TRUE(has(dsrt_last_error(context), "ranks disagree on the sources of the members: rank "
                                              "0 has one list, rank 1 has another"))
        << dsrt_last_error(context);
  });
}

TEST_P(DeviceTest, arenas_in_device_memory_can_be_registered) {
  open(2);
  onAll([&](dsrt_context *context, int32_t rank) {
    dsrt_capabilities capabilities = {};
    capabilities.struct_size = sizeof capabilities;
    EXPECT_EQ(dsrt_get_capabilities(context, &capabilities), DSRT_OK);
    EXPECT_EQ(capabilities.registers, isNccl() ? 1u : 0u);
    void *arena = nullptr;
    EXPECT_EQ(dsrt_memory_alloc(context, 4096, &arena), DSRT_OK);
    EXPECT_EQ(dsrt_buffer_register(context, arena, 4096), DSRT_OK);
    std::vector<float> host(1024, static_cast<float>(rank + 1));
    EXPECT_EQ(dsrt_memory_copy(context, arena, host.data(), 4096), DSRT_OK);
    void *buffers[] = {arena, static_cast<char *>(arena) + 2048};
    const int64_t elements[] = {500, 512};
    EXPECT_EQ(dsrt_all_reduce(context, 2, buffers, elements, DSRT_F32, DSRT_SUM, DSRT_WORLD),
              DSRT_OK);
    EXPECT_EQ(dsrt_memory_copy(context, host.data(), arena, 4096), DSRT_OK);
    EXPECT_EQ(host[499], 3.0f);
    EXPECT_EQ(host[500], static_cast<float>(rank + 1)); // padding
    EXPECT_EQ(host[1023], 3.0f);
    EXPECT_EQ(dsrt_buffer_unregister(context, arena), DSRT_OK);
    EXPECT_EQ(dsrt_memory_free(context, arena), DSRT_OK);
  });
}

//===----------------------------------------------------------------------===//
// Streams.
//===----------------------------------------------------------------------===//

TEST_P(DeviceTest, collectives_begin_after_the_callers_stream) {
  open(2);
  auto *makeStream = ofDriver<void *()>(GetParam(), "fake_stream_create");
  auto *fillLate =
      ofDriver<void(void *, void *, float, int64_t, int)>(GetParam(), "fake_stream_fill_late");
  ASSERT_TRUE(makeStream && fillLate);
  onAll([&](dsrt_context *context, int32_t rank) {
    void *data = nullptr;
    EXPECT_EQ(dsrt_memory_alloc(context, 400, &data), DSRT_OK);
    void *stream = makeStream();
    EXPECT_EQ(dsrt_set_stream(context, stream), DSRT_OK);
    // The values appear on the caller's stream long after the collective has been called.
    fillLate(stream, data, static_cast<float>(rank + 1), 100, 100);
    int64_t elements = 100;
    dsrt_pending *pending = nullptr;
    EXPECT_EQ(dsrt_all_reduce_start(context, 1, &data, &elements, DSRT_F32, DSRT_SUM, DSRT_WORLD,
                                    &pending),
              DSRT_OK);
    EXPECT_EQ(dsrt_wait(context, pending), DSRT_OK) << dsrt_last_error(context);
    std::vector<float> host(100);
    EXPECT_EQ(dsrt_memory_copy(context, host.data(), data, 400), DSRT_OK);
    EXPECT_EQ(host, std::vector<float>(100, 3.0f));
    // A copy waits for it too.
    fillLate(stream, data, 8.0f, 100, 100);
    EXPECT_EQ(dsrt_memory_copy(context, host.data(), data, 400), DSRT_OK);
    EXPECT_EQ(host, std::vector<float>(100, 8.0f));
    EXPECT_EQ(dsrt_set_stream(context, nullptr), DSRT_OK);
    EXPECT_EQ(dsrt_memory_free(context, data), DSRT_OK);
  });
}

//===----------------------------------------------------------------------===//
// Numbers.
//===----------------------------------------------------------------------===//

// First of the means: once the operators are loaded they stay.
TEST_P(DeviceTest, a_mean_without_the_operators_is_unsupported) {
  if (isNccl())
    return; // NCCL multiplies by itself
  const std::string operators = std::getenv("DS_OPAPI_LIBRARY");
  setenv("DS_OPAPI_LIBRARY", "/dev/null/libopapi.so", 1);
  open(2);
  onAll([&](dsrt_context *context, int32_t) {
    std::vector<float> values(100, 1.0f);
    void *data = values.data();
    const int64_t elements = 100;
    EXPECT_NE(dsrt_all_reduce(context, 1, &data, &elements, DSRT_F32, DSRT_MEAN, DSRT_WORLD),
              DSRT_OK);
    EXPECT_TRUE(has(dsrt_last_error(context), "the operator library of CANN cannot be loaded"))
        << dsrt_last_error(context);
  });
  setenv("DS_OPAPI_LIBRARY", operators.c_str(), 1);
}

// One third is no power of two: f32(1/3) times the sum is neither the sum divided by three nor the
// sum of thirds.
TEST_P(DeviceTest, the_mean_is_the_sum_times_one_factor) {
  open(3);
  onAll([&](dsrt_context *context, int32_t rank) {
    std::vector<float> means(1000), sums(1000);
    for (size_t i = 0; i < means.size(); ++i)
      means[i] = sums[i] = static_cast<float>((i + 1) * (rank * 3 + 1)) / 7.0f;
    void *data = means.data();
    const int64_t elements = 1000;
    EXPECT_EQ(dsrt_all_reduce(context, 1, &data, &elements, DSRT_F32, DSRT_MEAN, DSRT_WORLD),
              DSRT_OK)
        << dsrt_last_error(context);
    EXPECT_EQ(sum(context, sums.data(), 1000), DSRT_OK);
    for (size_t i = 0; i < means.size(); ++i)
      EXPECT_EQ(means[i], sums[i] * (1.0f / 3.0f)) << i;
  });
}

// Both means are queued before either is computed, the second one needs more working memory.
TEST_P(DeviceTest, one_call_takes_means_of_growing_buffers) {
  open(2);
  onAll([&](dsrt_context *context, int32_t rank) {
    const int64_t elements[] = {16, 1 << 18};
    void *buffers[2] = {};
    std::vector<float> host(1 << 18, static_cast<float>(rank + 1));
    for (int b = 0; b < 2; ++b) {
      EXPECT_EQ(dsrt_memory_alloc(context, elements[b] * 4, &buffers[b]), DSRT_OK);
      EXPECT_EQ(dsrt_memory_copy(context, buffers[b], host.data(), elements[b] * 4), DSRT_OK);
    }
    EXPECT_EQ(dsrt_all_reduce(context, 2, buffers, elements, DSRT_F32, DSRT_MEAN, DSRT_WORLD),
              DSRT_OK)
        << dsrt_last_error(context);
    for (int b = 1; b >= 0; --b) {
      EXPECT_EQ(dsrt_memory_copy(context, host.data(), buffers[b], elements[b] * 4), DSRT_OK);
      EXPECT_EQ(std::count(host.begin(), host.begin() + elements[b], 1.5f), elements[b]);
      EXPECT_EQ(dsrt_memory_free(context, buffers[b]), DSRT_OK);
    }
  });
}

TEST_P(DeviceTest, capabilities_tell_of_the_device) {
  open(1);
  dsrt_capabilities capabilities = {};
  capabilities.struct_size = sizeof capabilities;
  ASSERT_EQ(dsrt_get_capabilities(contexts[0], &capabilities), DSRT_OK);
  EXPECT_EQ(capabilities.device, 1u);
  EXPECT_EQ(capabilities.deterministic, 0u);
  EXPECT_EQ(capabilities.multiprocess, 0u);
  EXPECT_EQ(capabilities.largest_message, isNccl() ? 0 : 200 << 20);
}

TEST_P(DeviceTest, calls_above_the_vendors_buffer_go_in_pieces) {
  setenv("HCCL_BUFFSIZE", "1", 1); // MB; nccl has no such limit and must not mind
  open(2);
  onAll([&](dsrt_context *context, int32_t rank) {
    const int64_t elements = (1 << 19) + 3; // two pieces and a bit
    std::vector<float> host(elements, static_cast<float>(rank + 1));
    EXPECT_EQ(sum(context, host.data(), elements), DSRT_OK) << dsrt_last_error(context);
    EXPECT_EQ(host, std::vector<float>(elements, 3.0f));
    void *device = nullptr;
    EXPECT_EQ(dsrt_memory_alloc(context, elements * 4, &device), DSRT_OK);
    EXPECT_EQ(dsrt_memory_copy(context, device, host.data(), elements * 4), DSRT_OK);
    EXPECT_EQ(sum(context, device, elements), DSRT_OK) << dsrt_last_error(context);
    EXPECT_EQ(dsrt_memory_copy(context, host.data(), device, elements * 4), DSRT_OK);
    EXPECT_EQ(host, std::vector<float>(elements, 6.0f));
    EXPECT_EQ(dsrt_memory_free(context, device), DSRT_OK);
  });
  unsetenv("HCCL_BUFFSIZE");
}

INSTANTIATE_TEST_SUITE_P(Fakes, DeviceTest, testing::Values("nccl", "hccl"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
