//===- CollectivesTest.cpp - Compiled steps on several ranks ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks are threads that run instances of one compiled step. Rank r contributes 10^r, so that the
// sum shows who took part.
//
//===----------------------------------------------------------------------===//
#include "StepFixture.h"

#include "dsrt/dsrt.h"

#include <cmath>
#include <thread>

using namespace ds;

namespace {

using Values = std::vector<float>;

/// One instance per rank, each with its context; `prepare` runs before and `check` after the steps,
/// on this thread.
struct World {
  World(const CompiledStep &step, int ranks) : contexts(ranks) {
    EXPECT_EQ(dsrt_local_world_create(ranks, nullptr, contexts.data()), DSRT_OK);
    for (int rank = 0; rank < ranks; ++rank)
      instances.push_back(step.instantiate());
  }
  ~World() {
    for (dsrt_context *context : contexts)
      dsrt_shutdown(context);
  }
  void run(int steps = 1) {
    std::vector<std::thread> threads;
    for (size_t rank = 0; rank < instances.size(); ++rank)
      threads.emplace_back([&, rank] {
        for (int i = 0; i < steps; ++i)
          instances[rank]->run(contexts[rank]);
      });
    for (std::thread &thread : threads)
      thread.join();
  }
  std::vector<dsrt_context *> contexts;
  std::vector<std::unique_ptr<StepInstance>> instances;
};

float power(int rank) { return std::pow(10.0f, rank); }

class Collectives : public testing::TestWithParam<int> {};

TEST_P(Collectives, OneCallReducesTwoTensorsInPlace) {
  auto step = compileText(R"(
func.func @step(%a: tensor<3xf32> {ds.state = "a"}, %b: tensor<2x2xf32> {ds.state = "b"})
    -> (tensor<3xf32> {ds.updates = "a"}, tensor<2x2xf32> {ds.updates = "b"}) {
  %r:2 = ds.all_reduce sum %a, %b : tensor<3xf32>, tensor<2x2xf32>
  return %r#0, %r#1 : tensor<3xf32>, tensor<2x2xf32>
})");
  ASSERT_TRUE(step);
  int ranks = GetParam();
  World world(*step, ranks);
  float sum = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    set(*world.instances[rank], 0, Values(3, power(rank)));
    set(*world.instances[rank], 1, Values(4, 2 * power(rank)));
    sum += power(rank);
  }
  world.run();
  for (int rank = 0; rank < ranks; ++rank) {
    EXPECT_EQ(argument(*world.instances[rank], 0, 3), Values(3, sum));
    EXPECT_EQ(argument(*world.instances[rank], 1, 4), Values(4, 2 * sum));
    EXPECT_FALSE(dsrt_failed(world.contexts[rank])) << dsrt_last_error(world.contexts[rank]);
  }
}

TEST_P(Collectives, ReducedInputIsNotOverwrittenWhileItLives) {
  auto step = compileText(R"(
#v = affine_map<(d0) -> (d0)>
func.func @step(%s: tensor<4xf32> {ds.state = "s"}, %x: tensor<4xf32> {ds.batch = 0 : i64})
    -> (tensor<4xf32> {ds.updates = "s"}) {
  %r = ds.all_reduce sum %x : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %d = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%r, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<4xf32>
  return %d : tensor<4xf32>
})");
  ASSERT_TRUE(step);
  int ranks = GetParam();
  World world(*step, ranks);
  float sum = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    set(*world.instances[rank], 1, Values(4, power(rank)));
    sum += power(rank);
  }
  world.run(2);
  for (int rank = 0; rank < ranks; ++rank) {
    EXPECT_EQ(argument(*world.instances[rank], 1, 4), Values(4, power(rank)))
        << "the batch was overwritten";
    EXPECT_EQ(argument(*world.instances[rank], 0, 4), Values(4, sum - power(rank)));
  }
}

