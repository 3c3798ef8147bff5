//===- RecordingTest.cpp - Recordings of other frameworks -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which arrays a recording must hold, and what is said when it does not.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Recording.h"

#include "ds/Data/Npy.h"

#include "TestSupport.h"

namespace ds {
namespace {

class RecordingTest : public TemporaryDirectory {
protected:
  RecordingTest() {
    ArgumentSpec w, x, lr;
    w.name = "w";
    w.role = ArgumentRole::parameter;
    w.shape = {2};
    x.name = "x";
    x.role = ArgumentRole::batch;
    x.shape = {3};
    x.batchDim = 0;
    lr.name = "lr";
    manifest.arguments = {w, x, lr};
    ResultSpec updated;
    updated.name = "w";
    updated.shape = {2};
    updated.updates = 0;
    manifest.results = {updated};
  }

  llvm::Expected<std::vector<RecordedStep>> read(const NamedArrays &arrays, int64_t ranks = 2) {
    cantFail(writeNpz(path("r.npz"), arrays));
    return readRecording(path("r.npz"), manifest, ranks);
  }
  static Array zeros(std::vector<int64_t> shape) {
    return arrayOf<float>(DataType::f32, shape, std::vector<float>(elementCount(shape)));
  }
  NamedArrays sound() {
    return {{"step1_arg0", zeros({2})},
            {"step1_arg1", zeros({6})},
            {"step1_arg2", zeros({})},
            {"step1_res0", zeros({2})},
            {"step2_arg1", zeros({6})}};
  }

  Manifest manifest;
};

TEST_F(RecordingTest, GoesOnAsFarAsItHasInputs) {
  auto recording = read(sound());
  ASSERT_TRUE(bool(recording)) << errorOf(std::move(recording));
  ASSERT_EQ(recording->size(), 2u);
  EXPECT_EQ(recording->at(0).results.size(), 1u);
  EXPECT_TRUE(recording->at(1).results.empty());
}

TEST_F(RecordingTest, GlobalBatchesHoldTheWholeBatch) {
  manifest.global = true;
  manifest.arguments[1].shards = {{0, {0, 1, 3}}};
  EXPECT_EQ(errorOf(read(sound())), "(no error)");
  manifest.arguments[1].shards.clear();
  expectSentence(errorOf(read(sound())), {"'step1_arg1' (x) has shape 6, expected 3"});
}

TEST_F(RecordingTest, MissingInputsAreListed) {
  NamedArrays arrays = sound();
  arrays.erase("step1_arg0");
  arrays.erase("step1_arg2");
  expectSentence(errorOf(read(arrays)), {"the recording lacks step1_arg0 (w), step1_arg2 (lr)"});
}

TEST_F(RecordingTest, ALaterStepIsWholeOrAbsent) {
  ArgumentSpec y = manifest.arguments[1];
  y.name = "y";
  manifest.arguments.push_back(y);
  NamedArrays arrays = sound();
  arrays["step1_arg3"] = zeros({6});
  expectSentence(errorOf(read(arrays)), {"the recording lacks step2_arg3 (y)"});
}

TEST_F(RecordingTest, StrangeNamesAreRefused) {
  for (const char *name : {"step1_args0", "weights", "step0_arg0", "step1_arg"}) {
    NamedArrays arrays = sound();
    arrays[name] = zeros({2});
    expectSentence(errorOf(read(arrays)),
                   {"'" + std::string(name) + "' is no array of a recording"});
  }
  NamedArrays arrays = sound();
  arrays["step1_res1"] = zeros({2});
  expectSentence(errorOf(read(arrays)), {"'step1_res1' is beyond the step's 1 results"});
}

TEST_F(RecordingTest, ShapesAndTypesAreChecked) {
  NamedArrays arrays = sound();
  arrays["step1_res0"] = zeros({3});
  expectSentence(errorOf(read(arrays)), {"'step1_res0' (w) has shape 3, expected 2"});
  arrays = sound();
  arrays["step1_arg2"] = arrayOf<double>(DataType::f64, {}, {1e300});
  expectSentence(errorOf(read(arrays)), {"'step1_arg2' (lr)", "does not fit f32"});
}

} // namespace
} // namespace ds
