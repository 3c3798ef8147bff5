//===- InstanceTest.cpp - Steps that run in this process --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support.h"

#include <cmath>
#include <csignal>
#include <cstring>
#include <malloc.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace {

struct Samples {
  float x[8][3], y[8], lr = 0.1f;
  Samples() {
    for (int i = 0; i < 8; ++i) {
      for (int j = 0; j < 3; ++j)
        x[i][j] = float((i * 3 + j) * 7 % 11) / 5 - 1;
      y[i] = 2 * x[i][0] - x[i][1] + x[i][2] / 2;
    }
  }
};

/// Bytes that malloc has given out, on all threads: what is resident grows by itself where the
/// machine is busy, since threads then sleep, and take memory in other orders.
int64_t allocated() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<int64_t>(info.uordblks + info.hblkhd);
}

class Instances : public CApiTest {
protected:
  std::vector<float> train(int64_t ranks, int steps) {
    start(ranks);
    if (!instance)
      return {};
    EXPECT_EQ(ds_instance_write(instance, 3, DS_WHOLE, &samples.lr, sizeof samples.lr), DS_OK);
    for (int i = 0; i < steps; ++i)
      EXPECT_EQ(ds_instance_run(instance, batch), DS_OK) << first();
    std::vector<float> w(3);
    EXPECT_EQ(ds_instance_read_argument(instance, 0, w.data(), 12), DS_OK) << first();
    return w;
  }

  Samples samples;
  const void *batch[4] = {nullptr, samples.x, samples.y, nullptr};
};

TEST_F(Instances, RanksLearnWhatOneDeviceLearns) {
  std::vector<float> w = train(2, 300);
  ASSERT_EQ(w.size(), 3u);
  EXPECT_NEAR(w[0], 2, 1e-3);
  EXPECT_NEAR(w[1], -1, 1e-3);
  EXPECT_NEAR(w[2], 0.5, 1e-3);
  // Every rank has the same bits, and its slot is a view.
  EXPECT_EQ(memcmp(ds_instance_argument(instance, 0, 0), ds_instance_argument(instance, 1, 0), 12),
            0);
  static_cast<float *>(ds_instance_argument(instance, 0, 0))[0] = 7;
  EXPECT_EQ(ds_instance_read_argument(instance, 0, w.data(), 12), DS_OK);
  EXPECT_EQ(w[0], 7);
}

TEST_F(Instances, EveryRankGetsItsPartOfABatch) {
  start(4);
  ASSERT_EQ(ds_instance_write(instance, 1, DS_WHOLE, samples.x, sizeof samples.x), DS_OK);
  float back[8][3] = {};
  ASSERT_EQ(ds_instance_read_argument(instance, 1, back, sizeof back), DS_OK);
  EXPECT_EQ(memcmp(back, samples.x, sizeof back), 0);
  EXPECT_NE(memcmp(ds_instance_argument(instance, 0, 1), ds_instance_argument(instance, 1, 1), 24),
            0);
}

TEST_F(Instances, AStepReadsAndWritesWhereItIsPlaced) {
  std::vector<float> expected = train(2, 1);
  float loss = 0;
  ASSERT_EQ(ds_instance_read_result(instance, 1, &loss, sizeof loss), DS_OK);
  ds_instance_destroy(std::exchange(instance, nullptr));
  start(2);
  alignas(64) float lr = samples.lr, losses[2][16] = {};
  for (int64_t rank : {0, 1}) { // one rate for both
    ASSERT_EQ(ds_instance_place_argument(instance, rank, 3, &lr), DS_OK);
    ASSERT_EQ(ds_instance_place_result(instance, rank, 1, losses[rank]), DS_OK);
  }
  ASSERT_EQ(ds_instance_run(instance, batch), DS_OK) << first();
  std::vector<float> w(3);
  ASSERT_EQ(ds_instance_read_argument(instance, 0, w.data(), 12), DS_OK);
  EXPECT_EQ(w, expected);
  EXPECT_EQ(losses[0][0], loss);
  EXPECT_EQ(losses[1][0], loss);
  // Back in its own memory, which has not been written: a rate of 0 learns nothing.
  for (int64_t rank : {0, 1})
    ASSERT_EQ(ds_instance_place_argument(instance, rank, 3, nullptr), DS_OK);
  ASSERT_EQ(ds_instance_run(instance, batch), DS_OK);
  ASSERT_EQ(ds_instance_read_argument(instance, 0, w.data(), 12), DS_OK);
  EXPECT_EQ(w, expected);
  // What the step updates stays where it is, and so does what is not aligned, or not there.
  EXPECT_EQ(ds_instance_place_argument(instance, 0, 0, &lr), DS_INVALID_ARGUMENT);
  EXPECT_EQ(ds_instance_place_result(instance, 0, 0, &lr), DS_INVALID_ARGUMENT);
  EXPECT_EQ(ds_instance_place_argument(instance, 0, 3, &losses[0][1]), DS_INVALID_ARGUMENT);
  EXPECT_EQ(ds_instance_place_argument(instance, 2, 3, &lr), DS_INVALID_ARGUMENT);
  EXPECT_EQ(ds_instance_place_result(instance, 0, 2, &lr), DS_INVALID_ARGUMENT);
}

