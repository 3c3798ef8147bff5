//===- BatchTest.cpp - Rows of a step ---------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Manifests as the compiler makes them in both semantics.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Batch.h"

#include "TestSupport.h"

namespace ds {
namespace {

ArgumentSpec batch(const std::string &name, std::vector<int64_t> shape,
                   std::optional<ShardLayout> layout = std::nullopt) {
  ArgumentSpec argument;
  argument.name = name;
  argument.role = ArgumentRole::batch;
  argument.shape = std::move(shape);
  argument.batchDim = 0;
  if (layout)
    argument.shards = {{0, *layout}};
  return argument;
}

TEST(Batch, LocalStepsTakeRowsPerRank) {
  Manifest manifest;
  manifest.arguments = {batch("x", {32, 5}), batch("y", {32})};
  BatchFacts facts = cantFail(batchFacts(manifest, 4));
  EXPECT_EQ(facts.rowsPerRank, 32);
  EXPECT_EQ(facts.rowsPerStep, 128);
  EXPECT_EQ(describeRun(manifest, facts, 4), "local: 4 ranks x 32 samples = 128 per step, "
                                             "gradients summed (gradients_mean=false)");
  manifest.gradientsMean = true;
  EXPECT_EQ(describeRun(manifest, cantFail(batchFacts(manifest, 1)), 1),
            "local: 1 rank x 32 samples = 32 per step, gradients averaged (gradients_mean=true)");
}

TEST(Batch, GlobalStepsAreDivided) {
  Manifest manifest;
  manifest.global = true;
  manifest.arguments = {batch("x", {8, 5}, ShardLayout{0, 1, 8}), batch("table", {16})};
  BatchFacts facts = cantFail(batchFacts(manifest, 2));
  EXPECT_EQ(facts.rowsPerRank, 8);
  EXPECT_EQ(facts.rowsPerStep, 16);
  EXPECT_EQ(describeRun(manifest, facts, 2),
            "global: 2 ranks x 8 samples = 16 per step, the same function as on one device");
}

TEST(Batch, DisagreementAndAbsenceAreErrors) {
  Manifest manifest;
  expectSentence(errorOf(batchFacts(manifest, 2)), {"no batch argument"});
  manifest.arguments = {batch("x", {8}), batch("y", {9})};
  expectSentence(errorOf(batchFacts(manifest, 2)),
                 {"'y' takes 18 samples per step, but 'x' takes 16"});
}

TEST(Batch, PositionsFollowTheSemantics) {
  Manifest manifest;
  ArgumentSpec x = batch("x", {3});
  EXPECT_EQ(positionsOf(manifest, x, 1, 2, {6}), (Positions{{3, 4, 5}}));
  manifest.global = true;
  EXPECT_EQ(positionsOf(manifest, x, 1, 2, {3}), (Positions{{0, 1, 2}}));
  x.shards = {{0, {0, 3, 1}}};
  EXPECT_EQ(positionsOf(manifest, x, 1, 2, {6}), (Positions{{1, 3, 5}}));
}

TEST(Batch, AxesDivideOneAfterAnother) {
  // 12 x 4 on dp=2 x tp=3: rows over dp, then tp; columns whole.
  Manifest manifest;
  manifest.global = true;
  manifest.axes = {{"dp", 2}, {"tp", 3}};
  ArgumentSpec w;
  w.role = ArgumentRole::parameter;
  w.shape = {2, 4};
  w.shards = {{1, {0, 2, 2}}, {0, {0, 1, 2}}}; // tp first: within each half
  EXPECT_EQ(wholeShape(manifest, w, 6), (std::vector<int64_t>{12, 4}));
  EXPECT_EQ(positionsOf(manifest, w, 0, 6, {12, 4})[0], (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(positionsOf(manifest, w, 2, 6, {12, 4})[0], (std::vector<int64_t>{4, 5}));
  EXPECT_EQ(positionsOf(manifest, w, 3, 6, {12, 4})[0], (std::vector<int64_t>{6, 7}));
}

TEST(Batch, TakingAndPuttingPartsAreInverse) {
  // 2 x 4 x 3, rows along the middle dimension.
  std::vector<int16_t> whole(24), part(12), back(24, -1);
  for (int i = 0; i < 24; ++i)
    whole[i] = i;
  auto rows = [](int64_t a, int64_t b) { return Positions{{0, 1}, {a, b}, {0, 1, 2}}; };
  takePart({2, 4, 3}, rows(3, 1), 2, whole.data(), part.data());
  EXPECT_EQ(part, (std::vector<int16_t>{9, 10, 11, 3, 4, 5, 21, 22, 23, 15, 16, 17}));
  putPart({2, 4, 3}, rows(3, 1), 2, part.data(), back.data());
  takePart({2, 4, 3}, rows(0, 2), 2, whole.data(), part.data());
  putPart({2, 4, 3}, rows(0, 2), 2, part.data(), back.data());
  EXPECT_EQ(back, whole);
  // Two dimensions at once, and nothing at all.
  takePart({2, 4, 3}, {{1}, {2, 3}, {0, 2}}, 2, whole.data(), part.data());
  EXPECT_EQ(std::vector<int16_t>(part.begin(), part.begin() + 4),
            (std::vector<int16_t>{18, 20, 21, 23}));
  takePart({0, 4}, {{}, {0}}, 2, whole.data(), part.data());
}

} // namespace
} // namespace ds
