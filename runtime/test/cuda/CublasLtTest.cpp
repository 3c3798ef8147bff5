//===- CublasLtTest.cpp - Products on the fake cuBLASLt ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CudaFixture.h"

using namespace cuda;

namespace {

#define DSRT_CUBLASLT_FUNCTIONS(X)                                                                 \
  X(cublasLtCreate, int(void **))                                                                  \
  X(cublasLtMatmulDescCreate, int(void **, int, int))                                              \
  X(cublasLtMatmulDescSetAttribute, int(void *, int, const void *, size_t))                        \
  X(cublasLtMatmulDescDestroy, int(void *))                                                        \
  X(cublasLtMatrixLayoutCreate, int(void **, int, uint64_t, uint64_t, int64_t))                    \
  X(cublasLtMatrixLayoutSetAttribute, int(void *, int, const void *, size_t))                      \
  X(cublasLtMatmulPreferenceCreate, int(void **))                                                  \
  X(cublasLtMatmulAlgoGetHeuristic,                                                                \
    int(void *, void *, void *, void *, void *, void *, void *, int, void *, int *))               \
  X(cublasLtMatmul,                                                                                \
    int(void *, void *, const float *, uint64_t, void *, uint64_t, void *, const float *,          \
        uint64_t, void *, uint64_t, void *, const void *, void *, size_t, void *))
#define DSRT_DECLARE(name, ...) const Function<__VA_ARGS__> name("libfake_cublaslt.so", #name);
DSRT_CUBLASLT_FUNCTIONS(DSRT_DECLARE)
#undef DSRT_DECLARE

constexpr int f32 = 0, f16 = 2, bf16 = 14;

class Products : public Cuda {
protected:
  void SetUp() override {
    Cuda::SetUp();
    ASSERT_EQ(cublasLtCreate(&handle), 0);
    describe(68);
  }
  void describe(int compute) { ASSERT_EQ(cublasLtMatmulDescCreate(&description, compute, 0), 0); }
  template <typename T> int set(int attribute, T value) {
    return cublasLtMatmulDescSetAttribute(description, attribute, &value, sizeof value);
  }
  static void *layout(uint64_t rows, uint64_t columns, int64_t leading, int type = f32) {
    void *made = nullptr;
    EXPECT_EQ(cublasLtMatrixLayoutCreate(&made, type, rows, columns, leading), 0);
    return made;
  }
  template <typename T> static void setLayout(void *layout, int attribute, T value) {
    ASSERT_EQ(cublasLtMatrixLayoutSetAttribute(layout, attribute, &value, sizeof value), 0);
  }
  int multiply(uint64_t a, void *la, uint64_t b, void *lb, uint64_t d, void *ld, float beta = 0,
               float alpha = 1) {
    return cublasLtMatmul(handle, description, &alpha, a, la, b, lb, &beta, d, ld, d, ld,
                          static_cast<const void *>(nullptr), static_cast<void *>(nullptr),
                          size_t(0), stream);
  }
  std::vector<float> result(uint64_t d, size_t count) {
    EXPECT_EQ(cuStreamSynchronize(stream), 0) << finding();
    return download(d, count);
  }
  void *handle = nullptr, *description = nullptr;
};

// Columns of A are (1, 2), (3, 4), (5, 6), those of B (1, 10, 100), (2, 20, 200).
TEST_F(Products, every_transposition) {
  const uint64_t plainA = upload({1, 2, 3, 4, 5, 6}), turnedA = upload({1, 3, 5, 2, 4, 6});
  const uint64_t plainB = upload({1, 10, 100, 2, 20, 200}),
                 turnedB = upload({1, 2, 10, 20, 100, 200});
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b) {
      ASSERT_EQ(set(3, a), 0);
      ASSERT_EQ(set(4, b), 0);
      const uint64_t d = allocate(16);
      ASSERT_EQ(multiply(a ? turnedA : plainA, a ? layout(3, 2, 3) : layout(2, 3, 2),
                         b ? turnedB : plainB, b ? layout(2, 3, 2) : layout(3, 2, 3), d,
                         layout(2, 2, 2)),
                0);
      EXPECT_EQ(result(d, 4), (std::vector<float>{531, 642, 1062, 1284}));
    }
}