TEST_F(Instances, ManyStepsInOneCallAreTheSameSteps) {
  std::vector<float> w = train(2, 3);
  float loss = 0;
  ASSERT_EQ(ds_instance_read_result(instance, 1, &loss, 4), DS_OK);
  std::vector<float> zero(3);
  ASSERT_EQ(ds_instance_write(instance, 0, DS_WHOLE, zero.data(), 12), DS_OK);
  const void *inputs[12] = {};
  float losses[3] = {};
  void *outputs[6] = {};
  for (int i = 0; i < 3; ++i) {
    inputs[4 * i + 1] = samples.x;
    inputs[4 * i + 2] = samples.y;
    outputs[2 * i + 1] = &losses[i];
  }
  ASSERT_EQ(ds_instance_run_steps(instance, 3, inputs, outputs), DS_OK) << first();
  EXPECT_EQ(losses[2], loss);
  EXPECT_GT(losses[0], losses[1]);
  EXPECT_EQ(memcmp(ds_instance_argument(instance, 0, 0), w.data(), 12), 0);
  ds_statistics statistics = {};
  statistics.struct_size = sizeof statistics;
  ASSERT_EQ(ds_instance_statistics(instance, &statistics), DS_OK);
  EXPECT_EQ(statistics.steps, 6u);
  EXPECT_GE(statistics.collectives, 6u);
  EXPECT_GT(statistics.step_ns, statistics.exposed_ns);
}

TEST_F(Instances, WrongSizesAndSlotsAreSentences) {
  start(2);
  EXPECT_EQ(ds_instance_write(instance, 0, DS_WHOLE, samples.x, 8), DS_INVALID_ARGUMENT);
  EXPECT_EQ(told.back().message, "'w' has 12 bytes, got 8");
  EXPECT_EQ(ds_instance_write(instance, 1, DS_LOCAL, samples.x, 48), DS_INVALID_ARGUMENT);
  EXPECT_EQ(told.back().message, "'x' has 96 bytes, got 48"); // what both ranks hold
  EXPECT_EQ(ds_instance_write(instance, 4, DS_WHOLE, samples.x, 8), DS_INVALID_ARGUMENT);
  EXPECT_EQ(told.back().message, "there is no slot 4, expected 0 to 3");
  EXPECT_EQ(ds_instance_argument(instance, 2, 0), nullptr);
  EXPECT_EQ(ds_instance_result(instance, 0, -1), nullptr);
  EXPECT_EQ(ds_instance_run(instance, batch), DS_OK); // and nothing is broken by them
}

TEST_F(Instances, TheCallersArithmeticIsItsOwn) {
  train(2, 2);
  volatile float small = 1e-30f;
  EXPECT_NE(small * 1e-10f, 0.0f); // a denormal
}

TEST_F(Instances, CallsTakeNoMemory) {
  train(2, 1000);
  const int64_t before = allocated();
  float loss = 0;
  for (int i = 0; i < 20000; ++i) {
    ASSERT_EQ(ds_instance_run(instance, batch), DS_OK);
    ASSERT_EQ(ds_instance_read_result(instance, 1, &loss, 4), DS_OK);
  }
  EXPECT_LT(allocated() - before, 64 << 10); // three bytes a call
}

