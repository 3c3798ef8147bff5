//===- Names.cpp - The names and sizes of the enums -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables by number, as long as the enums; test/unit/EnumTest.cpp has every row. Numbers that are
// not enumerators, which a C caller can pass, have rows of their own.
//
//===----------------------------------------------------------------------===//
#include "dsrt/dsrt.h"

#include <cstddef>

template <typename Row, size_t size>
static Row rowOf(const Row (&table)[size], int64_t number, Row unknown) {
  return number >= 0 && number < static_cast<int64_t>(size) ? table[number] : unknown;
}

const char *dsrt_status_name(dsrt_status status) {
  static constexpr const char *names[DSRT_INTERNAL + 1] = {
      "ok",       "invalid argument", "unsupported", "unavailable", "failed precondition",
      "mismatch", "timeout",          "aborted",     "peer failed", "out of memory",
      "internal"};
  return rowOf(names, status, "unknown status");
}

const char *dsrt_dtype_name(dsrt_dtype dtype) {
  static constexpr const char *names[DSRT_NUM_DTYPES] = {
      "f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "i1", "ui64", "ui32", "ui16", "ui8"};
  return rowOf(names, dtype, "unknown dtype");
}

int64_t dsrt_dtype_size(dsrt_dtype dtype) {
  static constexpr int64_t sizes[DSRT_NUM_DTYPES] = {8, 4, 2, 2, 8, 4, 2, 1, 1, 8, 4, 2, 1};
  return rowOf(sizes, dtype, int64_t(0));
}

const char *dsrt_reduction_name(dsrt_reduction reduction) {
  static constexpr const char *names[DSRT_NUM_REDUCTIONS] = {"sum",  "mean", "max", "min",
                                                             "prod", "and",  "or"};
  return rowOf(names, reduction, "unknown reduction");
}

const char *dsrt_op_name(dsrt_op op) {
  static constexpr const char *names[DSRT_NUM_OPS] = {
      "all_reduce", "reduce_scatter", "all_gather",        "broadcast",
      "barrier",    "all_to_all",     "collective_permute"};
  return rowOf(names, op, "unknown op");
}
