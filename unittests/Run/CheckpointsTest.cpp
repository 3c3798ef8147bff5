//===- CheckpointsTest.cpp - Generations on disk ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Checkpoints.h"
#include "ds/Run/Metrics.h"

#include "TestSupport.h"

#include "llvm/Support/FileSystem.h"

#include <cmath>

namespace ds {
namespace {

Safetensors after(int64_t step) {
  Safetensors contents;
  contents.metadata["ds.step"] = std::to_string(step);
  float value = static_cast<float>(step);
  contents.tensors["w"] = Array::copy(DataType::f32, {1}, &value);
  return contents;
}

class CheckpointsTest : public TemporaryDirectory {};

TEST_F(CheckpointsTest, NamesHoldTheStepBesideTheFile) {
  EXPECT_EQ(generationPath("a/w.safetensors", 120), "a/w-000000000120.safetensors");
  EXPECT_EQ(generationPath("w", 1), "w-000000000001");
}

TEST_F(CheckpointsTest, TheNewestAreKeptAndOthersAreLeftAlone) {
  std::string save = path("w.safetensors");
  write("w-1.safetensors", "somebody's");
  write("wide-000000000001.safetensors", "somebody's");
  write("w-000000000001.safetensors.tmp-7-0", "left by a kill");
  CheckpointWriter writer(save, 2);
  EXPECT_EQ(writer.newest(), "");
  for (int64_t step : {10, 20, 30})
    ASSERT_EQ(errorOf(writer.start(step, after(step))), "(no error)");
  ASSERT_EQ(errorOf(writer.finish()), "(no error)");
  EXPECT_EQ(writer.newest(), generationPath(save, 30));
  std::map<int64_t, std::string> found = findGenerations(save);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found.begin()->first, 20);
  for (const char *name :
       {"w-1.safetensors", "wide-000000000001.safetensors", "w-000000000001.safetensors.tmp-7-0"})
    EXPECT_TRUE(llvm::sys::fs::exists(path(name))) << name;
}

TEST_F(CheckpointsTest, TheNewestIsThatOfTheLastStepWhereverItIs) {
  std::string save = path("w.safetensors");
  EXPECT_FALSE(cantFail(findNewest(save)));
  cantFail(writeSafetensors(generationPath(save, 20), after(20)));
  EXPECT_EQ(cantFail(findNewest(save))->path, generationPath(save, 20));
  cantFail(writeSafetensors(save, after(25)));
  EXPECT_EQ(cantFail(findNewest(save))->path, save);
  cantFail(writeSafetensors(generationPath(save, 30), after(30)));
  EXPECT_EQ(cantFail(findNewest(save))->path, generationPath(save, 30));
}

TEST_F(CheckpointsTest, ADamagedCheckpointIsTold) {
  std::string save = path("w.safetensors");
  write("w-000000000020.safetensors", "short");
  auto found = findNewest(save);
  ASSERT_FALSE(found);
  expectSentence(errorOf(std::move(found)), {"cannot read", "w-000000000020.safetensors"});
}

TEST_F(CheckpointsTest, AFailureIsToldAtTheNextCheckpoint) {
  CheckpointWriter writer(path("gone/w.safetensors"), 2);
  ASSERT_EQ(errorOf(writer.start(1, after(1))), "(no error)");
  expectSentence(errorOf(writer.start(2, after(2))), {"cannot write", "there is no directory"});
}

TEST(Metrics, TheFirstThatIsNoNumberIsNamed) {
  std::vector<std::string> names = {"loss", "norm"};
  EXPECT_EQ(firstNotFinite(names, {1.0, 2.0}), "");
  EXPECT_EQ(firstNotFinite(names, {1.0, INFINITY}), "metric 'norm' is inf");
  EXPECT_EQ(firstNotFinite(names, {-INFINITY, NAN}), "metric 'loss' is -inf");
  EXPECT_EQ(firstNotFinite(names, {NAN, 0.0}), "metric 'loss' is nan");
}

} // namespace
} // namespace ds
