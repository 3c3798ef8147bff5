//===- RegistryTest.cpp - A backend from outside, as docs/AddingABackend.md shows it -*- C++
//-*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend `self` is the smallest complete one: a world of one rank. The text between the
// markers is the page's example; the test keeps it compiling and working.
//
//===----------------------------------------------------------------------===//
#include "dsrt/backend.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <string>

namespace {

// [example]
dsrt_status selfInit(const dsrt_options *, void **outState, int32_t *outRank, int32_t *outNumRanks,
                     dsrt_error *) {
  *outState = nullptr;
  *outRank = 0;
  *outNumRanks = 1;
  return DSRT_OK;
}
dsrt_status selfShutdown(void *, int32_t, dsrt_error *) { return DSRT_OK; }
dsrt_status selfGroupCreate(void *, int32_t, const int32_t *, int64_t, void **outGroup,
                            dsrt_error *) {
  *outGroup = nullptr;
  return DSRT_OK;
}
void selfGroupDestroy(void *, void *, int32_t) {}
dsrt_status selfCollective(void *, void *, const dsrt_call *call, dsrt_error *error) {
  if (call->op == DSRT_OP_BROADCAST) {
    std::strcpy(error->text, "broadcast has nobody to reach");
    return DSRT_INTERNAL;
  }
  for (int64_t b = 0; b < call->n_buffers; ++b) // in place where inputs and outputs are the same
    if (call->elements[b] > 0)
      std::memmove(call->outputs[b], call->inputs[b],
                   static_cast<size_t>(call->elements[b] * dsrt_dtype_size(call->dtype)));
  return DSRT_OK;
}
void selfAbort(void *, const char *) { std::abort(); }

const dsrt_backend *selfBackend() {
  static dsrt_backend table = {};
  table.abi_version = DSRT_BACKEND_ABI_VERSION;
  table.struct_size = sizeof(dsrt_backend);
  table.name = "self";
  table.alignment = 1;
  table.reductions[DSRT_F32] = 1u << DSRT_SUM; // and nothing else
  table.init = selfInit;
  table.shutdown = selfShutdown;
  table.group_create = selfGroupCreate;
  table.group_destroy = selfGroupDestroy;
  table.collective = selfCollective;
  table.abort = selfAbort;
  return &table;
}
// [example]

TEST(Registry, a_registered_backend_is_found_and_used) {
  ASSERT_EQ(dsrt_register_backend(selfBackend()), DSRT_OK) << dsrt_last_error(nullptr);
  dsrt_context *context = nullptr;
  ASSERT_EQ(dsrt_init("self", nullptr, &context), DSRT_OK) << dsrt_last_error(nullptr);
  float values[] = {1, 2, 3};
  void *data = values;
  const int64_t elements = 3;
  EXPECT_EQ(dsrt_all_reduce(context, 1, &data, &elements, DSRT_F32, DSRT_SUM, DSRT_WORLD), DSRT_OK);
  EXPECT_EQ(values[2], 3);
  EXPECT_EQ(dsrt_supports(context, DSRT_OP_ALL_REDUCE, DSRT_F32, DSRT_SUM), 1);
  EXPECT_EQ(dsrt_supports(context, DSRT_OP_ALL_REDUCE, DSRT_F32, DSRT_MAX), 0);
  EXPECT_EQ(dsrt_supports(context, DSRT_OP_ALL_GATHER, DSRT_I32, DSRT_SUM), 0);

  // Neither rank order nor threads: not deterministic, and a started collective runs at once.
  dsrt_capabilities capabilities = {};
  capabilities.struct_size = sizeof capabilities;
  EXPECT_EQ(dsrt_get_capabilities(context, &capabilities), DSRT_OK);
  EXPECT_EQ(capabilities.deterministic, 0u);
  EXPECT_EQ(capabilities.async, 0u);
  EXPECT_EQ(capabilities.dtypes, 1u << DSRT_F32);
  dsrt_pending *pending = nullptr;
  EXPECT_EQ(
      dsrt_all_reduce_start(context, 1, &data, &elements, DSRT_F32, DSRT_SUM, DSRT_WORLD, &pending),
      DSRT_OK);
  EXPECT_EQ(dsrt_wait(context, pending), DSRT_OK);

  EXPECT_EQ(dsrt_broadcast(context, 1, &data, &elements, DSRT_F32, 0, DSRT_WORLD), DSRT_INTERNAL);
  EXPECT_STREQ(dsrt_last_error(context), "broadcast f32 (1 buffer, 12 bytes) in the world of 1 on "
                                         "rank 0: broadcast has nobody to reach");
  EXPECT_EQ(dsrt_shutdown(context), DSRT_OK);
}

TEST(Registry, refuses_what_it_cannot_use) {
  auto expect = [](const dsrt_backend *backend, const std::string &why) {
    EXPECT_EQ(dsrt_register_backend(backend), DSRT_INVALID_ARGUMENT);
    EXPECT_EQ(dsrt_last_error(nullptr), "dsrt_register_backend: " + why);
  };
  expect(nullptr, "the table is null");
  dsrt_backend table = *selfBackend();
  table.abi_version = 99;
  expect(&table, "abi_version is 99, expected 1");
  table = *selfBackend();
  table.struct_size = 8;
  expect(&table, "struct_size is 8, expected at least " + std::to_string(sizeof(dsrt_backend)));
  table = *selfBackend();
  table.name = "";
  expect(&table, "the backend has no name");
  table = *selfBackend();
  table.name = "half";
  table.collective = nullptr;
  expect(&table, "backend 'half' lacks one of init (or join), shutdown, group_create, "
                 "group_destroy, collective, abort");
  table = *selfBackend();
  table.name = "local";
  expect(&table, "the name 'local' is taken");
}

TEST(Registry, local_is_the_first_backend) {
  EXPECT_STREQ(dsrt_backend_name(0), "local");
  EXPECT_EQ(dsrt_backend_name(-1), nullptr);
  EXPECT_EQ(dsrt_backend_name(1000), nullptr);
}

} // namespace