TEST_P(Collectives, RankAndNumberOfRanksAreKnown) {
  auto step = compileText(R"(
func.func @step(%s: tensor<2xi64> {ds.state = "s"}) -> (tensor<2xi64> {ds.updates = "s"}) {
  %r = ds.rank : index
  %n = ds.num_ranks : index
  %ri = arith.index_cast %r : index to i64
  %ni = arith.index_cast %n : index to i64
  %t = tensor.from_elements %ri, %ni : tensor<2xi64>
  return %t : tensor<2xi64>
})");
  ASSERT_TRUE(step);
  World world(*step, GetParam());
  world.run();
  for (int rank = 0; rank < GetParam(); ++rank)
    EXPECT_EQ(argument<int64_t>(*world.instances[rank], 0, 2),
              (std::vector<int64_t>{rank, GetParam()}));
}

TEST_P(Collectives, StartedReductionIsCompleteAfterItsWait) {
  auto step = compileText(R"(
#v = affine_map<(d0) -> (d0)>
func.func @step(%a: tensor<4xf32> {ds.state = "a"}, %b: tensor<4xf32> {ds.state = "b"})
    -> (tensor<4xf32> {ds.updates = "a"}, tensor<4xf32> {ds.updates = "b"}) {
  %t, %p = ds.all_reduce_start sum %a : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %d = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%b : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %c = arith.addf %x, %x : f32
    linalg.yield %c : f32
  } -> tensor<4xf32>
  %r = ds.wait %p, %t : tensor<4xf32>
  return %r, %d : tensor<4xf32>, tensor<4xf32>
})");
  ASSERT_TRUE(step);
  int ranks = GetParam();
  World world(*step, ranks);
  float sum = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    set(*world.instances[rank], 0, Values(4, power(rank)));
    set(*world.instances[rank], 1, Values(4, 1));
    sum += power(rank);
  }
  world.run();
  for (int rank = 0; rank < ranks; ++rank) {
    EXPECT_EQ(argument(*world.instances[rank], 0, 4), Values(4, sum));
    EXPECT_EQ(argument(*world.instances[rank], 1, 4), Values(4, 2));
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, Collectives, testing::Values(1, 2, 4),
                         testing::PrintToStringParamName());

TEST(CollectivesOfGroups, EachGroupSumsItsOwn) {
  auto step = compileText(R"(
func.func @step(%a: tensor<2xf32> {ds.state = "a"}) -> (tensor<2xf32> {ds.updates = "a"}) {
  %rank = ds.rank : index
  %c2 = arith.constant 2 : index
  %low = arith.cmpi ult, %rank, %c2 : index
  %r = scf.if %low -> tensor<2xf32> {
    %s = ds.all_reduce sum %a {group = array<i64: 0, 1>} : tensor<2xf32>
    scf.yield %s : tensor<2xf32>
  } else {
    %s = ds.all_reduce sum %a {group = array<i64: 2, 3>} : tensor<2xf32>
    scf.yield %s : tensor<2xf32>
  }
  return %r : tensor<2xf32>
})");
  ASSERT_TRUE(step);
  World world(*step, 4);
  for (int rank = 0; rank < 4; ++rank)
    set(*world.instances[rank], 0, Values(2, power(rank)));
  world.run();
  for (int rank = 0; rank < 4; ++rank)
    EXPECT_EQ(argument(*world.instances[rank], 0, 2), Values(2, rank < 2 ? 11 : 1100))
        << "rank " << rank;
}

TEST(CollectivesAfterFailure, WhileEndsAfterAFailure) {
  // Without the check the loop would never end: the failed collective leaves the flag at one.
  auto step = compileText(R"(
func.func @step(%a: tensor<f32> {ds.state = "a"}) -> (tensor<f32> {ds.updates = "a"}) {
  %zero = arith.constant 0.0 : f32
  %r = scf.while (%x = %a) : (tensor<f32>) -> tensor<f32> {
    %v = tensor.extract %x[] : tensor<f32>
    %go = arith.cmpf ogt, %v, %zero : f32
    scf.condition(%go) %x : tensor<f32>
  } do {
  ^bb0(%x: tensor<f32>):
    %s = ds.all_reduce sum %x : tensor<f32>
    scf.yield %s : tensor<f32>
  }
  return %r : tensor<f32>
})");
  ASSERT_TRUE(step);
  World world(*step, 2);
  set(*world.instances[0], 0, {1.0f});
  dsrt_abort(world.contexts[1], "the test ends this world");
  world.instances[0]->run(world.contexts[0]);
  EXPECT_TRUE(dsrt_failed(world.contexts[0]));
}

} // namespace
