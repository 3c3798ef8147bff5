//===- ArgumentTest.cpp - Every way to call the runtime wrongly -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dsrt/backend.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <string>

namespace {

/// A world of one rank per mistake, since errors are sticky.
class Mistake {
public:
  explicit Mistake(int32_t ranks = 1) {
    EXPECT_EQ(dsrt_local_world_create(ranks, nullptr, contexts), DSRT_OK);
  }
  ~Mistake() {
    for (dsrt_context *context : contexts)
      EXPECT_EQ(dsrt_shutdown(context), DSRT_OK);
  }
  void expect(dsrt_status got, dsrt_status status, const std::string &text) {
    EXPECT_EQ(got, status);
    EXPECT_EQ(std::string(dsrt_last_error(contexts[0])), text);
  }
  operator dsrt_context *() { return contexts[0]; }

private:
  dsrt_context *contexts[4] = {};
};

float memory[8];
void *data = memory;
const void *constData = memory;
const int64_t two = 2, negative = -1, huge = std::numeric_limits<int64_t>::max() / 2;

dsrt_status reduce(dsrt_context *context, int64_t n, void *const *buffers,
                   const int64_t *elements) {
  return dsrt_all_reduce(context, n, buffers, elements, DSRT_F32, DSRT_SUM, DSRT_WORLD);
}

TEST(Arguments, of_collectives) {
  Mistake a, b, c, d, e, f, g, h, i, j;
  a.expect(reduce(a, -1, &data, &two), DSRT_INVALID_ARGUMENT,
           "all_reduce on rank 0: n_buffers is -1, expected 0 or more");
  b.expect(reduce(b, 1, nullptr, &two), DSRT_INVALID_ARGUMENT,
           "all_reduce on rank 0: a list of buffers or elements is null");
  c.expect(reduce(c, 1, &data, &negative), DSRT_INVALID_ARGUMENT,
           "all_reduce on rank 0: buffer 0 has -1 elements, expected 0 or more");
  void *null = nullptr;
  d.expect(reduce(d, 1, &null, &two), DSRT_INVALID_ARGUMENT,
           "all_reduce on rank 0: buffer 0 is null and has 2 elements");
  void *odd = reinterpret_cast<char *>(memory) + 1;
  e.expect(reduce(e, 1, &odd, &two), DSRT_INVALID_ARGUMENT,
           "all_reduce on rank 0: buffer 0 is not aligned to the 4 bytes of f32");
  f.expect(reduce(f, 1, &data, &huge), DSRT_INVALID_ARGUMENT,
           "all_reduce on rank 0: buffer 0 is too large: the call exceeds 2^63 bytes");
  g.expect(dsrt_all_reduce(g, 1, &data, &two, static_cast<dsrt_dtype>(13), DSRT_SUM, DSRT_WORLD),
           DSRT_INVALID_ARGUMENT, "all_reduce on rank 0: no dtype 13");
  h.expect(dsrt_all_reduce(h, 1, &data, &two, DSRT_F32, static_cast<dsrt_reduction>(7), DSRT_WORLD),
           DSRT_INVALID_ARGUMENT, "all_reduce on rank 0: no reduction 7");
  i.expect(dsrt_all_reduce(i, 1, &data, &two, DSRT_F32, DSRT_AND, DSRT_WORLD), DSRT_UNSUPPORTED,
           "all_reduce on rank 0: backend 'local' has no and of f32");
  j.expect(dsrt_broadcast(j, 1, &data, &two, DSRT_F32, 1, DSRT_WORLD), DSRT_INVALID_ARGUMENT,
           "broadcast on rank 0: root 1 is not in the group");
}

TEST(Arguments, of_an_exchange_in_place) {
  Mistake a(2), b(2);
  std::vector<float> memory(8);
  const void *in = memory.data();
  void *same = memory.data(), *behind = memory.data() + 4, *within = memory.data() + 3;
  a.expect(dsrt_all_to_all(a, 1, &in, &same, &two, DSRT_F32, DSRT_WORLD), DSRT_INVALID_ARGUMENT,
           "all_to_all on rank 0: buffer 0 is received where it is sent from; expected memory of "
           "its own");
  b.expect(dsrt_all_to_all(b, 1, &in, &within, &two, DSRT_F32, DSRT_WORLD), DSRT_INVALID_ARGUMENT,
           "all_to_all on rank 0: buffer 0 is received where it is sent from; expected memory of "
           "its own");
  Mistake alone;
  const int64_t four = 4;
  EXPECT_EQ(dsrt_all_to_all(alone, 1, &in, &behind, &four, DSRT_F32, DSRT_WORLD), DSRT_OK);
}

dsrt_status permute(dsrt_context *context, const void *in, void *out,
                    const std::vector<int64_t> &sources) {
  return dsrt_collective_permute(context, 1, &in, &out, &two, DSRT_F32,
                                 sources.empty() ? nullptr : sources.data(), DSRT_WORLD);
}

TEST(Arguments, of_a_permutation) {
  Mistake a(2), b(2), c(2), d(2), e(2), f(2);
  std::vector<float> memory(4);
  float *in = memory.data();
  a.expect(permute(a, in, in + 2, {}), DSRT_INVALID_ARGUMENT,
           "collective_permute on rank 0: the list of sources is null");
  b.expect(
      permute(b, in, in + 2, {1, 2}), DSRT_INVALID_ARGUMENT,
      "collective_permute on rank 0: the source of member 1 is 2, expected one of 2 members or -1");
  c.expect(permute(c, in, in + 2, {-2, 0}), DSRT_INVALID_ARGUMENT,
           "collective_permute on rank 0: the source of member 0 is -2, expected one of 2 members "
           "or -1");
  d.expect(permute(d, in, in + 2, {1, 1}), DSRT_INVALID_ARGUMENT,
           "collective_permute on rank 0: member 1 is the source of members 0 and 1, expected of "
           "one at most");
  e.expect(permute(e, in, in + 1, {1, 0}), DSRT_INVALID_ARGUMENT,
           "collective_permute on rank 0: buffer 0 is received where it is sent from; expected "
           "memory of its "
           "own");
  dsrt_pending *pending = nullptr;
  const void *input = in;
  void *output = in + 2;
  f.expect(dsrt_collective_permute_start(f, 1, &input, &output, &two, DSRT_F32, nullptr, DSRT_WORLD,
                                         &pending),
           DSRT_INVALID_ARGUMENT, "collective_permute on rank 0: the list of sources is null");
  EXPECT_EQ(pending, nullptr);
  Mistake alone;
  memory = {1, 2, 3, 4};
  EXPECT_EQ(permute(alone, in, in + 2, {0}), DSRT_OK);
  EXPECT_EQ(memory, (std::vector<float>{1, 2, 1, 2}));
  EXPECT_EQ(permute(alone, in, in + 2, {-1}), DSRT_OK);
  EXPECT_EQ(memory, (std::vector<float>{1, 2, 0, 0}));
}

TEST(Arguments, null_and_empty_buffers_are_allowed_together) {
  Mistake context;
  void *null = nullptr;
  const int64_t zero = 0;
  EXPECT_EQ(reduce(context, 1, &null, &zero), DSRT_OK);
  EXPECT_EQ(reduce(context, 0, nullptr, nullptr), DSRT_OK);
}

TEST(Arguments, without_a_context) {
  dsrt_pending *pending;
  dsrt_group group;
  EXPECT_EQ(reduce(nullptr, 1, &data, &two), DSRT_INVALID_ARGUMENT);
  EXPECT_STREQ(dsrt_last_error(nullptr), "all_reduce: the context is null");
  EXPECT_EQ(
      dsrt_reduce_scatter(nullptr, 1, &constData, &data, &two, DSRT_F32, DSRT_SUM, DSRT_WORLD),
      DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(dsrt_all_gather(nullptr, 1, &constData, &data, &two, DSRT_F32, DSRT_WORLD),
            DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(dsrt_all_to_all(nullptr, 1, &constData, &data, &two, DSRT_F32, DSRT_WORLD),
            DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(permute(nullptr, constData, data, {0}), DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(dsrt_broadcast(nullptr, 1, &data, &two, DSRT_F32, 0, DSRT_WORLD),
            DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(dsrt_barrier(nullptr, DSRT_WORLD), DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(
      dsrt_all_reduce_start(nullptr, 1, &data, &two, DSRT_F32, DSRT_SUM, DSRT_WORLD, &pending),
      DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(dsrt_wait(nullptr, nullptr), DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(dsrt_group_create(nullptr, 1, nullptr, &group), DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(dsrt_group_destroy(nullptr, 1), DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(dsrt_buffer_register(nullptr, data, 4), DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(dsrt_buffer_unregister(nullptr, data), DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(dsrt_get_statistics(nullptr, nullptr), DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(dsrt_get_capabilities(nullptr, nullptr), DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(dsrt_failed(nullptr), 1);
  EXPECT_EQ(dsrt_rank(nullptr), -1);
  EXPECT_EQ(dsrt_num_ranks(nullptr), 0);
  EXPECT_EQ(dsrt_supports(nullptr, DSRT_OP_BARRIER, DSRT_F32, DSRT_SUM), 0);
  EXPECT_EQ(dsrt_shutdown(nullptr), DSRT_OK);
  dsrt_abort(nullptr, "nothing happens");
}

TEST(Arguments, of_waits) {
  Mistake a, b, c, d;
  a.expect(dsrt_wait(a, nullptr), DSRT_FAILED_PRECONDITION,
           "dsrt_wait on rank 0: the handle is null, although no start has failed");
  dsrt_pending *pending = nullptr;
  EXPECT_EQ(dsrt_all_reduce_start(b, 1, &data, &two, DSRT_F32, DSRT_SUM, DSRT_WORLD, &pending),
            DSRT_OK);
  EXPECT_EQ(dsrt_wait(b, pending), DSRT_OK);
  b.expect(dsrt_wait(b, pending), DSRT_FAILED_PRECONDITION,
           "dsrt_wait on rank 0: not a started collective, or already waited for");
  c.expect(dsrt_all_reduce_start(c, 1, &data, &two, DSRT_F32, DSRT_SUM, DSRT_WORLD, nullptr),
           DSRT_INVALID_ARGUMENT, "all_reduce on rank 0: out_pending is null");
  d.expect(dsrt_all_reduce_start(d, 1, &data, &two, DSRT_I1, DSRT_SUM, DSRT_WORLD, &pending),
           DSRT_UNSUPPORTED, "all_reduce on rank 0: backend 'local' has no sum of i1");
  EXPECT_EQ(pending, nullptr);
}

TEST(Arguments, of_groups) {
  Mistake a(4), b(4), c(4), d(4), e(4), f(4), g(4);
  const int32_t outside[] = {0, 4}, twice[] = {0, 1, 1}, others[] = {1, 2}, fine[] = {0, 1};
  dsrt_group group = 5;
  int32_t size = -1;
  a.expect(dsrt_group_create(a, 2, outside, &group), DSRT_INVALID_ARGUMENT,
           "dsrt_group_create on rank 0: rank 4 is outside the world of 4");
  EXPECT_EQ(group, DSRT_WORLD);
  b.expect(dsrt_group_create(b, 3, twice, &group), DSRT_INVALID_ARGUMENT,
           "dsrt_group_create on rank 0: ranks must ascend, got 1 before 1");
  c.expect(dsrt_group_create(c, 2, others, &group), DSRT_INVALID_ARGUMENT,
           "dsrt_group_create on rank 0: the calling rank is not in the group");
  d.expect(dsrt_group_create(d, 0, fine, &group), DSRT_INVALID_ARGUMENT,
           "dsrt_group_create on rank 0: null ranks, or 0 of them, expected 1 or more");
  e.expect(dsrt_group_create(e, 2, fine, nullptr), DSRT_INVALID_ARGUMENT,
           "dsrt_group_create: out_group is null");
  f.expect(dsrt_group_destroy(f, 9), DSRT_INVALID_ARGUMENT, "dsrt_group_destroy: no group 9");
  g.expect(dsrt_group_size(g, 9, &size), DSRT_INVALID_ARGUMENT,
           "dsrt_group_size: null out_size, or no group 9");
  EXPECT_EQ(size, 0);
}

TEST(Arguments, of_registered_buffers) {
  Mistake a, b, c;
  a.expect(dsrt_buffer_register(a, data, 0), DSRT_INVALID_ARGUMENT,
           "dsrt_buffer_register: null data, or 0 bytes, expected 1 or more");
  EXPECT_EQ(dsrt_buffer_register(b, data, 8), DSRT_OK);
  b.expect(dsrt_buffer_register(b, memory + 1, 8), DSRT_INVALID_ARGUMENT,
           "dsrt_buffer_register: overlaps a registered buffer");
  EXPECT_EQ(dsrt_buffer_unregister(b, data), DSRT_INVALID_ARGUMENT); // done, and the error stays
  c.expect(dsrt_buffer_unregister(c, data), DSRT_INVALID_ARGUMENT,
           "dsrt_buffer_unregister: the buffer is not registered");
}

TEST(Arguments, of_creation) {
  dsrt_context *context = nullptr;
  dsrt_options options;
  dsrt_options_init(&options);
  EXPECT_EQ(options.timeout_ms, 300000);
  EXPECT_EQ(options.deterministic, 1u);
  EXPECT_EQ(options.check_calls, 1u);
  auto expect = [](dsrt_status got, dsrt_status status, const char *text) {
    EXPECT_EQ(got, status);
    EXPECT_STREQ(dsrt_last_error(nullptr), text);
  };
  expect(dsrt_local_world_create(0, nullptr, &context), DSRT_INVALID_ARGUMENT,
         "dsrt_local_world_create: num_ranks is 0, expected 1 to 4096");
  expect(dsrt_local_world_create(1, nullptr, nullptr), DSRT_INVALID_ARGUMENT,
         "dsrt_local_world_create: out_contexts is null");
  options.timeout_ms = 0;
  expect(dsrt_local_world_create(1, &options, &context), DSRT_INVALID_ARGUMENT,
         "dsrt_local_world_create: options.timeout_ms is 0, expected at least 1");
  EXPECT_EQ(context, nullptr);
  dsrt_options_init(&options);
  options.chunk_bytes = -1;
  expect(dsrt_init("local", &options, &context), DSRT_INVALID_ARGUMENT,
         "dsrt_init: options.chunk_bytes is -1, expected 0 or more");
  dsrt_options_init(&options);
  options.check_calls = 2;
  expect(dsrt_init("local", &options, &context), DSRT_INVALID_ARGUMENT,
         "dsrt_init: options.check_calls is 2, expected 0 or 1");
  dsrt_options_init(&options);
  options.on_host = 2;
  expect(dsrt_init("local", &options, &context), DSRT_INVALID_ARGUMENT,
         "dsrt_init: options.on_host is 2, expected 0 or 1");
  dsrt_options_init(&options);
  options.deterministic = 2;
  expect(dsrt_init("local", &options, &context), DSRT_INVALID_ARGUMENT,
         "dsrt_init: options.deterministic is 2, expected 0 or 1");
  dsrt_options_init(&options);
  options.struct_size = 0;
  expect(dsrt_init("local", &options, &context), DSRT_INVALID_ARGUMENT,
         "dsrt_init: options.struct_size is 0; call dsrt_options_init first");
  EXPECT_EQ(dsrt_init("carrier-pigeon", nullptr, &context), DSRT_INVALID_ARGUMENT);
  EXPECT_NE(std::string(dsrt_last_error(nullptr))
                .find("no backend 'carrier-pigeon' in this build; known are auto, local"),
            std::string::npos)
      << dsrt_last_error(nullptr);
  EXPECT_EQ(dsrt_init(nullptr, nullptr, &context), DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(dsrt_init("local", nullptr, nullptr), DSRT_INVALID_ARGUMENT);
}

TEST(Creation, auto_without_a_launcher_is_a_local_world_of_one) {
  dsrt_context *context = nullptr;
  ASSERT_EQ(dsrt_init("auto", nullptr, &context), DSRT_OK) << dsrt_last_error(nullptr);
  EXPECT_EQ(dsrt_num_ranks(context), 1);
  EXPECT_EQ(dsrt_rank(context), 0);
  dsrt_capabilities capabilities = {};
  capabilities.struct_size = sizeof capabilities;
  EXPECT_EQ(dsrt_get_capabilities(context, &capabilities), DSRT_OK);
  EXPECT_STREQ(capabilities.backend, "local");
  EXPECT_EQ(dsrt_shutdown(context), DSRT_OK);
}

TEST(Creation, auto_never_splits_a_launched_job) {
  // torchrun starts no MPI program, so its ranks talk TCP; devices, if this machine has some, are
  // not asked for.
  dsrt_options options;
  dsrt_options_init(&options);
  options.on_host = 1;
  setenv("RANK", "1", /*overwrite=*/1);
  setenv("WORLD_SIZE", "4", /*overwrite=*/1);
  dsrt_context *context = nullptr;
  EXPECT_EQ(dsrt_init("auto", &options, &context), DSRT_INVALID_ARGUMENT);
  EXPECT_STREQ(dsrt_last_error(nullptr), "dsrt_init: backend 'tcp': torchrun gives no address of "
                                         "rank 0; set DS_MASTER_ADDR");
  setenv("RANK", "4", /*overwrite=*/1);
  EXPECT_EQ(dsrt_init("auto", &options, &context), DSRT_INVALID_ARGUMENT);
  EXPECT_STREQ(dsrt_last_error(nullptr),
               "dsrt_init: RANK is 4, but the world of WORLD_SIZE has 4 ranks");
  unsetenv("RANK");
  unsetenv("WORLD_SIZE");
}

// A caller compiled against an older header passes a shorter struct: the missing fields get their
// defaults.
TEST(Creation, a_shorter_options_struct_is_accepted) {
  dsrt_options options;
  dsrt_options_init(&options);
  options.chunk_bytes = -1; // beyond what the caller says it has
  options.struct_size = offsetof(dsrt_options, chunk_bytes);
  dsrt_context *context = nullptr;
  ASSERT_EQ(dsrt_init("local", &options, &context), DSRT_OK) << dsrt_last_error(nullptr);
  EXPECT_EQ(dsrt_shutdown(context), DSRT_OK);
}

TEST(Creation, a_shorter_options_struct_is_filled_to_its_end) {
  dsrt_options options, before;
  std::memset(&options, 0xAB, sizeof options);
  before = options;
  constexpr uint32_t known = offsetof(dsrt_options, link_latency_ns);
  dsrt_options_init_sized(&options, known);
  EXPECT_EQ(options.struct_size, known);
  EXPECT_EQ(options.timeout_ms, 300000);
  EXPECT_EQ(std::memcmp(&options.link_latency_ns, &before.link_latency_ns, sizeof options - known),
            0);
}

} // namespace
