//===- BatchTest.cpp - Rows of a step ---------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Manifests as the compiler makes them in both semantics.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Batch.h"

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
  argument.layout = layout;
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

TEST(Batch, RowsFollowTheSemantics) {
  using Rows = std::vector<int64_t>;
  Manifest manifest;
  EXPECT_EQ(rowsOf(manifest, std::nullopt, 1, 2, 6), (Rows{3, 4, 5}));
  manifest.global = true;
  EXPECT_EQ(rowsOf(manifest, ShardLayout{0, 3, 1}, 1, 2, 6), (Rows{1, 3, 5}));
  EXPECT_EQ(rowsOf(manifest, std::nullopt, 1, 2, 3), (Rows{0, 1, 2}));
}

TEST(Batch, TakingAndPuttingRowsAreInverse) {
  // 2 x 4 x 3, rows along the middle dimension.
  std::vector<int16_t> whole(24), part(12), back(24, -1);
  for (int i = 0; i < 24; ++i)
    whole[i] = i;
  takeRows({2, 4, 3}, 1, 2, {3, 1}, whole.data(), part.data());
  EXPECT_EQ(part, (std::vector<int16_t>{9, 10, 11, 3, 4, 5, 21, 22, 23, 15, 16, 17}));
  putRows({2, 4, 3}, 1, 2, {3, 1}, part.data(), back.data());
  takeRows({2, 4, 3}, 1, 2, {0, 2}, whole.data(), part.data());
  putRows({2, 4, 3}, 1, 2, {0, 2}, part.data(), back.data());
  EXPECT_EQ(back, whole);
}

} // namespace
} // namespace ds
