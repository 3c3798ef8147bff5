//===- GpuMemoryTest.cpp - What instances have in common ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GpuSupport.h"

namespace {

// The second instance learns at the rate that the first one's loss is, of the first one's samples.
TEST_F(Gpus, ArgumentsAreBorrowedOfAnotherInstance) {
  for (int64_t ranks : {1, 2}) {
    begin(ranks);
    ds_borrowed borrowed[] = {{1, 1, 0, 0, instance}, {3, 1, 1, 0, instance}};
    const ds_instance_options options = borrowing(borrowed, 2);
    ds_instance *other = nullptr;
    ASSERT_EQ(ds_instance_create(step, world, &options, &other), DS_OK) << first();
    const void *targets[4] = {nullptr, nullptr, y, nullptr};
    float loss = 0;
    for (int i = 0; i < 3; ++i) { // calls, a capture, a graph
      ASSERT_EQ(ds_instance_run(instance, batch), DS_OK) << first();
      ASSERT_EQ(ds_instance_read_result(instance, 1, &loss, sizeof loss), DS_OK);
      const float zeros[3] = {};
      ASSERT_EQ(ds_instance_write(other, 0, DS_WHOLE, zeros, sizeof zeros), DS_OK);
      ASSERT_EQ(ds_instance_run(other, targets), DS_OK) << first();
    }
    float found[3] = {}, rate = 0;
    ASSERT_EQ(ds_instance_read_argument(other, 0, found, sizeof found), DS_OK);
    ASSERT_EQ(ds_instance_read_argument(other, 3, &rate, sizeof rate), DS_OK);
    EXPECT_EQ(rate, loss);
    ds_statistics of = {}, ofOther = {};
    of.struct_size = ofOther.struct_size = sizeof of;
    ASSERT_EQ(ds_instance_statistics(instance, &of), DS_OK);
    ASSERT_EQ(ds_instance_statistics(other, &ofOther), DS_OK);
    EXPECT_EQ(of.memory_bytes - ofOther.memory_bytes, sizeof x / ranks + sizeof loss);
    ds_instance_destroy(other);
    ds_instance_destroy(instance);
    instance = nullptr;
    ASSERT_EQ(ds_instance_create(step, world, nullptr, &instance), DS_OK) << first();
    ASSERT_EQ(ds_instance_write(instance, 3, DS_WHOLE, &loss, sizeof loss), DS_OK);
    ASSERT_EQ(ds_instance_run(instance, batch), DS_OK) << first();
    const std::vector<float> expected = weights();
    EXPECT_EQ(memcmp(found, expected.data(), sizeof found), 0) << ranks;
    ds_instance_destroy(instance);
    ds_step_destroy(step);
    ds_world_destroy(world);
    ds_program_destroy(program);
    instance = nullptr, step = nullptr, world = nullptr, program = nullptr;
  }
}

TEST_F(Gpus, WhatCannotBeBorrowedIsRefusedByName) {
  device = nullptr;
  ASSERT_EQ(parse(linearStep()), DS_OK) << first();
  ds_program *onHost = program;
  device = "cuda";
  begin(1);
  ds_step *ofHost = nullptr;
  ds_instance *there = nullptr;
  ASSERT_EQ(ds_program_compile(onHost, world, &ofHost), DS_OK) << first();
  ASSERT_EQ(ds_instance_create(ofHost, world, nullptr, &there), DS_OK) << first();
  auto refusal = [&](const ds_borrowed &borrowed) {
    told.clear();
    const ds_instance_options options = borrowing(&borrowed, 1);
    ds_instance *other = nullptr;
    EXPECT_EQ(ds_instance_create(step, world, &options, &other), DS_FAILED);
    EXPECT_EQ(other, nullptr);
    return first();
  };
  EXPECT_EQ(refusal({1, 4, 0, 0, instance}), "a borrowed argument takes slots and an instance that "
                                             "there are, got slots 1 and 4");
  EXPECT_EQ(refusal({1, 2, 0, 0, instance}),
            "'x' is f32[8, 3] on each rank, but what it borrows is f32[8]");
  EXPECT_EQ(refusal({0, 0, 0, 0, instance}), "'w' is updated by the step, which cannot borrow it");
  EXPECT_EQ(refusal({1, 1, 0, 0, there}),
            "'x' borrows memory of an instance with other ranks or on the CPU, expected one on the "
            "same GPUs");
  ds_instance_destroy(there);
  ds_step_destroy(ofHost);
  ds_program_destroy(onHost);
}

TEST_F(Gpus, SnapshotsBringResultsBack) {
  begin(2);
  const int32_t results[] = {0, 1};
  ds_snapshot *snapshot = nullptr;
  std::vector<float> loss(3), before, restored(1);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(ds_instance_run(instance, batch), DS_OK) << first();
    ASSERT_EQ(ds_instance_read_result(instance, 1, &loss[i], sizeof(float)), DS_OK);
    if (i == 2)
      break;
    before = weights();
    ASSERT_EQ(ds_instance_snapshot(instance, results, 2, &snapshot), DS_OK) << first();
  }
  ASSERT_EQ(ds_snapshot_restore(snapshot), DS_OK) << first();
  ASSERT_EQ(ds_instance_read_result(instance, 1, restored.data(), sizeof(float)), DS_OK);
  EXPECT_EQ(restored[0], loss[1]);
  EXPECT_EQ(weights(), before);
  ASSERT_EQ(ds_instance_run(instance, batch), DS_OK) << first();
  ASSERT_EQ(ds_instance_read_result(instance, 1, restored.data(), sizeof(float)), DS_OK);
  EXPECT_EQ(restored[0], loss[2]);
  EXPECT_EQ(ds_instance_snapshot(instance, results, 1, &snapshot), DS_FAILED);
  EXPECT_EQ(first(), "the snapshot is one of other results");
  ds_snapshot_destroy(snapshot);
  told.clear();
  snapshot = nullptr;
  const int32_t none[] = {2};
  EXPECT_EQ(ds_instance_snapshot(instance, none, 1, &snapshot), DS_INVALID_ARGUMENT);
  EXPECT_EQ(first(), "a snapshot takes slots of results from 0 to 1");
  EXPECT_EQ(ds_snapshot_restore(nullptr), DS_INVALID_ARGUMENT);
}