TEST_F(Products, leading_dimensions_and_sums_onto_what_is_there) {
  const uint64_t a = upload({1, 2, -7, 3, 4, -7}), b = upload({1, 1, -7, 2, 0, -7});
  const uint64_t d = upload({100, 200, -7, 300, 400, -7});
  ASSERT_EQ(multiply(a, layout(2, 2, 3), b, layout(2, 2, 3), d, layout(2, 2, 3), 1, 2), 0);
  EXPECT_EQ(result(d, 6), (std::vector<float>{108, 212, -7, 304, 408, -7}));
}

TEST_F(Products, batches_by_strides_and_by_pointers) {
  const uint64_t a = upload({1, 2, 3}), b = upload({10, 20, 30}), d = allocate(12);
  void *la = layout(1, 1, 1), *lb = layout(1, 1, 1), *ld = layout(1, 1, 1);
  for (void *each : {la, lb, ld}) {
    setLayout(each, 5, int32_t(3));
    setLayout(each, 6, int64_t(1));
  }
  setLayout(lb, 6, int64_t(0)); // one matrix for all
  ASSERT_EQ(multiply(a, la, b, lb, d, ld), 0);
  EXPECT_EQ(result(d, 3), (std::vector<float>{10, 20, 30}));
  auto pointers = [&](std::vector<uint64_t> values) {
    const uint64_t array = allocate(24);
    EXPECT_EQ(cuMemcpyHtoD_v2(array, values.data(), 24), 0);
    return array;
  };
  for (void *each : {la, lb, ld})
    setLayout(each, 8, 1);
  ASSERT_EQ(multiply(pointers({a + 8, a, a + 4}), la, pointers({b, b + 4, b + 8}), lb,
                     pointers({d, d + 4, d + 8}), ld),
            0);
  EXPECT_EQ(result(d, 3), (std::vector<float>{30, 20, 60}));
}

TEST_F(Products, bias_and_relu) {
  const uint64_t a = upload({1, -2}), b = upload({1, 2}), d = allocate(16);
  const uint64_t bias = upload({10, 1});
  ASSERT_EQ(set(7, 6), 0);
  ASSERT_EQ(set(8, bias), 0);
  ASSERT_EQ(multiply(a, layout(2, 1, 2), b, layout(1, 2, 1), d, layout(2, 2, 2)), 0);
  EXPECT_EQ(result(d, 4), (std::vector<float>{11, 0, 12, 0}));
}

// 1 + 2^-12 is 1 in TF32 and in bf16; sums stay in f32.
TEST_F(Products, input_types) {
  const uint64_t a = upload({1 + 0x1p-12f}), b = upload({1}), d = allocate(4);
  auto all = [] { return layout(1, 1, 1); };
  ASSERT_EQ(multiply(a, all(), b, all(), d, all()), 0);
  EXPECT_EQ(result(d, 1)[0], 1 + 0x1p-12f);
  describe(77);
  ASSERT_EQ(multiply(a, all(), b, all(), d, all()), 0);
  EXPECT_EQ(result(d, 1)[0], 1);
  describe(68);
  const uint16_t halves[] = {0x3c01, 0x3c00}; // 1 + 2^-10, 1
  const uint64_t h = allocate(4);
  ASSERT_EQ(cuMemcpyHtoD_v2(h, halves, 4), 0);
  ASSERT_EQ(multiply(h, layout(1, 2, 1, f16), h, layout(2, 1, 2, f16), d, all()), 0);
  EXPECT_EQ(result(d, 1)[0], (1 + 0x1p-10f) * (1 + 0x1p-10f) + 1);
  const uint16_t brains[] = {0x3f81, 0x4000}; // 1 + 2^-7, 2
  ASSERT_EQ(cuMemcpyHtoD_v2(h, brains, 4), 0);
  const uint64_t out = allocate(4);
  ASSERT_EQ(cuMemsetD8Async(out, 0, 4, stream), 0);
  ASSERT_EQ(
      multiply(h, layout(1, 1, 1, bf16), h + 2, layout(1, 1, 1, bf16), out, layout(1, 1, 1, bf16)),
      0);
  const float both = result(out, 1)[0];
  uint32_t bits;
  std::memcpy(&bits, &both, 4);
  EXPECT_EQ(bits, 0x4001u); // 2 + 2^-6, and zeros behind it
}

