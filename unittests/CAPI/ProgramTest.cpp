//===- ProgramTest.cpp - Reading, telling, verifying ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support.h"

namespace {

TEST_F(CApiTest, AMistakeIsOneSentenceWithItsPlace) {
  EXPECT_EQ(parse("func.func @step() {\n  bad\n}"), DS_FAILED);
  EXPECT_EQ(program, nullptr);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].severity, DS_ERROR);
  EXPECT_EQ(told[0].file, "step.mlir");
  EXPECT_EQ(told[0].line, 2);
  EXPECT_EQ(told[0].column, 3);
  EXPECT_NE(told[0].message.find("bad"), std::string::npos) << told[0].message;
  EXPECT_EQ(told[0].message.find("error"), std::string::npos) << told[0].message;
}

TEST_F(CApiTest, AnUnknownKeyIsRefused) {
  EXPECT_EQ(parse(linearStep(), "bach=global"), DS_FAILED);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].message.find("bach"), std::string::npos) << told[0].message;
  EXPECT_EQ(parse(linearStep()), DS_OK) << first(); // what comes next is not touched by it
}

TEST_F(CApiTest, NullIsTheCallersMistake) {
  EXPECT_EQ(ds_program_parse(context, nullptr, 0, nullptr, &program), DS_INVALID_ARGUMENT);
  EXPECT_EQ(ds_program_roles(nullptr, append, nullptr), DS_INVALID_ARGUMENT);
  ds_program_destroy(nullptr);
  ds_world_destroy(nullptr);
  ds_step_destroy(nullptr);
  ds_instance_destroy(nullptr);
  EXPECT_EQ(ds_world_num_ranks(nullptr), 0);
}

TEST_F(CApiTest, RolesAreToldBeforeAnythingIsCompiled) {
  ASSERT_EQ(parse(linearStep()), DS_OK) << first();
  std::string roles;
  ASSERT_EQ(ds_program_roles(program, append, &roles), DS_OK) << first();
  EXPECT_NE(roles.find(R"("name":"w","role":"param","shape":[3],"sharded":false,"type":"f32")"),
            std::string::npos)
      << roles;
  EXPECT_NE(roles.find(R"("metric":"mean","name":"loss")"), std::string::npos) << roles;
}

TEST_F(CApiTest, TheManifestTellsWhatARankHoldsAndWhatAllHold) {
  start(2);
  std::string manifest;
  ASSERT_EQ(ds_step_manifest(step, append, &manifest), DS_OK);
  EXPECT_NE(
      manifest.find(
          R"("global_shape":[8,3],"layout":[[0,0,4,1]],"name":"x","role":"batch","shape":[4,3],"type":"f32")"),
      std::string::npos)
      << manifest;
  EXPECT_GT(ds_step_memory_bytes(step), 0);
}

TEST_F(CApiTest, WhatIsEmittedIsReadAgain) {
  ASSERT_EQ(parse(linearStep()), DS_OK) << first();
  for (ds_format format : {DS_FORMAT_TEXT, DS_FORMAT_BYTECODE}) {
    std::string written, distributed;
    ASSERT_EQ(ds_program_emit(program, DS_STAGE_WRITTEN, 2, format, append, &written), DS_OK)
        << first();
    ASSERT_EQ(ds_program_emit(program, DS_STAGE_DISTRIBUTED, 2, format, append, &distributed),
              DS_OK)
        << first();
    if (format == DS_FORMAT_TEXT) {
      EXPECT_EQ(written.find("ds.all_reduce"), std::string::npos);
      EXPECT_NE(distributed.find("ds.all_reduce"), std::string::npos) << distributed;
    }
    ds_program *one = nullptr, *two = nullptr;
    ASSERT_EQ(ds_program_parse(context, written.data(), written.size(), nullptr, &one), DS_OK)
        << first();
    ASSERT_EQ(ds_program_parse(context, distributed.data(), distributed.size(), nullptr, &two),
              DS_OK)
        << first();
    ds_verdict verdict;
    std::string found;
    EXPECT_EQ(ds_verify_equivalence(one, two, 0, &verdict, append, &found), DS_OK) << first();
    EXPECT_EQ(verdict, DS_EQUAL) << found;
    ds_program_destroy(one);
    ds_program_destroy(two);
  }
}

TEST_F(CApiTest, AModuleThatLostItsCollectiveIsDifferent) {
  ASSERT_EQ(parse(linearStep()), DS_OK) << first();
  std::string text;
  ASSERT_EQ(ds_program_emit(program, DS_STAGE_DISTRIBUTED, 2, DS_FORMAT_TEXT, append, &text),
            DS_OK);
  // The all-reduce of the gradient becomes a maximum.
  size_t at = text.find("ds.all_reduce sum");
  ASSERT_NE(at, std::string::npos) << text;
  text.replace(at, 17, "ds.all_reduce max");
  ds_program *changed = nullptr;
  ASSERT_EQ(ds_program_parse(context, text.data(), text.size(), nullptr, &changed), DS_OK)
      << first();
  ds_verdict verdict;
  std::string found;
  EXPECT_EQ(ds_verify_equivalence(program, changed, 0, &verdict, append, &found), DS_OK) << first();
  EXPECT_EQ(verdict, DS_DIFFERENT) << found;
  EXPECT_NE(found.find("reason"), std::string::npos) << found;
  ds_program_destroy(changed);
}

