//===- MinimumCutTest.cpp - The cut on graphs small enough to enumerate ---===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases by hand, and random graphs of ten vertices against all 1024 vertex subsets.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/Cut/MinimumCut.h"

#include "gtest/gtest.h"

#include <random>
#include <set>

using ds::MinimumCut;

namespace {

TEST(MinimumCut, OneBirthWithOneNeedIsCutAtTheBirth) {
  MinimumCut cut;
  unsigned birth = cut.addVertex(8), later = cut.addVertex(8);
  cut.addSource(birth);
  cut.addEdge(birth, later);
  cut.addSink(later);
  cut.solve();
  EXPECT_EQ(cut.cut(), std::vector<unsigned>{birth});
  EXPECT_EQ(cut.value(), 8);
  EXPECT_TRUE(cut.isBeforeCut(birth));
  EXPECT_FALSE(cut.isBeforeCut(later));
}

TEST(MinimumCut, TwoBirthsAreCutAfterTheirSum) {
  MinimumCut cut;
  unsigned x = cut.addVertex(8), y = cut.addVertex(8), sum = cut.addVertex(8);
  cut.addSource(x);
  cut.addSource(y);
  cut.addEdge(x, sum);
  cut.addEdge(y, sum);
  cut.addSink(sum);
  cut.solve();
  EXPECT_EQ(cut.cut(), std::vector<unsigned>{sum});
}

TEST(MinimumCut, ASmallerValueLaterIsCheaper) {
  MinimumCut cut;
  unsigned birth = cut.addVertex(100), cast = cut.addVertex(50);
  cut.addSource(birth);
  cut.addEdge(birth, cast);
  cut.addSink(cast);
  cut.solve();
  EXPECT_EQ(cut.cut(), std::vector<unsigned>{cast});
}

TEST(MinimumCut, ABirthWithoutNeedIsNotCut) {
  MinimumCut cut;
  unsigned birth = cut.addVertex(8);
  cut.addSource(birth);
  cut.solve();
  EXPECT_TRUE(cut.cut().empty());
  EXPECT_TRUE(cut.isBeforeCut(birth));
}

TEST(MinimumCut, ACycleOfALoopIsFine) {
  MinimumCut cut;
  unsigned birth = cut.addVertex(80), accumulator = cut.addVertex(80), after = cut.addVertex(8);
  cut.addSource(birth);
  cut.addEdge(birth, accumulator);
  cut.addEdge(accumulator, accumulator);
  cut.addEdge(accumulator, after);
  cut.addSink(after);
  cut.solve();
  EXPECT_EQ(cut.cut(), std::vector<unsigned>{after});
}

/// The cheapest vertex set that separates, by trying all.
int64_t bruteForce(const std::vector<int64_t> &capacity,
                   const std::vector<std::pair<unsigned, unsigned>> &edges,
                   const std::set<unsigned> &sources, const std::set<unsigned> &sinks) {
  unsigned n = capacity.size();
  int64_t best = INT64_MAX;
  for (unsigned subset = 0; subset < (1u << n); ++subset) {
    std::vector<bool> reached(n);
    for (unsigned s : sources)
      reached[s] = true;
    for (unsigned round = 0; round < n; ++round)
      for (auto [from, to] : edges)
        if (reached[from] && !(subset >> from & 1))
          reached[to] = true;
    bool separates = true;
    for (unsigned t : sinks)
      separates &= !reached[t] || (subset >> t & 1);
    int64_t cost = 0;
    for (unsigned v = 0; v < n; ++v)
      cost += subset >> v & 1 ? capacity[v] : 0;
    if (separates)
      best = std::min(best, cost);
  }
  return best;
}

TEST(MinimumCut, EqualsExhaustiveSearchOnRandomGraphs) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    MinimumCut cut;
    std::vector<int64_t> capacity;
    std::vector<std::pair<unsigned, unsigned>> edges;
    std::set<unsigned> sources, sinks;
    for (unsigned v = 0; v < 10; ++v) {
      capacity.push_back(1 + random() % 20);
      cut.addVertex(capacity.back());
    }
    for (unsigned e = 0; e < 18; ++e) {
      edges.push_back({random() % 10, random() % 10});
      cut.addEdge(edges.back().first, edges.back().second);
    }
    for (unsigned k = 0; k < 2; ++k) {
      sources.insert(random() % 5);
      sinks.insert(5 + random() % 5);
    }
    for (unsigned s : sources)
      cut.addSource(s);
    for (unsigned t : sinks)
      cut.addSink(t);
    cut.solve();
    EXPECT_EQ(cut.value(), bruteForce(capacity, edges, sources, sinks)) << "seed " << seed;
    int64_t cost = 0;
    for (unsigned v : cut.cut())
      cost += capacity[v];
    EXPECT_EQ(cost, cut.value()) << "seed " << seed;
  }
}

TEST(MinimumCut, FollowsASumOverManyMicrobatches) {
  // Every sum takes the one before and a gradient of its own; only the last is cut. The path is
  // longer than a stack of calls could be.
  MinimumCut cut;
  unsigned last = cut.addVertex(4);
  cut.addSource(last);
  for (unsigned i = 0; i < 200000; ++i) {
    unsigned gradient = cut.addVertex(4), sum = cut.addVertex(4);
    cut.addSource(gradient);
    cut.addEdge(gradient, sum);
    cut.addEdge(last, sum);
    last = sum;
  }
  cut.addSink(last);
  cut.solve();
  EXPECT_EQ(cut.value(), 4);
  EXPECT_EQ(cut.cut(), std::vector<unsigned>{last});
}

} // namespace
