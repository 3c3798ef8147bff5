//===- GpuTest.cpp - Steps of this process on a GPU -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GpuSupport.h"

#include <array>

namespace {

TEST_F(Gpus, RanksLearnWhatOneDeviceLearns) {
  begin(2);
  for (int i = 0; i < 300; ++i)
    ASSERT_EQ(ds_instance_run(instance, batch), DS_OK) << first();
  std::vector<float> w = weights();
  EXPECT_NEAR(w[0], 2, 1e-3);
  EXPECT_NEAR(w[1], -1, 1e-3);
  EXPECT_NEAR(w[2], 0.5, 1e-3);
  float back[8][3] = {};
  ASSERT_EQ(ds_instance_read_argument(instance, 1, back, sizeof back), DS_OK);
  EXPECT_EQ(memcmp(back, x, sizeof back), 0);
  float loss = 1;
  ASSERT_EQ(ds_instance_read_result(instance, 1, &loss, sizeof loss), DS_OK) << first();
  EXPECT_LT(loss, 1e-6f);
}

TEST_F(Gpus, AViewIsTheDevicesMemory) {
  device = "cuda:3";
  begin(1);
  float three[3] = {1, 2, 3};
  ASSERT_EQ(ds_instance_write(instance, 0, DS_WHOLE, three, sizeof three), DS_OK);
  EXPECT_EQ(ds_instance_argument(instance, 0, 0), nullptr);
  const ds_view w = view(0, 0), input = view(0, 1);
  EXPECT_EQ(w.device_type, DS_DEVICE_CUDA);
  EXPECT_EQ(w.device_id, 3);
  EXPECT_STREQ(w.type, "f32");
  ASSERT_EQ(w.num_dimensions, 1);
  EXPECT_EQ(w.shape[0], 3);
  EXPECT_EQ(w.strides[0], 1);
  ASSERT_EQ(input.num_dimensions, 2);
  EXPECT_EQ(input.shape[0], 8);
  EXPECT_EQ(input.strides[0], 3);
  EXPECT_EQ(input.strides[1], 1);
  driver.use(3);
  float there[3] = {};
  // Another program's stream, behind what the instance was given.
  ASSERT_EQ(ds_instance_lead(instance, 0, reinterpret_cast<void *>(1)), DS_OK) << first();
  ASSERT_EQ(driver.call("cuMemcpyDtoH_v2", static_cast<void *>(there),
                        reinterpret_cast<Address>(w.data), sizeof there),
            0);
  EXPECT_EQ(memcmp(there, three, sizeof there), 0);
  float other[3] = {4, 5, 6};
  ASSERT_EQ(driver.call("cuMemcpyHtoD_v2", reinterpret_cast<Address>(w.data),
                        static_cast<const void *>(other), sizeof other),
            0);
  EXPECT_EQ(weights(), std::vector<float>({4, 5, 6}));
  // A result that updates an argument is that argument.
  ds_view updated = {};
  updated.struct_size = sizeof updated;
  ASSERT_EQ(ds_instance_view_result(instance, 0, 0, &updated), DS_OK);
  EXPECT_EQ(updated.data, w.data);
}

TEST_F(Gpus, ABatchOfTheDeviceIsTheSameBatch) {
  for (int64_t ranks : {1, 2, 4}) {
    device = "cuda:1";
    begin(ranks);
    for (int i = 0; i < 5; ++i)
      ASSERT_EQ(ds_instance_run(instance, batch), DS_OK) << first();
    const std::vector<float> expected = weights();
    ds_instance_destroy(instance);
    instance = nullptr;
    ASSERT_EQ(ds_instance_create(step, world, nullptr, &instance), DS_OK) << first();
    ASSERT_EQ(ds_instance_write(instance, 3, DS_WHOLE, &lr, sizeof lr), DS_OK);
    driver.use(1);
    const Address xs = onDevice(x, sizeof x), ys = onDevice(y, sizeof y);
    for (int i = 0; i < 5; ++i) {
      ASSERT_EQ(ds_instance_write_device(instance, 1, DS_WHOLE, reinterpret_cast<void *>(xs),
                                         sizeof x, 1),
                DS_OK)
          << first();
      ASSERT_EQ(ds_instance_write_device(instance, 2, DS_WHOLE, reinterpret_cast<void *>(ys),
                                         sizeof y, 1),
                DS_OK)
          << first();
      ASSERT_EQ(ds_instance_run(instance, nullptr), DS_OK) << first();
    }
    EXPECT_EQ(weights(), expected) << ranks;
    driver.use(1);
    EXPECT_EQ(driver.call("cuMemFree_v2", xs), 0);
    EXPECT_EQ(driver.call("cuMemFree_v2", ys), 0);
    ds_instance_destroy(instance);
    ds_step_destroy(step);
    ds_world_destroy(world);
    ds_program_destroy(program);
    instance = nullptr, step = nullptr, world = nullptr, program = nullptr;
  }
}

TEST_F(Gpus, BatchesThatTravelAheadAreTheSameBatches) {
  for (int64_t ranks : {1, 2}) {
    std::vector<std::vector<float>> rows(6, std::vector<float>(24)),
        targets(6, std::vector<float>(8));
    for (size_t k = 0; k < rows.size(); ++k)
      for (size_t i = 0; i < 24; ++i) {
        rows[k][i] = float((i * 5 + k * 3) % 7) / 4 - 1;
        targets[k][i % 8] = float((i + k) % 5);
      }
    auto inputsOf = [&](size_t k) -> std::array<const void *, 4> {
      return {nullptr, rows[k].data(), targets[k].data(), nullptr};
    };
    begin(ranks);
    for (size_t k = 0; k < rows.size(); ++k)
      ASSERT_EQ(ds_instance_run(instance, inputsOf(k).data()), DS_OK) << first();
    const std::vector<float> expected = weights();
    auto again = [&] {
      ds_instance_destroy(instance);
      instance = nullptr;
      ASSERT_EQ(ds_instance_create(step, world, nullptr, &instance), DS_OK) << first();
      ASSERT_EQ(ds_instance_write(instance, 3, DS_WHOLE, &lr, sizeof lr), DS_OK);
    };
    again();
    for (size_t k = 0; k < rows.size(); ++k) {
      const auto next = inputsOf(std::min(k + 1, rows.size() - 1));
      ASSERT_EQ(ds_instance_run_ahead(instance, inputsOf(k).data(), next.data()), DS_OK) << first();
      if (k == 0) // it has been read
        std::fill(rows[1].begin(), rows[1].end(), 1e9f);
    }
    EXPECT_EQ(weights(), expected) << ranks;
    // Another batch than was announced, and many steps in one call.
    for (size_t i = 0; i < 24; ++i)
      rows[1][i] = float((i * 5 + 3) % 7) / 4 - 1;
    again();
    for (size_t k = 0; k < rows.size(); ++k)
      ASSERT_EQ(ds_instance_run_ahead(instance, inputsOf(k).data(), inputsOf(0).data()), DS_OK)
          << first();
    EXPECT_EQ(weights(), expected) << ranks;
    again();
    std::vector<const void *> all;
    for (size_t k = 0; k < rows.size(); ++k)
      for (const void *input : inputsOf(k))
        all.push_back(input);
    ASSERT_EQ(ds_instance_run_steps(instance, 6, all.data(), nullptr), DS_OK) << first();
    EXPECT_EQ(weights(), expected) << ranks;
    ds_instance_destroy(instance);
    ds_step_destroy(step);
    ds_world_destroy(world);
    ds_program_destroy(program);
    instance = nullptr, step = nullptr, world = nullptr, program = nullptr;
  }
}

// A producer's work that is not done when the value is handed over.
TEST_F(Gpus, AStreamIsFollowed) {
  begin(1);
  driver.use(0);
  void *stream = reinterpret_cast<void *(*)()>(dlsym(driver.library, "fake_stream_create"))();
  const float zeros[8] = {};
  const Address ys = onDevice(zeros, sizeof zeros);
  auto *fillLate = reinterpret_cast<void (*)(void *, void *, float, int64_t, int)>(
      dlsym(driver.library, "fake_stream_fill_late"));
  fillLate(stream, reinterpret_cast<void *>(ys), 3, 8, /*milliseconds=*/50);
  ASSERT_EQ(ds_instance_follow(instance, 0, stream), DS_OK);
  ASSERT_EQ(ds_instance_write_device(instance, 2, DS_WHOLE, reinterpret_cast<void *>(ys),
                                     sizeof zeros, 0),
            DS_OK)
      << first();
  float back[8] = {};
  ASSERT_EQ(ds_instance_read_argument(instance, 2, back, sizeof back), DS_OK);
  EXPECT_EQ(back[7], 3);
  EXPECT_NE(ds_instance_stream(instance, 0), nullptr);
}

// Calls return while their step runs; whatever reads waits.
TEST_F(Gpus, StepsThatNobodyReadsAreTheSameSteps) {
  for (int64_t ranks : {1, 2}) {
    begin(ranks);
    std::vector<std::vector<float>> found[2];
    for (bool isRead : {true, false}) {
      std::vector<float> zeros(3);
      ASSERT_EQ(ds_instance_write(instance, 0, DS_WHOLE, zeros.data(), 12), DS_OK) << first();
      for (int i = 0; i < 9; ++i) {
        float loss = 0, rate = lr / float(i + 1);
        ASSERT_EQ(ds_instance_write(instance, 3, DS_WHOLE, &rate, sizeof rate), DS_OK) << first();
        ASSERT_EQ(ds_instance_run(instance, batch), DS_OK) << first();
        if (isRead || i % 3 == 2) {
          ASSERT_EQ(ds_instance_read_result(instance, 1, &loss, sizeof loss), DS_OK) << first();
          if (i % 3 == 2)
            found[isRead].push_back({loss, weights()[0], weights()[1], weights()[2]});
        }
      }
    }
    EXPECT_EQ(found[0], found[1]) << ranks;
    ASSERT_EQ(ds_instance_run(instance, batch), DS_OK) << first();
    ds_instance_destroy(instance); // while a step runs
    ds_step_destroy(step);
    ds_world_destroy(world);
    ds_program_destroy(program);
    instance = nullptr, step = nullptr, world = nullptr, program = nullptr;
  }
}

// A step that is queued has read what it was given of the device when the call returns.
TEST_F(Gpus, MemoryOfTheDeviceIsTheCallersAgainAfterTheCall) {
  begin(1);
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(ds_instance_run(instance, batch), DS_OK) << first();
  const std::vector<float> expected = weights();
  const float zeros[24] = {};
  ASSERT_EQ(ds_instance_write(instance, 0, DS_WHOLE, zeros, 12), DS_OK) << first();
  driver.use(0);
  const Address xs = onDevice(x, sizeof x), other = onDevice(zeros, sizeof zeros);
  void *stream = reinterpret_cast<void *(*)()>(dlsym(driver.library, "fake_stream_create"))();
  auto *fillLate = reinterpret_cast<void (*)(void *, void *, float, int64_t, int)>(
      dlsym(driver.library, "fake_stream_fill_late"));
  for (int i = 0; i < 3; ++i) {
    fillLate(stream, reinterpret_cast<void *>(other), 3, 24, /*milliseconds=*/50);
    ASSERT_EQ(ds_instance_follow(instance, 0, stream), DS_OK);
    ASSERT_EQ(driver.call("cuMemcpyHtoD_v2", xs, static_cast<const void *>(x), sizeof x), 0);
    ASSERT_EQ(
        ds_instance_write_device(instance, 1, DS_WHOLE, reinterpret_cast<void *>(xs), sizeof x, 0),
        DS_OK)
        << first();
    const void *rest[4] = {nullptr, nullptr, y, nullptr};
    ASSERT_EQ(ds_instance_run(instance, rest), DS_OK) << first();
    driver.use(0);
    ASSERT_EQ(driver.call("cuMemcpyHtoD_v2", xs, static_cast<const void *>(zeros), sizeof zeros),
              0);
  }
  EXPECT_EQ(weights(), expected);
}

TEST_F(Gpus, ProgramsOfOneProcessHaveTheirOwnDevices) {
  device = "cuda:2";
  ASSERT_EQ(parse(linearStep()), DS_OK) << first();
  ds_program *other = program;
  device = "cuda:5";
  begin(1);
  EXPECT_EQ(view(0, 0).device_id, 5);
  ds_step *ofOther = nullptr;
  ds_instance *there = nullptr;
  ASSERT_EQ(ds_program_compile(other, world, &ofOther), DS_OK) << first();
  ASSERT_EQ(ds_instance_create(ofOther, world, nullptr, &there), DS_OK) << first();
  ds_view w = {};
  w.struct_size = sizeof w;
  ASSERT_EQ(ds_instance_view_argument(there, 0, 0, &w), DS_OK);
  EXPECT_EQ(w.device_id, 2);
  ds_instance_destroy(there);
  ds_step_destroy(ofOther);
  ds_program_destroy(other);
}

TEST_F(Gpus, WhatIsNotThereIsRefusedByName) {
  for (auto [name, sentence] :
       {std::pair("cuda:9", "there is no GPU 9: this machine has 8, numbers 0 to 7"),
        std::pair("hip", "there is no code generation for 'hip': steps compute on cpu, or on "
                         "NVIDIA's GPUs (cuda)"),
        std::pair("cuda:x", "device is 'cuda:x', expected cpu, cuda, or cuda with numbers of GPUs, "
                            "such as cuda:0 or cuda:0,2")}) {
    told.clear();
    device = name;
    EXPECT_EQ(parse(linearStep()), DS_FAILED);
    EXPECT_EQ(first(), sentence);
    EXPECT_EQ(program, nullptr);
  }
  told.clear();
  device = "cuda:0,1";
  begin(2);
  EXPECT_EQ(view(1, 0).device_id, 1);
  EXPECT_EQ(
      ds_instance_write_device(instance, 1, DS_WHOLE, reinterpret_cast<void *>(64), sizeof x, 0),
      DS_FAILED);
  EXPECT_EQ(first(), "'x' lies on GPU 0, but rank 1 computes on GPU 1; expected a value there, or "
                     "on the host");
  told.clear();
  EXPECT_EQ(ds_instance_write_device(instance, 7, DS_WHOLE, x, sizeof x, 0), DS_FAILED);
  EXPECT_EQ(first(), "a value takes an address and a slot from 0 to 3, got slot 7");
  told.clear();
  ds_view found = {};
  EXPECT_EQ(ds_instance_view_result(instance, 0, 2, &found), DS_INVALID_ARGUMENT);
  EXPECT_EQ(first(), "a view takes a struct and a slot from 0 to 1, got slot 2");
  told.clear();
  EXPECT_EQ(ds_instance_view_result(instance, 2, 0, &found), DS_INVALID_ARGUMENT);
  EXPECT_EQ(first(), "this process has no rank 2, expected 0 to 1");
  told.clear();
  ds_program_options options;
  ds_program_options_init(&options);
  options.no_graph = 1;
  const std::string text = linearStep();
  ds_program *none = nullptr;
  EXPECT_EQ(ds_program_parse(context, text.data(), text.size(), &options, &none), DS_FAILED);
  EXPECT_EQ(first(), "no_graph sets how a GPU's steps are queued, expected device 'cuda'");
}

TEST_F(CApiTest, ViewsOfTheHostAreItsMemory) {
  start(2);
  ds_view found = {};
  found.struct_size = sizeof found;
  ASSERT_EQ(ds_instance_view_argument(instance, 1, 0, &found), DS_OK);
  EXPECT_EQ(found.device_type, DS_DEVICE_CPU);
  EXPECT_EQ(found.data, ds_instance_argument(instance, 1, 0));
  EXPECT_EQ(ds_instance_stream(instance, 0), nullptr);
  EXPECT_EQ(ds_instance_lead(instance, 0, nullptr), DS_OK);
  float x[8][3] = {};
  EXPECT_EQ(ds_instance_write_device(instance, 1, DS_WHOLE, x, sizeof x, 0), DS_FAILED);
  EXPECT_EQ(first(), "'x' lies on GPU 0, but the step computes on the CPU; expected a value on the "
                     "host");
  told.clear();
  const int32_t loss = 1;
  ds_snapshot *snapshot = nullptr;
  EXPECT_EQ(ds_instance_snapshot(instance, &loss, 1, &snapshot), DS_FAILED);
  EXPECT_EQ(first(), "the step computes on the CPU, where ds_instance_place_result lets it write "
                     "elsewhere; expected a step on GPUs");
  told.clear();
  const ds_borrowed borrowed = {1, 1, 0, 0, instance};
  const ds_instance_options options = borrowing(&borrowed, 1);
  ds_instance *other = nullptr;
  EXPECT_EQ(ds_instance_create(step, world, &options, &other), DS_FAILED);
  EXPECT_EQ(first(), "the step computes on the CPU, where ds_instance_place_argument gives an "
                     "argument other memory; expected a step on GPUs");
}

} // namespace