TEST_F(CApiTest, ACheckGivesItsCertificate) {
  ASSERT_EQ(parse(linearStep()), DS_OK) << first();
  ds_verdict verdict;
  std::string certificate;
  ASSERT_EQ(ds_program_check(program, 2, 60, &verdict, append, &certificate), DS_OK) << first();
  EXPECT_EQ(verdict, DS_EQUAL);
  EXPECT_NE(certificate.find(R"("verdict":"equal")"), std::string::npos) << certificate;
}

TEST_F(CApiTest, APlanIsSearchedAndLeavesTheConfigurationAsItWas) {
  ASSERT_EQ(parse(linearStep()), DS_OK) << first();
  std::string before, after, plan;
  ASSERT_EQ(ds_program_config(program, 4, append, &before), DS_OK) << first();
  ASSERT_EQ(ds_program_plan(program, 4, nullptr, append, &plan), DS_OK) << first();
  EXPECT_NE(plan.find("\"collectives\""), std::string::npos) << plan;
  EXPECT_NE(plan.find("time_ns"), std::string::npos) << plan;
  ASSERT_EQ(ds_program_config(program, 4, append, &after), DS_OK) << first();
  EXPECT_EQ(before, after);
}

TEST_F(CApiTest, RanksThatContradictAreRefused) {
  ASSERT_EQ(parse(linearStep(), "batch=global,device_num=4"), DS_OK) << first();
  EXPECT_EQ(ds_world_create(program, 2, &world), DS_FAILED);
  EXPECT_EQ(world, nullptr);
  EXPECT_EQ(ds_world_create(program, 0, &world), DS_INVALID_ARGUMENT);
}

TEST_F(CApiTest, ABatchThatRanksCannotDivideIsRefused) {
  ASSERT_EQ(parse(linearStep()), DS_OK) << first();
  ASSERT_EQ(ds_world_create(program, 3, &world), DS_OK) << first();
  EXPECT_EQ(ds_program_compile(program, world, &step), DS_FAILED);
  EXPECT_EQ(step, nullptr);
  EXPECT_NE(first().find("8"), std::string::npos) << first();
}

/// As in ds-run: the two have the same bits in every environment.
TEST_F(CApiTest, TheEnvironmentGivesTheCpuThatAProgramDoesNotName) {
  const std::string text = linearStep();
  ds_program_options options;
  ds_program_options_init(&options);
  options.config = "batch=global";
  auto compiled = [&] {
    ds_program *made = nullptr;
    EXPECT_EQ(ds_program_parse(context, text.data(), text.size(), &options, &made), DS_OK);
    ds_world *two = nullptr;
    EXPECT_EQ(ds_world_create(made, 2, &two), DS_OK) << first();
    ds_step *found = nullptr;
    const ds_status status = ds_program_compile(made, two, &found);
    ds_step_destroy(found);
    ds_world_destroy(two);
    ds_program_destroy(made);
    return status;
  };
  const char *before = getenv("DS_TARGET_CPU");
  const std::string kept = before ? before : "";
  setenv("DS_TARGET_CPU", "quantum", 1);
  EXPECT_EQ(compiled(), DS_FAILED);
  EXPECT_EQ(first().find("target cpu 'quantum' is not known"), 0u) << first();
  options.target_cpu = "native";
  EXPECT_EQ(compiled(), DS_OK) << first();
  if (before)
    setenv("DS_TARGET_CPU", kept.c_str(), 1);
  else
    unsetenv("DS_TARGET_CPU");
}

TEST_F(CApiTest, WithoutALauncherThereIsNoWorldToJoin) {
  ASSERT_EQ(parse(linearStep()), DS_OK) << first();
  EXPECT_EQ(ds_world_join(program, &world), DS_OK) << first();
  EXPECT_EQ(world, nullptr);
}

TEST_F(CApiTest, OptionsOfAnEarlierVersionAreFilledToTheirEnd) {
  ds_program_options options;
  memset(&options, 0xAB, sizeof options);
  ds_program_options_init_sized(&options, offsetof(ds_program_options, config));
  EXPECT_EQ(options.entry, nullptr);
  EXPECT_NE(options.config, nullptr);
}

TEST_F(CApiTest, OptionsOfAnEarlierVersionAreTaken) {
  ds_program_options options;
  ds_program_options_init(&options);
  options.struct_size = offsetof(ds_program_options, entry);
  options.name = "mine.mlir";
  options.config = reinterpret_cast<const char *>(1); // behind what the caller knows
  std::string text = "bad";
  EXPECT_EQ(ds_program_parse(context, text.data(), text.size(), &options, &program), DS_FAILED);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].file, "mine.mlir");
}

} // namespace
