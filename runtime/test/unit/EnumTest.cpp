//===- EnumTest.cpp - Every enumerator has a name, a size and a meaning -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expected tables are written out: a new enumerator without a row fails the count, and a
// changed number, which would break compiled steps, fails its row.
//
//===----------------------------------------------------------------------===//
#include "dsrt/dsrt.h"

#include <gtest/gtest.h>
#include <iterator>

namespace {

TEST(Enums, dtypes) {
  struct Row {
    int number;
    const char *name;
    int64_t size;
  };
  const Row rows[] = {{0, "f64", 8}, {1, "f32", 4},  {2, "f16", 2},   {3, "bf16", 2},
                      {4, "i64", 8}, {5, "i32", 4},  {6, "i16", 2},   {7, "i8", 1},
                      {8, "i1", 1},  {9, "ui64", 8}, {10, "ui32", 4}, {11, "ui16", 2},
                      {12, "ui8", 1}};
  ASSERT_EQ(std::size(rows), static_cast<size_t>(DSRT_NUM_DTYPES));
  for (const Row &row : rows) {
    EXPECT_STREQ(dsrt_dtype_name(static_cast<dsrt_dtype>(row.number)), row.name);
    EXPECT_EQ(dsrt_dtype_size(static_cast<dsrt_dtype>(row.number)), row.size) << row.name;
  }
  EXPECT_EQ(dsrt_dtype_size(static_cast<dsrt_dtype>(DSRT_NUM_DTYPES)), 0);
  EXPECT_STREQ(dsrt_dtype_name(static_cast<dsrt_dtype>(DSRT_NUM_DTYPES)), "unknown dtype");
}

TEST(Enums, reductions) {
  const char *names[] = {"sum", "mean", "max", "min", "prod", "and", "or"};
  ASSERT_EQ(std::size(names), static_cast<size_t>(DSRT_NUM_REDUCTIONS));
  for (int r = 0; r < DSRT_NUM_REDUCTIONS; ++r)
    EXPECT_STREQ(dsrt_reduction_name(static_cast<dsrt_reduction>(r)), names[r]);
  EXPECT_STREQ(dsrt_reduction_name(static_cast<dsrt_reduction>(7)), "unknown reduction");
}

TEST(Enums, ops) {
  const char *names[] = {"all_reduce", "reduce_scatter", "all_gather",        "broadcast",
                         "barrier",    "all_to_all",     "collective_permute"};
  ASSERT_EQ(std::size(names), static_cast<size_t>(DSRT_NUM_OPS));
  for (int o = 0; o < DSRT_NUM_OPS; ++o)
    EXPECT_STREQ(dsrt_op_name(static_cast<dsrt_op>(o)), names[o]);
  EXPECT_STREQ(dsrt_op_name(static_cast<dsrt_op>(7)), "unknown op");
}

TEST(Enums, statuses) {
  const char *names[] = {
      "ok",       "invalid argument", "unsupported", "unavailable", "failed precondition",
      "mismatch", "timeout",          "aborted",     "peer failed", "out of memory",
      "internal"};
  ASSERT_EQ(std::size(names), static_cast<size_t>(DSRT_INTERNAL) + 1);
  for (int s = DSRT_OK; s <= DSRT_INTERNAL; ++s)
    EXPECT_STREQ(dsrt_status_name(static_cast<dsrt_status>(s)), names[s]);
  EXPECT_STREQ(dsrt_status_name(static_cast<dsrt_status>(DSRT_INTERNAL + 1)), "unknown status");
}

} // namespace
