//===- HcclTest.cpp - HCCL's numbers, and libraries that do not fit -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "backends/hccl/HcclTypes.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

using namespace dsrt::hccl;

namespace {

// Every dtype, with HCCL's numbers written out as its documentation gives them.
TEST(HcclTypes, have_the_numbers_of_hccl) {
  struct Row {
    dsrt_dtype dtype;
    int number;
  };
  const Row rows[] = {{DSRT_F64, 10}, {DSRT_F32, 4}, {DSRT_F16, 3}, {DSRT_BF16, 11}, {DSRT_I64, 5},
                      {DSRT_I32, 2},  {DSRT_I16, 1}, {DSRT_I8, 0},  {DSRT_I1, 0},    {DSRT_U64, 6},
                      {DSRT_U32, 9},  {DSRT_U16, 8}, {DSRT_U8, 7}};
  ASSERT_EQ(std::size(rows), static_cast<size_t>(DSRT_NUM_DTYPES));
  const int64_t sizes[] = {1, 2, 4, 2, 4, 8, 8, 1, 2, 4, 8, 2}; // of HCCL's types
  for (const Row &row : rows) {
    EXPECT_EQ(wireType(row.dtype), row.number) << dsrt_dtype_name(row.dtype);
    EXPECT_EQ(sizes[wireType(row.dtype)], dsrt_dtype_size(row.dtype)) << dsrt_dtype_name(row.dtype);
  }
}

TEST(HcclTypes, reductions_have_the_numbers_of_hccl) {
  const int numbers[] = {/*sum*/ 0, /*mean*/ 0, /*max*/ 2, /*min*/ 3, /*prod*/ 1, /*and*/ 3,
                         /*or*/ 2};
  ASSERT_EQ(std::size(numbers), static_cast<size_t>(DSRT_NUM_REDUCTIONS));
  for (int r = 0; r < DSRT_NUM_REDUCTIONS; ++r)
    EXPECT_EQ(operation(static_cast<dsrt_reduction>(r)), numbers[r])
        << dsrt_reduction_name(static_cast<dsrt_reduction>(r));
  for (int d = 0; d < DSRT_NUM_DTYPES; ++d)
    if (reductionsOf(static_cast<dsrt_dtype>(d)) & (1u << DSRT_AND | 1u << DSRT_OR)) {
      EXPECT_EQ(d, DSRT_I1);
    }
}

std::string initError(const char *acl, const char *hccl) {
  setenv("DS_ASCENDCL_LIBRARY", acl, 1);
  setenv("DS_HCCL_LIBRARY", hccl, 1);
  dsrt_context *context = nullptr;
  EXPECT_EQ(dsrt_init("hccl", nullptr, &context), DSRT_UNAVAILABLE);
  return dsrt_last_error(nullptr);
}

TEST(HcclLoading, absent_libraries_are_one_sentence) {
  std::string error = initError("/dev/null/libascendcl.so", "");
  EXPECT_EQ(error.find("dsrt_init: backend 'hccl': AscendCL cannot be loaded "
                       "(/dev/null/libascendcl.so"),
            0u)
      << error;
  EXPECT_NE(error.find("install CANN and source its set_env.sh, or name its library in "
                       "DS_ASCENDCL_LIBRARY"),
            std::string::npos)
      << error;
  error = initError(DSRT_FAKES "/libfake_ascendcl.so", "/dev/null/libhccl.so");
  EXPECT_NE(error.find("HCCL cannot be loaded (/dev/null/libhccl.so"), std::string::npos) << error;
}

TEST(HcclLoading, other_libraries_are_refused_by_the_function_they_lack) {
  std::string error =
      initError(DSRT_FAKES "/libfake_ascendcl.so", DSRT_FAKES "/libfake_ascendcl.so");
  EXPECT_NE(error.find("has no function 'HcclGetRootInfo'"), std::string::npos) << error;
  error = initError(DSRT_FAKES "/libfake_device.so", "");
  EXPECT_NE(error.find("has no function 'aclInit'"), std::string::npos) << error;
}

TEST(HcclLoading, machines_without_a_device_are_unavailable) {
  setenv("DS_FAKE_DEVICES", "0", 1);
  std::string error = initError(DSRT_FAKES "/libfake_ascendcl.so", DSRT_FAKES "/libfake_hccl.so");
  EXPECT_NE(error.find("AscendCL finds no device"), std::string::npos) << error;
  unsetenv("DS_FAKE_DEVICES");
}

} // namespace