TEST_F(Products, what_does_not_fit_is_refused) {
  const uint64_t a = upload({1, 2, 3, 4}), d = allocate(16);
  void *square = layout(2, 2, 2);
  EXPECT_EQ(multiply(a, layout(2, 1, 2), a, square, d, square), 7);
  EXPECT_EQ(multiply(a, layout(2, 2, 1), a, square, d, square), 7);
  EXPECT_EQ(multiply(a, square, a, layout(2, 2, 2, bf16), d, square), 15);
  EXPECT_EQ(multiply(a, &device, a, square, d, square), 7);
  EXPECT_EQ(set(7, 4), 0); // bias, without one
  EXPECT_EQ(multiply(a, square, a, square, d, square), 15);
  EXPECT_EQ(set(7, 32), 15); // GELU
  void *many = layout(2, 2, 2);
  setLayout(many, 5, int32_t(2));
  EXPECT_EQ(set(7, 1), 0);
  EXPECT_EQ(multiply(a, many, a, many, d, many), 7); // two results in one place
  void *none = nullptr;
  EXPECT_EQ(cublasLtMatmulDescCreate(&none, 64, 0), 15);
  void *preference = nullptr;
  char results[96];
  int found = -1;
  ASSERT_EQ(cublasLtMatmulPreferenceCreate(&preference), 0);
  EXPECT_EQ(cublasLtMatmulAlgoGetHeuristic(handle, description, square, square, square, square,
                                           preference, 1, results, &found),
            0);
  EXPECT_EQ(found, 1);
  EXPECT_EQ(cublasLtMatmulDescDestroy(description), 0);
  EXPECT_EQ(cublasLtMatmulDescDestroy(description), 7);
}

TEST_F(Products, reads_of_what_nothing_has_written_are_found) {
  const uint64_t a = allocate(16), d = allocate(16);
  void *square = layout(2, 2, 2);
  ASSERT_EQ(cuMemsetD8Async(a, 0, 12, stream), 0);
  ASSERT_EQ(multiply(a, layout(1, 2, 1), a, layout(2, 1, 2), d, layout(1, 1, 1)), 0);
  ASSERT_EQ(cuStreamSynchronize(stream), 0);
  ASSERT_EQ(multiply(a, square, a, square, d, square), 0);
  EXPECT_EQ(cuStreamSynchronize(stream), 700);
  EXPECT_EQ(finding(),
            "a product reads elements of matrix A that nothing has written, in column 1");
}

TEST_F(Products, memory_that_is_too_short_is_found) {
  const uint64_t a = upload({1, 2, 3, 4}), d = allocate(12);
  void *square = layout(2, 2, 2);
  ASSERT_EQ(multiply(a, square, a, square, d, square), 0);
  EXPECT_EQ(cuStreamSynchronize(stream), 700);
  EXPECT_EQ(finding(), "a product whose matrix D is not device memory of 16 bytes, or not aligned");
}

TEST_F(Products, are_captured_and_planned_to_fail) {
  const uint64_t a = upload({1, 2, 3, 4}), d = upload({1, 0, 0, 1});
  void *square = layout(2, 2, 2), *graph = nullptr, *executable = nullptr;
  setenv("DS_FAKE_CUDA_FAULTS",
         ("device=" + std::to_string(device) + ",product=2,do=error").c_str(), 1);
  ASSERT_EQ(cuStreamBeginCapture_v2(stream, 1), 0);
  ASSERT_EQ(multiply(a, square, a, square, d, square, 1), 0);
  ASSERT_EQ(cuStreamEndCapture(stream, &graph), 0);
  ASSERT_EQ(cuGraphInstantiateWithFlags(&executable, graph, 0ull), 0);
  ASSERT_EQ(cuGraphLaunch(executable, stream), 0);
  ASSERT_EQ(cuGraphLaunch(executable, stream), 0);
  EXPECT_EQ(result(d, 4), (std::vector<float>{15, 20, 30, 45}));
  EXPECT_EQ(multiply(a, square, a, square, d, square), 13);
}

} // namespace
