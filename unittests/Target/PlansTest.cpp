//===- PlansTest.cpp - Products by strides against loops --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every planner computes what the loops say, in any layout, with and without what is there already,
// and writes nothing else. Values are small integers, so every order of adding gives the same bits.
//
//===----------------------------------------------------------------------===//
#include "PlanFixture.h"

#include <numeric>

using namespace ds;

namespace {

/// A contraction over loops of each class, whose operands lie in an order of their own, with gaps.
struct Example {
  StridedContraction contraction;
  int64_t lhsElements = 0, rhsElements = 0, outElements = 0;
};

Example makeExample(std::mt19937 &random) {
  Example example;
  StridedContraction &c = example.contraction;
  auto below = [&](int n) { return static_cast<int64_t>(random() % n); };
  // Which operands each loop moves: batch, rows, columns, depth.
  const bool moves[4][3] = {
      {true, true, true}, {true, false, true}, {false, true, true}, {true, true, false}};
  std::vector<int> classes;
  const int64_t most[4] = {2, 2, 2, 3};
  for (int loopClass = 0; loopClass < 4; ++loopClass)
    for (int64_t n = below(most[loopClass]) + (loopClass > 0); n > 0; --n)
      classes.push_back(loopClass);
  std::shuffle(classes.begin(), classes.end(), random);
  for (size_t i = 0; i < classes.size(); ++i)
    c.sizes.push_back(1 + below(7));
  std::vector<int64_t> *strides[] = {&c.lhs, &c.rhs, &c.out};
  int64_t *offsets[] = {&c.lhsOffset, &c.rhsOffset, &c.outOffset};
  int64_t *elements[] = {&example.lhsElements, &example.rhsElements, &example.outElements};
  for (int operand = 0; operand < 3; ++operand) {
    strides[operand]->assign(classes.size(), 0);
    std::vector<size_t> order(classes.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    int64_t next = 1 + (below(6) == 0);
    for (size_t loop : order)
      if (moves[classes[loop]][operand]) {
        (*strides[operand])[loop] = next;
        next = next * c.sizes[loop] + (below(4) == 0 ? below(3) : 0);
      }
    *offsets[operand] = below(3) == 0 ? below(9) : 0;
    *elements[operand] = *offsets[operand] + next + 8;
  }
  c.accumulate = below(2) == 0;
  return example;
}

Values loops(const Example &example, const Values &lhs, const Values &rhs, Values out) {
  const StridedContraction &c = example.contraction;
  int64_t rounds = 1;
  for (int64_t size : c.sizes)
    rounds *= size;
  auto place = [&](const std::vector<int64_t> &strides, int64_t offset, int64_t round) {
    for (size_t d = c.sizes.size(); d-- > 0; round /= c.sizes[d])
      offset += round % c.sizes[d] * strides[d];
    return offset;
  };
  if (!c.accumulate)
    for (int64_t i = 0; i < rounds; ++i)
      out[place(c.out, c.outOffset, i)] = 0;
  for (int64_t i = 0; i < rounds; ++i)
    out[place(c.out, c.outOffset, i)] +=
        lhs[place(c.lhs, c.lhsOffset, i)] * rhs[place(c.rhs, c.rhsOffset, i)];
  return out;
}

template <typename Plan> void expectLikeLoops(Plan makePlan, int atLeast) {
  std::mt19937 random(11);
  int planned = 0;
  for (int i = 0; i < 400 && !testing::Test::HasFailure(); ++i) {
    Example example = makeExample(random);
    Values lhs = integers(random, example.lhsElements), rhs = integers(random, example.rhsElements),
           out = integers(random, example.outElements);
    std::unique_ptr<LibraryPlan> plan = makePlan(example.contraction);
    if (!plan)
      continue;
    ++planned;
    EXPECT_EQ(run(*plan, lhs, rhs, out), loops(example, lhs, rhs, out)) << "example " << i;
  }
  EXPECT_GE(planned, atLeast);
}

TEST(Plans, SingleProductsAreTheLoops) {
  expectLikeLoops(
      [](const StridedContraction &contraction) {
        double cost = 0;
        return planGemm(contraction, cost);
      },
      400);
}

TEST(Plans, ContractionsAreTheLoops) { expectLikeLoops(planContraction, 400); }

// Only layouts and CPUs on which the primitive is faster have one.
TEST(Plans, BatchedProductsAreTheLoops) { expectLikeLoops(planMatmul, 0); }

/// out[i, j] += sum over k of lhs[k, i] * rhs[k, j], where no operand has a unit stride.
TEST(Plans, AnUnpackedProductAddsToWhatIsThere) {
  Example example;
  StridedContraction &c = example.contraction;
  c.sizes = {16, 16, 16};
  c.lhs = {2, 0, 32}, c.rhs = {0, 2, 32}, c.out = {32, 2, 0};
  example.lhsElements = example.rhsElements = example.outElements = 16 * 32;
  Values lhs(16 * 32, 1), rhs(16 * 32, 2), out(16 * 32, 3);
  for (bool accumulate : {false, true}) {
    c.accumulate = accumulate;
    double cost = 0;
    Values result = run(*planGemm(c, cost), lhs, rhs, out);
    EXPECT_EQ(result, loops(example, lhs, rhs, out));
    EXPECT_EQ(result[0], accumulate ? 35 : 32);
    EXPECT_EQ(result[1], 3) << "what lies between";
  }
}

} // namespace
