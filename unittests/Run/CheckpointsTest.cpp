//===- CheckpointsTest.cpp - Checkpoints on disk ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Feed/Checkpoints.h"
#include "ds/Run/Train/Metrics.h"

#include "TestSupport.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cmath>
#include <sys/stat.h>

namespace ds {
namespace {

Safetensors after(int64_t step) {
  Safetensors contents;
  contents.metadata["ds.step"] = std::to_string(step);
  float value = static_cast<float>(step);
  contents.tensors["w"] = Array::copy(DataType::f32, {1}, &value);
  return contents;
}

class CheckpointsTest : public TemporaryDirectory {
protected:
  std::optional<FoundCheckpoint> find(const std::string &save) {
    return cantFail(findNewest(save, [&](const std::string &why) { passed.push_back(why); }));
  }
  std::vector<std::string> passed;
};

TEST_F(CheckpointsTest, NamesHoldTheStepBesideTheFile) {
  EXPECT_EQ(checkpointPath("a/w.safetensors", 120), "a/w-000000000120.safetensors");
  EXPECT_EQ(checkpointPath("w", 1), "w-000000000001");
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
  EXPECT_EQ(writer.newest(), checkpointPath(save, 30));
  std::multimap<int64_t, std::string> found = findCheckpoints(save);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found.begin()->first, 20);
  for (const char *name :
       {"w-1.safetensors", "wide-000000000001.safetensors", "w-000000000001.safetensors.tmp-7-0"})
    EXPECT_TRUE(llvm::sys::fs::exists(path(name))) << name;
}

TEST_F(CheckpointsTest, TheyMayBeReadByThoseWhoMayReadTheFile) {
  const std::string save = write("w.safetensors", "");
  ASSERT_EQ(chmod(save.c_str(), 0600), 0);
  CheckpointWriter writer(save, 2);
  ASSERT_EQ(errorOf(writer.start(10, after(10))), "(no error)");
  ASSERT_EQ(errorOf(writer.finish()), "(no error)");
  struct stat info;
  ASSERT_EQ(stat(checkpointPath(save, 10).c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(CheckpointsTest, TheNewestIsThatOfTheLastStepWhereverItIs) {
  std::string save = path("w.safetensors");
  EXPECT_FALSE(find(save));
  cantFail(writeCheckpoint(checkpointPath(save, 20), after(20)));
  EXPECT_EQ(find(save)->path, checkpointPath(save, 20));
  cantFail(writeCheckpoint(save, after(25)));
  EXPECT_EQ(find(save)->path, save);
  cantFail(writeCheckpoint(checkpointPath(save, 30), after(30)));
  EXPECT_EQ(find(save)->path, checkpointPath(save, 30));
  // The name says nothing.
  cantFail(writeCheckpoint(checkpointPath(save, 5), after(40)));
  EXPECT_EQ(find(save)->path, checkpointPath(save, 5));
  EXPECT_TRUE(passed.empty());
}

TEST_F(CheckpointsTest, WhatIsDamagedIsPassedOver) {
  std::string save = path("w.safetensors");
  cantFail(writeCheckpoint(checkpointPath(save, 10), after(10)));
  cantFail(writeCheckpoint(checkpointPath(save, 20), after(20)));
  const std::string newest = "w-000000000020.safetensors", whole = contents(newest);
  std::string zeroed = whole, flipped = whole;
  std::fill(zeroed.end() - 4, zeroed.end(), '\0');
  flipped[flipped.size() - 2] ^= 1;
  for (const std::string &damaged : {std::string(), std::string(whole.size(), '\0'),
                                     whole.substr(0, whole.size() / 2), zeroed, flipped}) {
    write(newest, damaged);
    passed.clear();
    EXPECT_EQ(find(save)->path, checkpointPath(save, 10));
    ASSERT_EQ(passed.size(), 1u);
    expectSentence(passed[0], {"cannot read", newest});
  }
  // Without any that is whole the training would begin again.
  llvm::sys::fs::remove(checkpointPath(save, 10));
  auto found = findNewest(save, [](const std::string &) {});
  ASSERT_FALSE(found);
  expectSentence(errorOf(std::move(found)),
                 {"no checkpoint of '" + save + "' is whole", newest, "remove what is damaged"});
}

TEST_F(CheckpointsTest, WhatIsDamagedPushesNothingOut) {
  std::string save = path("w.safetensors");
  write("w-000000000040.safetensors", "damaged");
  CheckpointWriter writer(save, 1);
  for (int64_t step : {30, 35, 40, 45}) {
    ASSERT_EQ(errorOf(writer.start(step, after(step))), "(no error)");
    ASSERT_EQ(errorOf(writer.finish()), "(no error)");
    EXPECT_EQ(find(save)->path, checkpointPath(save, step));
  }
  EXPECT_EQ(findCheckpoints(save).size(), 1u);
}

TEST_F(CheckpointsTest, AFailureIsToldAtTheNextCheckpoint) {
  CheckpointWriter writer(path("gone/w.safetensors"), 2);
  ASSERT_EQ(errorOf(writer.start(1, after(1))), "(no error)");
  expectSentence(errorOf(writer.start(2, after(2))), {"cannot write", "there is no directory"});
}

/// Writes a checkpoint of `step` in two shares of which the second has the values.
void writeShares(const std::string &save, CheckpointWriter &first, CheckpointWriter &second,
                 int64_t step) {
  ASSERT_EQ(errorOf(first.startShare(step, 0, 2, {})), "(no error)");
  ASSERT_EQ(errorOf(second.startShare(step, 1, 2, after(step))), "(no error)");
  ASSERT_EQ(errorOf(first.finish()), "(no error)");
  ASSERT_EQ(errorOf(second.finish()), "(no error)");
  EXPECT_EQ(first.doneStep(), step);
  EXPECT_NE(first.newest(), indexPath(save, step));
  SafetensorsIndex index;
  index.metadata["ds.step"] = std::to_string(step);
  index.files["w"] = llvm::sys::path::filename(sharePath(save, step, 1, 2)).str();
  ASSERT_EQ(errorOf(first.startIndex(
                step, {sharePath(save, step, 0, 2), sharePath(save, step, 1, 2)}, index, 4)),
            "(no error)");
  ASSERT_EQ(errorOf(first.finish()), "(no error)");
  EXPECT_EQ(first.newest(), indexPath(save, step));
}

TEST_F(CheckpointsTest, SharesAreACheckpointByTheirIndex) {
  const std::string save = path("w.safetensors");
  EXPECT_EQ(sharePath("a/w.safetensors", 120, 1, 4), "a/w-000000000120-00002-of-00004.safetensors");
  CheckpointWriter first(save, 2), second(save, 2);
  ASSERT_EQ(errorOf(second.startShare(5, 1, 2, after(5))), "(no error)");
  ASSERT_EQ(errorOf(second.finish()), "(no error)");
  EXPECT_FALSE(find(save)); // the index of this share was never written
  writeShares(save, first, second, 10);
  EXPECT_EQ(valuesOf<float>(cantFail(find(save)->contents.read("w"))), std::vector<float>{10});
  EXPECT_FALSE(llvm::sys::fs::exists(sharePath(save, 5, 1, 2)));
  writeShares(save, first, second, 20);
  writeShares(save, first, second, 30);
  EXPECT_EQ(find(save)->path, indexPath(save, 30));
  EXPECT_EQ(files().size(), 6u); // two checkpoints of an index and two shares
  expectSentence(errorOf(checkNoEarlier(save)), {"index.json' is there from an earlier training"});
  // A share that is torn takes its checkpoint with it.
  const std::string name = llvm::sys::path::filename(sharePath(save, 30, 1, 2)).str();
  write(name, contents(name).substr(0, 40));
  EXPECT_EQ(find(save)->path, indexPath(save, 20));
  ASSERT_EQ(passed.size(), 1u);
  expectSentence(passed[0], {"cannot read", name, "it has 40 bytes, but '"});
}

TEST_F(CheckpointsTest, OtherProcessesGoOnFromShares) {
  const std::string save = path("w.safetensors");
  CheckpointWriter first(save, 2), second(save, 2);
  writeShares(save, first, second, 10);
  writeShares(save, first, second, 20);
  // One process writes the same step anew, in one file, and later ones.
  CheckpointWriter alone(save, 2);
  ASSERT_EQ(errorOf(alone.start(20, after(20))), "(no error)");
  ASSERT_EQ(errorOf(alone.finish()), "(no error)");
  EXPECT_FALSE(llvm::sys::fs::exists(indexPath(save, 20)));
  EXPECT_FALSE(llvm::sys::fs::exists(sharePath(save, 20, 0, 2)));
  EXPECT_TRUE(llvm::sys::fs::exists(sharePath(save, 10, 0, 2)));
  EXPECT_EQ(find(save)->path, checkpointPath(save, 20));
  ASSERT_EQ(errorOf(alone.start(30, after(30))), "(no error)");
  ASSERT_EQ(errorOf(alone.finish()), "(no error)");
  EXPECT_EQ(files().size(), 2u);
}

TEST_F(CheckpointsTest, AnIndexNeedsAllItsShares) {
  const std::string save = path("w.safetensors");
  CheckpointWriter writer(save, 2);
  ASSERT_EQ(errorOf(writer.startIndex(10, {sharePath(save, 10, 0, 1)}, {}, 0)), "(no error)");
  expectSentence(errorOf(writer.finish()), {"cannot read", "-00001-of-00001.safetensors"});
  EXPECT_FALSE(llvm::sys::fs::exists(indexPath(save, 10)));
}

TEST(Metrics, TheFirstThatIsNoNumberIsNamed) {
  std::vector<std::string> names = {"loss", "norm"};
  EXPECT_EQ(firstNotFinite(names, {1.0, 2.0}), "");
  EXPECT_EQ(firstNotFinite(names, {1.0, INFINITY}), "metric 'norm' is inf");
  EXPECT_EQ(firstNotFinite(names, {-INFINITY, NAN}), "metric 'loss' is -inf");
  EXPECT_EQ(firstNotFinite(names, {NAN, 0.0}), "metric 'loss' is nan");
}

TEST(Metrics, WhatGrewBeyondAllMeasureIsNamed) {
  std::vector<std::string> names = {"loss", "norm"};
  EXPECT_EQ(firstDiverged(names, {1.0, 2.0}, {1e9, 3.0}), "");
  EXPECT_EQ(firstDiverged(names, {1e9, 1.0}, {1e11, 3.0}), "");
  EXPECT_EQ(firstDiverged(names, {1.0, -3.0}, {2.0, -4e12}),
            "metric 'norm' grew from -3.00e+00 to -4.00e+12");
  EXPECT_EQ(firstDiverged(names, {}, {}), "");
}

} // namespace
} // namespace ds
