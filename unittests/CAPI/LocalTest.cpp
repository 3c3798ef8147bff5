//===- LocalTest.cpp - What each rank has of its own ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace {

/// In `local` each rank counts its own samples above zero.
constexpr const char *counting = R"(
func.func @step(%w: tensor<f32> {ds.param = "w"}, %x: tensor<2xf32> {ds.batch = 0 : i64, ds.name = "x"})
    -> (tensor<f32> {ds.updates = "w"}, tensor<i32> {ds.metric = "above"}, tensor<f32> {ds.metric = "sum"}) {
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %above = arith.cmpf ogt, %x, %zero : tensor<2xf32>
  %ones = arith.extui %above : tensor<2xi1> to tensor<2xi32>
  %none = arith.constant dense<0> : tensor<i32>
  %count = linalg.reduce { arith.addi } ins(%ones : tensor<2xi32>) outs(%none : tensor<i32>) dimensions = [0]
  %nothing = arith.constant dense<0.0> : tensor<f32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<2xf32>) outs(%nothing : tensor<f32>) dimensions = [0]
  %g = ds.gradient %sum of "w" : tensor<f32>
  %new = arith.subf %w, %g : tensor<f32>
  return %new, %count, %sum : tensor<f32>, tensor<i32>, tensor<f32>
})";

TEST_F(CApiTest, MetricsOfRanksAreCombined) {
  ASSERT_EQ(parse(counting, "batch=local"), DS_OK) << first();
  ASSERT_EQ(ds_world_create(program, 2, &world), DS_OK) << first();
  ASSERT_EQ(ds_program_compile(program, world, &step), DS_OK) << first();
  ASSERT_EQ(ds_instance_create(step, world, nullptr, &instance), DS_OK) << first();
  float x[4] = {1, 2, 3, -4}, sum = 0, w = 0;
  const void *inputs[2] = {nullptr, x};
  ASSERT_EQ(ds_instance_run(instance, inputs), DS_OK) << first();
  ASSERT_EQ(ds_instance_read_result(instance, 2, &sum, 4), DS_OK) << first();
  EXPECT_EQ(sum, 1); // the mean of 3 and -1
  ASSERT_EQ(ds_instance_read_argument(instance, 0, &w, 4), DS_OK) << first();
  EXPECT_EQ(w, -2); // gradients are summed
  int32_t count = 0;
  EXPECT_EQ(ds_instance_read_result(instance, 1, &count, 4), DS_FAILED);
  EXPECT_EQ(told.back().message, "metric 'above' of type i32 is 1.500000 as a mean over ranks; "
                                 "ds_instance_result has what each rank found");
  EXPECT_EQ(*static_cast<int32_t *>(ds_instance_result(instance, 0, 1)), 2);
}

TEST_F(CApiTest, RanksOfAProcessGiveWhatTheyHoldTogether) {
  ds_instance_options options;
  ds_instance_options_init(&options);
  options.batches = DS_LOCAL;
  ASSERT_EQ(parse(counting, "batch=local"), DS_OK) << first();
  ASSERT_EQ(ds_world_create(program, 2, &world), DS_OK) << first();
  ASSERT_EQ(ds_program_compile(program, world, &step), DS_OK) << first();
  ASSERT_EQ(ds_instance_create(step, world, &options, &instance), DS_OK) << first();
  float x[4] = {1, 2, 3, -4}, sum = 0, w = 0;
  const void *inputs[2] = {nullptr, x};
  ASSERT_EQ(ds_instance_run(instance, inputs), DS_OK) << first();
  ASSERT_EQ(ds_instance_read_local(instance, 2, &sum, 4), DS_OK) << first();
  EXPECT_EQ(sum, 1); // the mean of 3 and -1
  ASSERT_EQ(ds_instance_read_local(instance, 0, &w, 4), DS_OK) << first();
  EXPECT_EQ(w, -2);
  int32_t count = 0;
  EXPECT_EQ(ds_instance_read_local(instance, 1, &count, 4), DS_FAILED); // 2 and 1
  EXPECT_EQ(
      told.back().message,
      "result 'above' of type i32 and shape scalar is another one on rank 1 than on rank 0 of this "
      "process, expected rows of the samples, a mean of floats, or the same value on all "
      "ranks");
  x[3] = 4;
  ASSERT_EQ(ds_instance_run(instance, inputs), DS_OK) << first();
  ASSERT_EQ(ds_instance_read_local(instance, 1, &count, 4), DS_OK) << first();
  EXPECT_EQ(count, 2);
  EXPECT_EQ(ds_instance_read_local(instance, 3, &count, 4), DS_INVALID_ARGUMENT);
}

