//===- NcclTest.cpp - NCCL's numbers, and libraries that do not fit -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "backends/nccl/NcclTypes.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <iterator>

using namespace dsrt::nccl;

namespace {

// Every dtype, with NCCL's numbers written out as its documentation gives them.
TEST(NcclTypes, have_the_numbers_of_nccl) {
  struct Row {
    dsrt_dtype dtype;
    int number;
    int64_t perElement;
  };
  const Row rows[] = {{DSRT_F64, 8, 1}, {DSRT_F32, 7, 1}, {DSRT_F16, 6, 1}, {DSRT_BF16, 9, 1},
                      {DSRT_I64, 4, 1}, {DSRT_I32, 2, 1}, {DSRT_I16, 0, 2}, {DSRT_I8, 0, 1},
                      {DSRT_I1, 1, 1},  {DSRT_U64, 5, 1}, {DSRT_U32, 3, 1}, {DSRT_U16, 0, 2},
                      {DSRT_U8, 1, 1}};
  ASSERT_EQ(std::size(rows), static_cast<size_t>(DSRT_NUM_DTYPES));
  const int64_t sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2}; // of NCCL's types
  for (const Row &row : rows) {
    const WireType wire = wireType(row.dtype);
    EXPECT_EQ(wire.type, row.number) << dsrt_dtype_name(row.dtype);
    EXPECT_EQ(wire.perElement, row.perElement) << dsrt_dtype_name(row.dtype);
    EXPECT_EQ(sizes[wire.type] * wire.perElement, dsrt_dtype_size(row.dtype))
        << dsrt_dtype_name(row.dtype);
    // A dtype that travels as something else has no arithmetic.
    if (wire.perElement != 1) {
      EXPECT_EQ(reductionsOf(row.dtype), 0u) << dsrt_dtype_name(row.dtype);
    }
  }
}

TEST(NcclTypes, reductions_have_the_numbers_of_nccl) {
  const int numbers[] = {/*sum*/ 0, /*mean*/ 0, /*max*/ 2, /*min*/ 3, /*prod*/ 1, /*and*/ 3,
                         /*or*/ 2};
  ASSERT_EQ(std::size(numbers), static_cast<size_t>(DSRT_NUM_REDUCTIONS));
  for (int r = 0; r < DSRT_NUM_REDUCTIONS; ++r)
    EXPECT_EQ(operation(static_cast<dsrt_reduction>(r), false), numbers[r])
        << dsrt_reduction_name(static_cast<dsrt_reduction>(r));
  EXPECT_EQ(operation(DSRT_MEAN, true), 4);
  // Max and min stand for or and and, which is true of bytes that hold 0 or 1 only.
  for (int d = 0; d < DSRT_NUM_DTYPES; ++d)
    if (reductionsOf(static_cast<dsrt_dtype>(d)) & (1u << DSRT_AND | 1u << DSRT_OR)) {
      EXPECT_EQ(d, DSRT_I1);
    }
}

TEST(NcclVersions, are_read_in_both_numberings) {
  EXPECT_EQ(versionName(22809), "2.28.9");
  EXPECT_EQ(versionName(21800), "2.18.0");
  EXPECT_EQ(versionName(2804), "2.8.4");
}

/// What dsrt_init says with these libraries; "" if it succeeds. A success is remembered by the
/// process, so these tests only try what fails.
std::string initError(const char *cuda, const char *nccl) {
  setenv("DS_CUDA_LIBRARY", cuda, 1);
  setenv("DS_NCCL_LIBRARY", nccl, 1);
  dsrt_context *context = nullptr;
  dsrt_status status = dsrt_init("nccl", nullptr, &context);
  EXPECT_EQ(status, DSRT_UNAVAILABLE);
  return status == DSRT_OK ? "" : dsrt_last_error(nullptr);
}

TEST(NcclLoading, absent_libraries_are_one_sentence) {
  std::string error = initError("/dev/null/libcuda.so.1", "");
  EXPECT_EQ(error.find("dsrt_init: backend 'nccl': the CUDA driver cannot be loaded "
                       "(/dev/null/libcuda.so.1"),
            0u)
      << error;
  EXPECT_NE(error.find("install the NVIDIA driver, or name its library in DS_CUDA_LIBRARY"),
            std::string::npos)
      << error;
  error = initError(DSRT_FAKES "/libfake_cuda.so", "/dev/null/libnccl.so.2");
  EXPECT_NE(error.find("NCCL cannot be loaded"), std::string::npos) << error;
  EXPECT_NE(error.find("install NCCL 2.18 or newer, or name its library in DS_NCCL_LIBRARY"),
            std::string::npos)
      << error;
}

TEST(NcclLoading, a_path_that_starts_in_the_current_directory_is_refused) {
  for (const char *file : {"./libcuda.so.1", "sub/libcuda.so.1"}) {
    setenv("DS_CUDA_LIBRARY", file, 1);
    dsrt_context *context = nullptr;
    EXPECT_EQ(dsrt_init("nccl", nullptr, &context), DSRT_INVALID_ARGUMENT);
    EXPECT_EQ(std::string(dsrt_last_error(nullptr)),
              "dsrt_init: backend 'nccl': DS_CUDA_LIBRARY is '" + std::string(file) +
                  "', expected an absolute path or the name of a library");
  }
}

TEST(NcclLoading, ranks_that_share_a_gpu_load_kernels_at_once) {
  unsetenv("CUDA_MODULE_LOADING");
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "8", 1);
  (void)initError("/dev/null/libcuda.so.1", "");
  EXPECT_EQ(std::getenv("CUDA_MODULE_LOADING"), nullptr);
  setenv("NCCL_MULTI_RANK_GPU_ENABLE", "1", 1);
  (void)initError("/dev/null/libcuda.so.1", "");
  EXPECT_STREQ(std::getenv("CUDA_MODULE_LOADING"), "EAGER");
  EXPECT_STREQ(std::getenv("CUDA_DEVICE_MAX_CONNECTIONS"), "8"); // the user's
  unsetenv("NCCL_MULTI_RANK_GPU_ENABLE");
  unsetenv("CUDA_MODULE_LOADING");
}

TEST(NcclLoading, old_libraries_are_told_their_age) {
  setenv("DS_FAKE_NCCL_VERSION", "21705", 1);
  EXPECT_NE(initError(DSRT_FAKES "/libfake_cuda.so", DSRT_FAKES "/libfake_nccl.so")
                .find("is 2.17.5, expected 2.18 or newer"),
            std::string::npos)
      << dsrt_last_error(nullptr);
  unsetenv("DS_FAKE_NCCL_VERSION");
}

TEST(NcclLoading, other_libraries_are_refused_by_the_function_they_lack) {
  EXPECT_NE(initError(DSRT_FAKES "/libfake_cuda.so", DSRT_FAKES "/libfake_cuda.so")
                .find("has no function 'ncclGetVersion'"),
            std::string::npos)
      << dsrt_last_error(nullptr);
  EXPECT_NE(initError(DSRT_FAKES "/libfake_device.so", "").find("has no function 'cuInit'"),
            std::string::npos)
      << dsrt_last_error(nullptr);
}

TEST(NcclLoading, machines_without_a_device_are_unavailable) {
  setenv("DS_FAKE_DEVICES", "0", 1);
  EXPECT_NE(initError(DSRT_FAKES "/libfake_cuda.so", DSRT_FAKES "/libfake_nccl.so")
                .find("cuInit: no CUDA-capable device is detected"),
            std::string::npos)
      << dsrt_last_error(nullptr);
  unsetenv("DS_FAKE_DEVICES");
}

} // namespace
