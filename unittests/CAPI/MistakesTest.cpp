//===- MistakesTest.cpp - What a caller cannot have meant -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support.h"

#include <cstring>

namespace {

class Mistakes : public CApiTest {
protected:
  float x[8][3] = {}, y[8] = {};
  const void *batch[4] = {nullptr, x, y, nullptr};
};

/// Its options would be ignored, or read behind the caller's struct.
TEST_F(Mistakes, AStructOfNoSizeIsRefused) {
  start(2);
  ASSERT_TRUE(instance);
  const std::string text = linearStep();
  for (uint32_t size : {0u, 4u, 12u, 20u, 8192u}) {
    told.clear();
    ds_program_options of_program;
    memset(&of_program, 0xAB, sizeof of_program);
    of_program.struct_size = size;
    auto *parsed = reinterpret_cast<ds_program *>(1);
    EXPECT_EQ(ds_program_parse(context, text.data(), text.size(), &of_program, &parsed),
              DS_INVALID_ARGUMENT);
    EXPECT_EQ(parsed, nullptr);
    EXPECT_EQ(first(), "struct_size is " + std::to_string(size) +
                           ", expected ds_program_options_init to set it");
    ds_data_options of_data;
    memset(&of_data, 0xAB, sizeof of_data);
    of_data.struct_size = size;
    ds_data *data = nullptr;
    EXPECT_EQ(ds_data_create(program, instance, &of_data, &data), DS_INVALID_ARGUMENT);
    ds_statistics statistics = {};
    statistics.struct_size = size;
    EXPECT_EQ(ds_instance_statistics(instance, &statistics), DS_INVALID_ARGUMENT);
    ds_view view = {};
    view.struct_size = size;
    EXPECT_EQ(ds_instance_view_argument(instance, 0, 0, &view), DS_INVALID_ARGUMENT);
    EXPECT_EQ(told.size(), 4u);
  }
  ds_instance_options options;
  ds_instance_options_init(&options);
  options.struct_size = 4;
  ds_instance *none = nullptr;
  EXPECT_EQ(ds_instance_create(step, world, &options, &none), DS_INVALID_ARGUMENT);
}

/// A program reads from the fields where the samples of the result lie.
TEST_F(Mistakes, AResultOfSamplesIsRefusedByCodeAndFields) {
  std::string text = linearStep();
  auto replace = [&](const std::string &from, const std::string &to) {
    const size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, from.size(), to);
  };
  replace(R"(tensor<f32> {ds.metric = "loss"}))",
          R"(tensor<f32> {ds.metric = "loss"}, tensor<8xf32>))");
  replace("return %new, %loss : tensor<3xf32>, tensor<f32>",
          "return %new, %loss, %error : tensor<3xf32>, tensor<f32>, tensor<8xf32>");
  ASSERT_EQ(parse(text), DS_OK) << first();
  ASSERT_EQ(ds_world_create(program, 2, &world), DS_OK) << first();
  EXPECT_EQ(ds_program_compile(program, world, &step), DS_FAILED);
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told[0].code, DS_CODE_RESULT_SAMPLES) << first();
  EXPECT_EQ(told[0].fields, R"({"dim":0,"result":2})");
}

TEST_F(Mistakes, ValuesOutOfRangeAreTheCallersMistake) {
  start(2);
  ASSERT_TRUE(instance);
  EXPECT_EQ(ds_instance_write(instance, 1, static_cast<ds_part>(7), x, sizeof x),
            DS_INVALID_ARGUMENT);
  EXPECT_EQ(told.back().message, "a part is DS_WHOLE or DS_LOCAL, got 7");
  std::string bytes;
  EXPECT_EQ(
      ds_program_emit(program, DS_STAGE_WRITTEN, 2, static_cast<ds_format>(9), append, &bytes),
      DS_INVALID_ARGUMENT);
  for (int64_t ranks : {int64_t(4097), (int64_t(1) << 32) + 2, int64_t(1) << 40}) {
    auto *many = reinterpret_cast<ds_world *>(1);
    EXPECT_EQ(ds_world_create(program, ranks, &many), DS_FAILED);
    EXPECT_EQ(many, nullptr);
    EXPECT_EQ(told.back().message, "a process has 1 to 4096 ranks, got " + std::to_string(ranks));
  }
  ds_step *function = nullptr;
  EXPECT_EQ(ds_program_compile(program, nullptr, &function), DS_INVALID_ARGUMENT);
  EXPECT_EQ(told.back().message, "the step updates 'w', expected a world, which may have one rank");
  const int64_t shape[] = {16, 3};
  const ds_array arrays[] = {{"x", "f32", shape, 2, nullptr}, {"y", "f32", shape, 1, y}};
  ds_data_options options;
  ds_data_options_init(&options);
  options.arrays = arrays;
  options.num_arrays = 2;
  ds_data *data = nullptr;
  EXPECT_EQ(ds_data_create(program, instance, &options, &data), DS_INVALID_ARGUMENT);
  EXPECT_EQ(told.back().message, "the array for 'x' has no memory: its data is null");
  ds_compiled_step compiled = {};
  compiled.struct_size = sizeof compiled;
  compiled.abi_version = DS_ABI_VERSION;
  ds_program *loaded = nullptr;
  EXPECT_EQ(ds_program_load(context, &compiled, &loaded), DS_INVALID_ARGUMENT);
  EXPECT_EQ(ds_instance_run(instance, batch), DS_OK) << told.back().message; // nothing is broken
}

} // namespace
