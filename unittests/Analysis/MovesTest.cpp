//===- MovesTest.cpp - Moves between placements, and their price ----------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bodies.h"

#include "ds/Analysis/Reshard.h"

using namespace ds;
using namespace ds::test;
using namespace mlir;

namespace {

Placement shard(int64_t dim, int64_t a, int64_t b) { return Placement::sharded({dim, a, b}); }

TEST(Moves, FollowFromTheTwoPlacements) {
  const Placement whole = Placement::replicated(), sum = Placement::partial(ReductionKind::Sum);
  EXPECT_EQ(getMove(whole, whole, 2), Move::None);
  EXPECT_EQ(getMove(shard(0, 1, 4), shard(0, 1, 4), 2), Move::None);
  EXPECT_EQ(getMove(whole, shard(0, 1, 4), 2), Move::Slice);
  EXPECT_EQ(getMove(shard(0, 1, 4), whole, 2), Move::AllGather);
  EXPECT_EQ(getMove(sum, whole, 2), Move::AllReduce);
  EXPECT_EQ(getMove(sum, shard(0, 1, 4), 2), Move::ReduceScatter);
  EXPECT_EQ(getMove(shard(0, 1, 4), shard(1, 3, 2), 2), Move::AllToAll);
  EXPECT_EQ(getMove(shard(0, 2, 3), shard(1, 3, 2), 5), Move::AllToAll);
}

// Of every rank's shard each rank has a part of one size: so only can equal blocks be exchanged.
TEST(Moves, ExchangeWithinADimensionWhereAllBlocksAreEqual) {
  int exchanged = 0, gathered = 0;
  for (int64_t size : {8, 12, 24, 36})
    for (int64_t n : {2, 3, 4})
      for (int64_t b = 1; b <= size; ++b)
        for (int64_t c = 1; c <= size; ++c) {
          if (b == c || size % (n * b) != 0 || size % (n * c) != 0)
            continue;
          Move move = getMove(shard(0, size / (n * b), b), shard(0, size / (n * c), c), n);
          ASSERT_TRUE(move == Move::AllToAll || move == Move::GatherAndSlice);
          (move == Move::AllToAll ? exchanged : gathered) += 1;
          if (move == Move::GatherAndSlice)
            continue;
          std::map<std::pair<int64_t, int64_t>, int64_t> common;
          for (int64_t i = 0; i < size; ++i)
            ++common[{i / b % n, i / c % n}];
          ASSERT_EQ(static_cast<int64_t>(common.size()), n * n) << size << " " << b << " " << c;
          for (auto [ranks, count] : common)
            EXPECT_EQ(count * n * n, size) << size << " " << b << " " << c;
        }
  EXPECT_GT(exchanged, 20);
  EXPECT_GT(gathered, 20);
}

// 18 x 2 numbers on three ranks: 12 in each shard, in three blocks.
TEST(Moves, HaveTheBytesThatEachRankSends) {
  for (auto [type, bytes] : {std::pair("f32", 4), std::pair("bf16", 2)}) {
    OwningOpRef<ModuleOp> module = parse(std::string("%x: tensor<18x2x") + type + ">",
                                         std::string("return %x : tensor<18x2x") + type + ">\n",
                                         std::string("tensor<18x2x") + type + ">");
    ASSERT_TRUE(module);
    func::FuncOp step = *module->getOps<func::FuncOp>().begin();
    StepFlow flow(step);
    auto sent = [&](Move move) { return getPrice(flow, step.getArgument(0), move, 3).sent; };
    EXPECT_EQ(sent(Move::None), 0);
    EXPECT_EQ(sent(Move::Slice), 0);
    EXPECT_EQ(sent(Move::AllGather), 2 * 12 * bytes);
    EXPECT_EQ(sent(Move::GatherAndSlice), 2 * 12 * bytes);
    // One of the blocks is its own.
    EXPECT_EQ(sent(Move::AllToAll), 2 * 4 * bytes);
    // What is combined travels as f32.
    EXPECT_EQ(sent(Move::ReduceScatter), 2 * 12 * 4);
    EXPECT_EQ(sent(Move::AllReduce), 2 * 2 * 12 * 4);
    EXPECT_EQ(getPrice(flow, step.getArgument(0), Move::AllToAll, 3).calls, 1);
    EXPECT_EQ(getPrice(flow, step.getArgument(0), Move::Slice, 3).calls, 0);
  }
}

} // namespace
