//===- MemoryTest.cpp - Device memory of backends without a device -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dsrt/dsrt.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>

namespace {

struct Memory : testing::Test {
  void SetUp() override { ASSERT_EQ(dsrt_local_world_create(1, nullptr, &context), DSRT_OK); }
  void TearDown() override { (void)dsrt_shutdown(context); }
  std::string error() const { return dsrt_last_error(context); }

  dsrt_context *context = nullptr;
};

TEST_F(Memory, of_a_backend_without_a_device_is_host_memory) {
  void *data = nullptr;
  ASSERT_EQ(dsrt_memory_alloc(context, 100, &data), DSRT_OK) << error();
  EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % 64, 0u);
  const char text[] = "forty two";
  EXPECT_EQ(dsrt_memory_copy(context, data, text, sizeof text), DSRT_OK) << error();
  EXPECT_STREQ(static_cast<char *>(data), text);
  EXPECT_EQ(dsrt_memory_copy(context, nullptr, nullptr, 0), DSRT_OK) << error();
  EXPECT_EQ(dsrt_memory_free(context, data), DSRT_OK);
  EXPECT_EQ(dsrt_memory_free(context, nullptr), DSRT_OK);
  EXPECT_EQ(dsrt_set_stream(context, nullptr), DSRT_OK);
}

TEST_F(Memory, refuses_sizes_that_make_no_sense) {
  void *data = &data;
  EXPECT_EQ(dsrt_memory_alloc(context, 0, &data), DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(data, nullptr);
  EXPECT_EQ(error(), "dsrt_memory_alloc: null out_data, or 0 bytes, expected 1 or more");
}

TEST_F(Memory, refuses_sizes_that_do_not_exist) {
  void *data = nullptr;
  EXPECT_EQ(dsrt_memory_alloc(context, INT64_MAX - 100, &data), DSRT_OUT_OF_MEMORY);
  EXPECT_NE(error().find("bytes of host memory"), std::string::npos) << error();
}

TEST_F(Memory, refuses_to_copy_from_nowhere) {
  char to = 0;
  EXPECT_EQ(dsrt_memory_copy(context, &to, nullptr, 1), DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(error(), "dsrt_memory_copy: a null pointer, or 1 bytes, expected 0 or more");
}

TEST_F(Memory, refuses_a_stream_without_a_device) {
  int stream = 0;
  EXPECT_EQ(dsrt_set_stream(context, &stream), DSRT_UNSUPPORTED);
  EXPECT_EQ(error(), "dsrt_set_stream: backend 'local' has no streams");
}

TEST(MemoryWithoutContext, is_refused) {
  void *data = nullptr;
  EXPECT_EQ(dsrt_memory_alloc(nullptr, 1, &data), DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(dsrt_memory_free(nullptr, data), DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(dsrt_memory_copy(nullptr, data, data, 0), DSRT_INVALID_ARGUMENT);
  EXPECT_EQ(dsrt_set_stream(nullptr, nullptr), DSRT_INVALID_ARGUMENT);
  EXPECT_STREQ(dsrt_last_error(nullptr), "dsrt_set_stream: the context is null");
}

} // namespace
