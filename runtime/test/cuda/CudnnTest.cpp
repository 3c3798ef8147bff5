//===- CudnnTest.cpp - Convolutions on the fake cuDNN -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CudaFixture.h"

using namespace cuda;

namespace {

#define DSRT_CUDNN_FUNCTIONS(X)                                                                    \
  X(cudnnCreate, int(void **))                                                                     \
  X(cudnnDestroy, int(void *))                                                                     \
  X(cudnnSetStream, int(void *, void *))                                                           \
  X(cudnnBackendCreateDescriptor, int(int, void **))                                               \
  X(cudnnBackendSetAttribute, int(void *, int, int, int64_t, const void *))                        \
  X(cudnnBackendFinalize, int(void *))                                                             \
  X(cudnnBackendGetAttribute, int(void *, int, int, int64_t, int64_t *, void *))                   \
  X(cudnnBackendExecute, int(void *, void *, void *))
#define DSRT_DECLARE(name, ...) const Function<__VA_ARGS__> name("libfake_cudnn.so", #name);
DSRT_CUDNN_FUNCTIONS(DSRT_DECLARE)
#undef DSRT_DECLARE

using Sizes = std::vector<int64_t>;
constexpr int forward = 10, ofWeights = 11, ofInput = 12; // kinds of operations

class Convolutions : public Cuda {
protected:
  void SetUp() override {
    Cuda::SetUp();
    ASSERT_EQ(cudnnCreate(&handle), 0);
    ASSERT_EQ(cudnnSetStream(handle, stream), 0);
  }
  static void *make(int kind) {
    void *made = nullptr;
    EXPECT_EQ(cudnnBackendCreateDescriptor(kind, &made), 0);
    return made;
  }
  static void set(void *descriptor, int name, int type, int64_t count, const void *values) {
    ASSERT_EQ(cudnnBackendSetAttribute(descriptor, name, type, count, values), 0);
  }
  static void set(void *descriptor, int name, const Sizes &values) {
    set(descriptor, name, 3, static_cast<int64_t>(values.size()), values.data());
  }
  static void set(void *descriptor, int name, void *value) { set(descriptor, name, 15, 1, &value); }
  /// Of f32, or of another type by its number.
  static void *tensor(int64_t id, const Sizes &sizes, const Sizes &strides, int type = 0) {
    void *made = make(17);
    set(made, 901, 1, 1, &type);
    set(made, 902, sizes);
    set(made, 903, strides);
    set(made, 906, {id});
    set(made, 900, {4});
    EXPECT_EQ(cudnnBackendFinalize(made), 0);
    return made;
  }
  static void *convolution(const Sizes &strides, const Sizes &dilations, const Sizes &before,
                           const Sizes &after) {
    void *made = make(1);
    const int f32 = 0, crossCorrelation = 1;
    set(made, 100, 1, 1, &f32);
    set(made, 101, 7, 1, &crossCorrelation);
    set(made, 102, dilations);
    set(made, 103, strides);
    set(made, 104, after);
    set(made, 105, before);
    set(made, 106, {static_cast<int64_t>(strides.size())});
    EXPECT_EQ(cudnnBackendFinalize(made), 0);
    return made;
  }
  /// The status of the operation, and its plan where it is 0.
  int plan(int kind, void *how, void *x, void *w, void *y, void *&out) {
    const int first = kind == forward ? 700 : kind == ofInput ? 706 : 712;
    void *operation = make(kind), *graph = make(15), *heuristic = make(4);
    set(operation, first + 2, how);
    set(operation, first + 3, w);
    set(operation, first + 4, x);
    set(operation, first + 5, y);
    if (int status = cudnnBackendFinalize(operation))
      return status;
    set(graph, 800, 0, 1, &handle);
    set(graph, 801, operation);
    EXPECT_EQ(cudnnBackendFinalize(graph), 0);
    const int instant = 0;
    set(heuristic, 200, 8, 1, &instant);
    set(heuristic, 201, graph);
    EXPECT_EQ(cudnnBackendFinalize(heuristic), 0);
    int64_t found = 0, workspace = -1;
    EXPECT_EQ(cudnnBackendGetAttribute(heuristic, 202, 15, int64_t(0), &found,
                                       static_cast<void *>(nullptr)),
              0);
    EXPECT_EQ(found, numEngines);
    std::vector<void *> configs;
    for (int64_t i = 0; i < found; ++i)
      configs.push_back(make(3));
    EXPECT_EQ(cudnnBackendGetAttribute(heuristic, 202, 15, found, &found, configs.data()), 0);
    out = make(5);
    set(out, 400, 0, 1, &handle);
    set(out, 401, configs[number]);
    if (int status = cudnnBackendFinalize(out))
      return status;
    EXPECT_EQ(cudnnBackendGetAttribute(out, 402, 3, int64_t(1), &found, &workspace), 0);
    EXPECT_EQ(workspace, 0);
    return 0;
  }
  int execute(void *plan, uint64_t x, uint64_t w, uint64_t y) {
    void *pack = make(16);
    const uint64_t pointers[] = {x, w, y};
    set(pack, 1000, {'x', 'w', 'y'});
    set(pack, 1001, 6, 3, pointers);
    EXPECT_EQ(cudnnBackendFinalize(pack), 0);
    return cudnnBackendExecute(handle, plan, pack);
  }
  std::vector<float> result(uint64_t data, size_t count) {
    EXPECT_EQ(cuStreamSynchronize(stream), 0) << finding();
    return download(data, count);
  }
  void *handle = nullptr;
  static constexpr int tensorCores = 0, broken = 25, plain = 26, numEngines = 27;
  int number = plain;
};

// A row of 4 and a window of 2, with a zero before: y = (0 1, 1 2, 2 3, 3 4) * (10, 1).
TEST_F(Convolutions, forward_and_both_gradients) {
  void *x = tensor('x', {1, 1, 1, 4}, {4, 4, 4, 1}), *w = tensor('w', {1, 1, 1, 2}, {2, 2, 2, 1}),
       *y = tensor('y', {1, 1, 1, 4}, {4, 4, 4, 1});
  void *how = convolution({1, 1}, {1, 1}, {0, 1}, {0, 0}), *made = nullptr;
  const uint64_t dataX = upload({1, 2, 3, 4}), dataW = upload({10, 1}), dataY = allocate(16);
  ASSERT_EQ(plan(forward, how, x, w, y, made), 0);
  ASSERT_EQ(execute(made, dataX, dataW, dataY), 0);
  EXPECT_EQ(result(dataY, 4), (std::vector<float>{1, 12, 23, 34}));
  const uint64_t gradient = upload({1, 10, 100, 1000}), gradientW = allocate(8),
                 gradientX = allocate(16);
  ASSERT_EQ(plan(ofWeights, how, x, w, y, made), 0);
  ASSERT_EQ(execute(made, dataX, gradientW, gradient), 0);
  EXPECT_EQ(result(gradientW, 2), (std::vector<float>{3210, 4321}));
  ASSERT_EQ(plan(ofInput, how, x, w, y, made), 0);
  ASSERT_EQ(execute(made, gradientX, dataW, gradient), 0);
  EXPECT_EQ(result(gradientX, 4), (std::vector<float>{101, 1010, 10100, 1000}));
}

// Heuristics offer engines that a step must not take.
TEST_F(Convolutions, engines_differ) {
  void *x = tensor('x', {1, 1, 1, 1}, {1, 1, 1, 1}), *w = tensor('w', {1, 1, 1, 1}, {1, 1, 1, 1}),
       *y = tensor('y', {1, 1, 1, 1}, {1, 1, 1, 1});
  void *how = convolution({1, 1}, {1, 1}, {0, 0}, {0, 0}), *made = nullptr;
  const float fine = 1 + 0x1p-12f;
  const uint64_t dataX = upload({fine, 2}), dataW = upload({1}), dataY = allocate(8);
  ASSERT_EQ(plan(forward, how, x, w, y, made), 0);
  ASSERT_EQ(execute(made, dataX, dataW, dataY), 0);
  EXPECT_EQ(result(dataY, 1)[0], fine);
  EXPECT_EQ(execute(made, dataX + 2, dataW, dataY), 2000) << "not aligned as the tensor says";
  number = broken;
  EXPECT_EQ(plan(forward, how, x, w, y, made), 3000);
  number = tensorCores;
  ASSERT_EQ(plan(forward, how, x, w, y, made), 0);
  ASSERT_EQ(execute(made, dataX, dataW, dataY), 0);
  EXPECT_EQ(result(dataY, 1)[0], 1) << "TF32";
}

// Channels last, weights [r][s][c][k], two groups, a stride of 2 and a dilation of 2.
TEST_F(Convolutions, layouts_groups_strides_and_dilations) {
  // x[h][c] = 1 2, 3 4, 5 6, 7 8, 9 10; w[r][k] = 1 10, 2 20.
  void *x = tensor('x', {1, 2, 5, 1}, {10, 1, 2, 2}), *w = tensor('w', {2, 1, 2, 1}, {1, 2, 2, 2}),
       *y = tensor('y', {1, 2, 2, 1}, {4, 1, 2, 2}), *made = nullptr;
  ASSERT_EQ(plan(forward, convolution({2, 1}, {2, 1}, {0, 0}, {0, 0}), x, w, y, made), 0);
  const uint64_t dataX = upload({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), dataW = upload({1, 10, 2, 20}),
                 dataY = allocate(16);
  ASSERT_EQ(execute(made, dataX, dataW, dataY), 0);
  // h = 0 and 2, then 2 and 4; channel k alone.
  EXPECT_EQ(result(dataY, 4), (std::vector<float>{11, 140, 23, 260}));
}

TEST_F(Convolutions, what_does_not_fit_is_refused) {
  void *x = tensor('x', {1, 1, 1, 4}, {4, 4, 4, 1}), *w = tensor('w', {1, 1, 1, 2}, {2, 2, 2, 1}),
       *y = tensor('y', {1, 1, 1, 4}, {4, 4, 4, 1}), *made = nullptr;
  EXPECT_EQ(plan(forward, convolution({1, 1}, {1, 1}, {0, 0}, {0, 0}), x, w, y, made), 2008);
  EXPECT_EQ(plan(forward, make(1), x, w, y, made), 2004);
  // 16 bits and f32 beside one another: cuDNN has no engine.
  EXPECT_EQ(plan(forward, convolution({1, 1}, {1, 1}, {0, 1}, {0, 0}),
                 tensor('x', {1, 1, 1, 4}, {4, 4, 4, 1}, 9),
                 tensor('w', {1, 1, 1, 2}, {2, 2, 2, 1}, 9), y, made),
            3000);
  void *graph = make(15), *bare = make(17);
  EXPECT_NE(cudnnBackendFinalize(graph), 0);
  EXPECT_NE(cudnnBackendFinalize(bare), 0);
  void *none = nullptr;
  EXPECT_EQ(cudnnBackendCreateDescriptor(41, &none), 3000); // attention
  EXPECT_EQ(cudnnDestroy(handle), 0);
  EXPECT_EQ(cudnnDestroy(handle), 2000);
}

TEST_F(Convolutions, are_captured_and_planned_to_fail) {
  void *x = tensor('x', {1, 1, 2}, {2, 2, 1}), *w = tensor('w', {1, 1, 2}, {2, 2, 1}),
       *y = tensor('y', {1, 1, 1}, {1, 1, 1}), *made = nullptr;
  ASSERT_EQ(plan(forward, convolution({1}, {1}, {0}, {0}), x, w, y, made), 0);
  const uint64_t dataX = upload({1, 2}), dataW = upload({10, 1}), dataY = upload({0});
  setenv("DS_FAKE_CUDA_FAULTS",
         ("device=" + std::to_string(device) + ",convolution=2,do=fail").c_str(), 1);
  void *graph = nullptr, *executable = nullptr;
  ASSERT_EQ(cuStreamBeginCapture_v2(stream, 1), 0);
  ASSERT_EQ(execute(made, dataX, dataW, dataY), 0);
  ASSERT_EQ(cuStreamEndCapture(stream, &graph), 0);
  EXPECT_EQ(download(dataY, 1)[0], 0);
  ASSERT_EQ(cuGraphInstantiateWithFlags(&executable, graph, 0ull), 0);
  ASSERT_EQ(cuGraphLaunch(executable, stream), 0);
  EXPECT_EQ(result(dataY, 1)[0], 12);
  ASSERT_EQ(execute(made, dataX, dataW, dataY), 0);
  EXPECT_EQ(cuStreamSynchronize(stream), 700);
}

TEST_F(Convolutions, reads_of_what_nothing_has_written_are_found) {
  void *x = tensor('x', {1, 1, 2}, {2, 2, 1}), *w = tensor('w', {1, 1, 2}, {2, 2, 1}),
       *y = tensor('y', {1, 1, 1}, {1, 1, 1}), *made = nullptr;
  ASSERT_EQ(plan(forward, convolution({1}, {1}, {0}, {0}), x, w, y, made), 0);
  const uint64_t dataX = allocate(8), dataW = upload({10, 1}), dataY = allocate(4);
  ASSERT_EQ(cuMemsetD8Async(dataX, 0, 4, stream), 0);
  ASSERT_EQ(execute(made, dataX, dataW, dataY), 0);
  EXPECT_EQ(cuStreamSynchronize(stream), 700);
  EXPECT_EQ(finding(), "a convolution reads element 1 of its input, which nothing has written");
}

} // namespace