TEST_F(Instances, AChildOfForkIsRefused) {
  train(2, 1);
  pid_t child = fork();
  if (child == 0) {
    told.clear();
    bool refused = ds_instance_run(instance, batch) == DS_FAILED &&
                   first().find("forked") != std::string::npos;
    ds_instance_destroy(instance);
    ds_world_destroy(world);
    _exit(refused ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(ds_instance_run(instance, batch), DS_OK) << first(); // the parent goes on
}

volatile sig_atomic_t signalled = 0;
TEST_F(Instances, ASignalIsTheCallers) {
  train(2, 1);
  auto before = signal(SIGINT, [](int) { signalled = 1; });
  std::thread other([self = getpid()] { kill(self, SIGINT); });
  for (int i = 0; i < 1000; ++i)
    EXPECT_EQ(ds_instance_run(instance, batch), DS_OK) << first();
  other.join();
  signal(SIGINT, before);
  EXPECT_EQ(signalled, 1);
}

TEST_F(Instances, TwoWorldsLiveSideBySide) {
  std::vector<float> w = train(2, 5);
  ds_world *second = nullptr;
  ds_instance *beside = nullptr;
  ASSERT_EQ(ds_world_create(program, 2, &second), DS_OK);
  ASSERT_EQ(ds_instance_create(step, second, nullptr, &beside), DS_OK) << first();
  ASSERT_EQ(ds_instance_write(beside, 3, DS_WHOLE, &samples.lr, 4), DS_OK);
  std::thread thread([&] {
    for (int i = 0; i < 5; ++i)
      EXPECT_EQ(ds_instance_run(beside, batch), DS_OK);
  });
  thread.join();
  EXPECT_EQ(memcmp(ds_instance_argument(beside, 1, 0), w.data(), 12), 0);
  ds_instance_destroy(beside);
  ds_world_destroy(second);
}

TEST_F(Instances, AStepOfOtherRanksIsRefused) {
  start(2);
  ds_world *other = nullptr;
  ds_instance *none = nullptr;
  ASSERT_EQ(ds_world_create(program, 4, &other), DS_OK);
  EXPECT_EQ(ds_instance_create(step, other, nullptr, &none), DS_FAILED);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(told.back().message, "the step is compiled for 2 ranks, the world has 4");
  EXPECT_EQ(ds_instance_create(step, nullptr, nullptr, &none), DS_INVALID_ARGUMENT);
  ds_world_destroy(other);
}

TEST_F(CApiTest, AFunctionRunsOnOneDevice) {
  ASSERT_EQ(parse(readFile(DS_SOURCE_DIR "/examples/fashion_mnist/forward.mlir"), nullptr), DS_OK)
      << first();
  ASSERT_EQ(ds_program_compile(program, nullptr, &step), DS_OK) << first();
  ASSERT_EQ(ds_instance_create(step, nullptr, nullptr, &instance), DS_OK) << first();
  EXPECT_EQ(ds_instance_run(instance, nullptr), DS_OK) << first();
}

TEST_F(Instances, OptionsThatMeanNothingAreRefused) {
  start(2);
  ds_instance_options options;
  ds_instance_options_init(&options);
  ds_instance *none = nullptr;
  options.on_index = 3;
  EXPECT_EQ(ds_instance_create(step, world, &options, &none), DS_INVALID_ARGUMENT);
  EXPECT_EQ(told.back().message, "an option of the instance is out of range");
  options.on_index = DS_INDEX_OFF;
  options.batches = 2;
  EXPECT_EQ(ds_instance_create(step, world, &options, &none), DS_INVALID_ARGUMENT);
}

/// Tokens that a step looks up in a table of four rows.
constexpr const char *lookup = R"(
#row = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
func.func @step(%w: tensor<4x2xf32> {ds.param = "w"}, %y: tensor<4xi32> {ds.batch = 0 : i64, ds.name = "y"})
    -> (tensor<4x2xf32> {ds.updates = "w"}, tensor<f32> {ds.metric = "loss"}) {
  %e = tensor.empty() : tensor<4x2xf32>
  %rows = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<4xi32>) outs(%e : tensor<4x2xf32>) {
    ^bb0(%token: i32, %out: f32):
      %at = arith.index_cast %token : i32 to index
      %j = linalg.index 1 : index
      %v = tensor.extract %w[%at, %j] : tensor<4x2xf32>
      linalg.yield %v : f32
  } -> tensor<4x2xf32>
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<f32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %loss = linalg.reduce { arith.addf } ins(%rows : tensor<4x2xf32>) outs(%z0 : tensor<f32>) dimensions = [0, 1]
  return %w, %loss : tensor<4x2xf32>, tensor<f32>
})";

