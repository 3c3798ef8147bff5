//===- ManifestTest.cpp - Roles of a step as plain data ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StepFixture.h"

using namespace ds;

namespace {

const char *const kStep = R"(
func.func @train(%w: tensor<4xf32> {ds.param = "w", ds.init = "ones"}, %s: tensor<4xf32> {ds.state = "mean"},
    %m: tensor<4xf32> {ds.state = "momentum"}, %x: tensor<8x4xf32> {ds.batch = 0 : i64, ds.layout = "cyclic", ds.name = "x"},
    %k: tensor<2xi32> {ds.seed}, %f: tensor<i1> {ds.name = "flag"}, %lr: tensor<f32>)
    -> (tensor<4xf32> {ds.updates = "w"}, tensor<4xf32> {ds.updates = "mean"}, tensor<4xf32> {ds.updates = "momentum"},
        tensor<4xf32> {ds.metric = "loss", ds.reduce = "sum"}) {
  %e = tensor.empty() : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<4xf32>
  %g = ds.all_reduce sum %sum : tensor<4xf32>
  %nm = arith.addf %m, %g : tensor<4xf32>
  %nw = arith.subf %w, %nm : tensor<4xf32>
  %ns = arith.addf %s, %sum : tensor<4xf32>
  return %nw, %ns, %nm, %g : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
)";

TEST(ManifestOfAStep, IsAllThatRolesAreFor) {
  // A role that reaches LLVM's translation costs a warning.
  EXPECT_EQ(compileMessages(kStep), std::vector<std::string>());
}

TEST(ManifestOfAStep, SaysWhatEverySlotIs) {
  auto step = compileText(kStep);
  ASSERT_TRUE(step);
  const Manifest &manifest = step->manifest();
  EXPECT_EQ(manifest.entry, "train");
  EXPECT_FALSE(manifest.global);
  ASSERT_EQ(manifest.arguments.size(), 7u);
  const ArgumentRole roles[] = {ArgumentRole::parameter,     ArgumentRole::state,
                                ArgumentRole::state,         ArgumentRole::batch,
                                ArgumentRole::seed,          ArgumentRole::hyperparameter,
                                ArgumentRole::hyperparameter};
  const char *const names[] = {"w", "mean", "momentum", "x", "arg4", "flag", "arg6"};
  for (size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(manifest.arguments[i].role, roles[i]) << i;
    EXPECT_EQ(manifest.arguments[i].name, names[i]);
  }
  EXPECT_EQ(manifest.arguments[0].init, "ones");
  EXPECT_EQ(manifest.arguments[3].batchDim, 0);
  ASSERT_TRUE(alongFirstAxis(manifest.arguments[3].shards));
  EXPECT_EQ(alongFirstAxis(manifest.arguments[3].shards)->a, 8);
  EXPECT_EQ(alongFirstAxis(manifest.arguments[3].shards)->b, 1);
  EXPECT_EQ(manifest.arguments[5].type, ElementType::i1);
  ASSERT_EQ(manifest.results.size(), 4u);
  EXPECT_EQ(manifest.results[2].updates, 2u);
  EXPECT_TRUE(manifest.results[3].isMetric);
  EXPECT_EQ(manifest.results[3].reduce, "sum");
  EXPECT_FALSE(manifest.results[3].updates);
}

TEST(ManifestOfAStep, NamesStatesThatDifferByRank) {
  auto step = compileText(
      std::string("module attributes {ds.config = #ds.config<local_state = per_rank>} {") + kStep +
      "}");
  ASSERT_TRUE(step);
  EXPECT_EQ(step->manifest().arguments[1].localState, "per_rank");
  EXPECT_EQ(step->manifest().arguments[2].localState, "")
      << "the momentum depends on reduced gradients only";
}

/// An argument that is not set, such as the seed of an evaluation, is zero, also in memory that has
/// been another instance's.
TEST(InstanceOfAStep, BeginsWithZeroes) {
  auto step = compileText(R"(
#v = affine_map<(d0) -> (d0)>
func.func @step(%a: tensor<3xf32>, %w: tensor<1000003xf32> {ds.param = "w"}, %b: tensor<5xf32>)
    -> (tensor<1000003xf32> {ds.updates = "w"}, tensor<5xf32>) {
  %e = tensor.empty() : tensor<5xf32>
  %n = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%b : tensor<5xf32>) outs(%e : tensor<5xf32>) {
  ^bb0(%p: f32, %o: f32):
    %d = arith.addf %p, %p : f32
    linalg.yield %d : f32
  } -> tensor<5xf32>
  return %w, %n : tensor<1000003xf32>, tensor<5xf32>
})");
  ASSERT_TRUE(step);
  std::vector<size_t> sizes = {3, 1000003, 5};
  for (int round = 0; round < 3; ++round) {
    auto instance = step->instantiate();
    for (unsigned slot = 0; slot < sizes.size(); ++slot) {
      EXPECT_EQ(argument(*instance, slot, sizes[slot]), std::vector<float>(sizes[slot]));
      set(*instance, slot, std::vector<float>(sizes[slot], 7.0f));
    }
    EXPECT_EQ(result(*instance, 1, 5), std::vector<float>(5));
  }
}

} // namespace