std::string freePort() {
  const int free = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  EXPECT_EQ(bind(free, reinterpret_cast<sockaddr *>(&address), size), 0);
  EXPECT_EQ(getsockname(free, reinterpret_cast<sockaddr *>(&address), &size), 0);
  close(free);
  return std::to_string(ntohs(address.sin_port));
}

/// Two processes of two ranks each: the parent is the first one.
TEST_F(CApiTest, ProcessesOfAJobHoldSeveralRanks) {
  const std::string port = freePort();
  const pid_t child = fork();
  for (auto [name, value] : {std::pair("DS_RANK", child ? "0" : "1"),
                             {"DS_WORLD_SIZE", "2"},
                             {"DS_MASTER_ADDR", "127.0.0.1"},
                             {"DS_MASTER_PORT", port.c_str()}})
    setenv(name, value, 1);
  ds_instance_options options;
  ds_instance_options_init(&options);
  options.batches = DS_LOCAL;
  ds_program *onMesh = nullptr;
  ds_step *stepOnMesh = nullptr;
  ds_instance *none = nullptr;
  float x[4] = {1, 2, 3, -4}, mean = 0, sum = 0, w = 0;
  const void *inputs[2] = {nullptr, x};
  auto run = [&] {
    ASSERT_EQ(parse(counting, "batch=local,device_num=4,timeout=60"), DS_OK) << first();
    ASSERT_EQ(ds_world_join(program, &world), DS_OK) << first();
    EXPECT_EQ(ds_world_num_ranks(world), 4);
    EXPECT_EQ(ds_world_num_local_ranks(world), 2);
    EXPECT_EQ(ds_world_first_rank(world), child ? 0 : 2);
    ASSERT_EQ(ds_program_compile(program, world, &step), DS_OK) << first();
    ASSERT_EQ(ds_instance_create(step, world, &options, &instance), DS_OK) << first();
    if (!child)
      x[3] = 8;
    ASSERT_EQ(ds_instance_run(instance, inputs), DS_OK) << first();
    ASSERT_EQ(ds_instance_read_result(instance, 2, &mean, 4), DS_OK) << first();
    EXPECT_EQ(mean, 4); // of 3, -1, 3 and 11
    ASSERT_EQ(ds_instance_read_local(instance, 2, &sum, 4), DS_OK) << first();
    EXPECT_EQ(sum, child ? 1 : 7);
    ASSERT_EQ(ds_instance_read_argument(instance, 0, &w, 4), DS_OK) << first();
    EXPECT_EQ(w, -16); // gradients are summed
    // A broadcast reaches all ranks of the other process.
    for (int local = 0; local < 2; ++local)
      *static_cast<float *>(ds_instance_argument(instance, local, 0)) = child ? 5.0f : 6.0f;
    ASSERT_EQ(ds_instance_broadcast(instance), DS_OK) << first();
    for (int local = 0; local < 2; ++local)
      EXPECT_EQ(*static_cast<float *>(ds_instance_argument(instance, local, 0)), 5);
    const char *mesh = "batch=local,parallel_mode=semi_auto_parallel,mesh=[dp=2,tp=2]";
    ds_program *kept = std::exchange(program, nullptr);
    ASSERT_EQ(parse(counting, mesh), DS_OK) << first();
    onMesh = std::exchange(program, kept);
    ASSERT_EQ(ds_program_compile(onMesh, world, &stepOnMesh), DS_OK) << first();
    EXPECT_EQ(ds_instance_create(stepOnMesh, world, &options, &none), DS_FAILED);
    EXPECT_EQ(
        told.back().message,
        "DS_LOCAL is what the ranks of a process hold together, but 2 of the mesh dp=2 x tp=2 "
        "hold no part of their own; expected DS_WHOLE, or one rank in each process");
  };
  run();
  ds_step_destroy(stepOnMesh);
  ds_instance_destroy(std::exchange(instance, nullptr));
  ds_step_destroy(std::exchange(step, nullptr));
  ds_world_destroy(std::exchange(world, nullptr));
  ds_program_destroy(onMesh);
  if (!child)
    _exit(HasFailure());
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  for (const char *name : {"DS_RANK", "DS_WORLD_SIZE", "DS_MASTER_ADDR", "DS_MASTER_PORT"})
    unsetenv(name);
}

} // namespace