TEST_F(CApiTest, ATokenOutOfRangeIsFoundBeforeTheStep) {
  ds_instance_options options;
  ds_instance_options_init(&options);
  start(2, lookup, &options);
  ASSERT_NE(instance, nullptr);
  int32_t good[4] = {0, 1, 2, 3}, bad[4] = {0, 4, 2, 3};
  const void *inputs[2] = {nullptr, good};
  EXPECT_EQ(ds_instance_run(instance, inputs), DS_OK) << first();
  inputs[1] = bad;
  EXPECT_EQ(ds_instance_run(instance, inputs), DS_FAILED);
  EXPECT_NE(first().find("'y' holds 4, expected an index from 0 to 3"), std::string::npos)
      << first();
  EXPECT_EQ(told[0].code, DS_CODE_INDEX_RANGE);
  EXPECT_EQ(told[0].fields, R"({"argument":"y","found":"4, expected an index from 0 to 3"})");
  inputs[1] = good;
  EXPECT_EQ(ds_instance_run(instance, inputs), DS_OK) << told.back().message;
}

TEST_F(Instances, DataIsReadAsDsRunReadsIt) {
  // Two epochs of four steps of two samples each, in the order of the seed: all are seen once.
  start(2, linearStep());
  ASSERT_TRUE(instance);
  EXPECT_EQ(ds_instance_write(instance, 3, DS_WHOLE, &samples.lr, sizeof samples.lr), DS_OK);
  std::vector<float> x(16 * 3), y(16);
  for (int i = 0; i < 16; ++i) {
    std::copy_n(samples.x[i % 8], 3, &x[i * 3]);
    y[i] = samples.y[i % 8];
  }
  const int64_t shape[] = {16, 3};
  const ds_array arrays[] = {{"x", "f32", shape, 2, x.data()}, {"y", "f32", shape, 1, y.data()}};
  ds_data_options options;
  ds_data_options_init(&options);
  options.arrays = arrays;
  options.num_arrays = 2;
  ds_data *data = nullptr;
  ASSERT_EQ(ds_data_create(program, instance, &options, &data), DS_OK) << first();
  EXPECT_EQ(ds_data_steps_per_epoch(data), 2);
  double loss[100];
  int32_t stop = 0;
  for (int step = 0; step < 100; ++step)
    ASSERT_EQ(ds_data_run(data, step, &loss[step], 1, &stop), DS_OK) << first();
  EXPECT_LT(loss[99], loss[0] / 100);
  EXPECT_EQ(stop, 0);
  stop = 1;
  EXPECT_EQ(ds_data_run(data, 100, nullptr, 0, &stop), DS_OK);
  EXPECT_EQ(stop, 1);
  EXPECT_EQ(ds_data_run(data, 0, loss, 2, nullptr), DS_INVALID_ARGUMENT);
  EXPECT_NE(told.back().message.find("has 1 metrics"), std::string::npos) << told.back().message;
  ds_data_destroy(data);
}

TEST_F(Instances, DataThatDoesNotFitIsRefused) {
  start(2);
  ASSERT_TRUE(instance);
  const int64_t shape[] = {16, 4}, few[] = {4, 3};
  std::vector<float> memory(64);
  auto refused = [&](ds_array x, ds_array y) {
    told.clear();
    const ds_array arrays[] = {x, y};
    ds_data_options options;
    ds_data_options_init(&options);
    options.arrays = arrays;
    options.num_arrays = 2;
    ds_data *data = nullptr;
    EXPECT_EQ(ds_data_create(program, instance, &options, &data), DS_FAILED);
    EXPECT_EQ(data, nullptr);
    return first();
  };
  const ds_array y = {"y", "f32", shape, 1, memory.data()};
  EXPECT_EQ(refused({"x", "f32", shape, 2, memory.data()}, y),
            "data for 'x' from 'an array': got shape 16x4, expected Nx3");
  EXPECT_EQ(refused({"x", "f3", shape, 2, memory.data()}, y),
            "the array for 'x' has the type 'f3' and the shape 16x4, which no data has");
  EXPECT_NE(refused({"x", "f32", few, 2, memory.data()}, {"y", "f32", few, 1, memory.data()})
                .find("the data has 4 samples, but one step takes 8"),
            std::string::npos);
}

} // namespace
