//===- SweepTest.cpp - Placements of one step, found twice ----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bodies.h"

#include "ds/Analysis/Cut/ReductionPlan.h"

using namespace ds;
using namespace ds::test;
using namespace mlir;

namespace {

struct Swept {
  Swept() {
    module = parse("%x: tensor<4x4xf32>",
                   "%c0 = arith.constant 0 : index\n"
                   "%c1 = arith.constant 1 : index\n"
                   "%zero = arith.constant dense<0.0> : tensor<4x4xf32>\n"
                   "%h = scf.for %i = %c0 to %c1 step %c1 iter_args(%now = %zero) -> "
                   "tensor<4x4xf32> {\n"
                   "  %next = arith.addf %x, %x : tensor<4x4xf32>\n"
                   "  scf.yield %next : tensor<4x4xf32>\n"
                   "}\n"
                   "%e = math.exp %h : tensor<4x4xf32>\n"
                   "return %e : tensor<4x4xf32>\n",
                   "tensor<4x4xf32>");
    step = *module->getOps<func::FuncOp>().begin();
  }
  StepPlacement place(std::optional<Sharding> argument,
                      const LoopCarriedJoins &decided = LoopCarriedJoins()) {
    ReplicaGroup ranks(2);
    ranks.dividesBatch = false;
    StepBoundary boundary;
    if (argument)
      boundary.arguments[step.getArgument(0)] = *argument;
    boundary.decided = decided;
    return placeStep(StepFlow(step), ranks, boundary);
  }

  OwningOpRef<ModuleOp> module;
  func::FuncOp step;
};

ReductionPlan plannedFor(const StepPlacement &placement) {
  ReductionPlan plan;
  plan.placement = placement;
  return plan;
}

constexpr Sharding rows{0, 1, 2}, columns{1, 1, 2};

TEST(Sweep, FindsWhatIsShardedOtherwiseThanPlanned) {
  Swept swept;
  StepFlow flow(swept.step);
  StepPlacement byRows = swept.place(rows), byColumns = swept.place(columns),
                whole = swept.place(std::nullopt);
  EXPECT_FALSE(findChanged(flow, plannedFor(byRows), byRows));
  for (auto *other : {&byColumns, &whole})
    for (auto [planned, now] : {std::pair(&byRows, other), std::pair(other, &byRows)})
      EXPECT_TRUE(findChanged(flow, plannedFor(*planned), *now));
  EXPECT_EQ(findChanged(flow, plannedFor(byRows), whole)->reason,
            "this is replicated, but reductions were planned for sharded(0, 1, 2); please report "
            "this");
}

// What is partial before the cut stays so, and is whole behind it.
TEST(Sweep, FindsWhatIsPartialOtherwiseThanPlanned) {
  Swept swept;
  StepFlow flow(swept.step);
  StepPlacement whole = swept.place(std::nullopt), partial = whole;
  Value sum = flow.step().getBody().front().getTerminator()->getOperand(0);
  partial.placements[sum] = Placement::partial(ReductionKind::Sum);
  ReductionPlan cutThere = plannedFor(partial), cutBefore = plannedFor(partial);
  cutThere.reductions.push_back({sum, ReductionKind::Sum, Purpose::Gradient, {}, {}});
  EXPECT_FALSE(findChanged(flow, cutThere, partial));
  EXPECT_TRUE(findChanged(flow, cutThere, whole));
  EXPECT_FALSE(findChanged(flow, cutBefore, whole));
  EXPECT_TRUE(findChanged(flow, cutBefore, partial));
}

TEST(Sweep, KeepsWhatControlFlowWasDecidedToBe) {
  Swept swept;
  LoopCarriedJoins decided = swept.place(rows).decided;
  EXPECT_EQ(decided.sharded.size(), 2u) << "what the loop carries, and what it makes";
  // Without the shards that led to them they hold.
  StepPlacement again = swept.place(std::nullopt, decided);
  for (auto [value, sharding] : decided.sharded)
    EXPECT_EQ(again.of(value), Placement::sharded(sharding));
}

} // namespace