TEST_F(Gpus, WhatHasNotChangedIsNotCopied) {
  ds_instance_options options;
  ds_instance_options_init(&options);
  options.compares = 1;
  device = "cuda:0"; // of both
  start(2, linearStep(), &options);
  ASSERT_TRUE(instance);
  auto copies = [&] {
    auto work =
        reinterpret_cast<unsigned long long (*)(const char *)>(dlsym(driver.library, "fake_work"));
    return work("to-device");
  };
  const void *all[4] = {nullptr, x, y, &lr};
  auto copiedBy = [&] {
    const auto before = copies();
    EXPECT_EQ(ds_instance_run(instance, all), DS_OK) << first();
    return copies() - before;
  };
  EXPECT_GE(copiedBy(), 6u); // three arguments to two ranks, and tables
  EXPECT_EQ(copiedBy(), 0u);
  y[7] += 1; // a sample of rank 1
  EXPECT_EQ(copiedBy(), 1u);
  lr /= 2;
  EXPECT_EQ(copiedBy(), 2u);
  driver.use(0);
  const Address ys = onDevice(x, sizeof y); // from elsewhere
  ASSERT_EQ(
      ds_instance_write_device(instance, 2, DS_WHOLE, reinterpret_cast<void *>(ys), sizeof y, 0),
      DS_OK)
      << first();
  EXPECT_EQ(copiedBy(), 2u);
  float back[8] = {};
  ASSERT_EQ(ds_instance_read_argument(instance, 2, back, sizeof back), DS_OK);
  EXPECT_EQ(memcmp(back, y, sizeof y), 0);
}

} // namespace
