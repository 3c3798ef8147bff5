//===- StrategySearchTest.cpp - Bound <= optimum <= plan ------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Plan/StrategySearch.h"

#include "gtest/gtest.h"

#include <limits>
#include <random>

using namespace ds;

namespace {

/// Of at most 7 variables with at most 5 labels, some of which must not meet.
StrategyModel makeModel(std::mt19937_64 &random) {
  auto pick = [&](uint64_t below) { return static_cast<int64_t>(random() % below); };
  StrategyModel model;
  unsigned variables = 1 + pick(7);
  int64_t scale = int64_t(1) << pick(30);
  auto costs = [&](size_t count) {
    std::vector<int64_t> made(count);
    for (int64_t &cost : made)
      cost = pick(8) == 0 ? StrategyModel::forbidden : pick(10) * scale + pick(3);
    return made;
  };
  for (unsigned i = 0; i < variables; ++i) {
    std::vector<int64_t> own = costs(1 + pick(5));
    own.front() = pick(scale);
    model.addVariable(std::move(own));
  }
  unsigned density = 1 + pick(4);
  for (unsigned i = 0; i < variables; ++i)
    for (unsigned j = 0; j < variables; ++j)
      if (i != j && pick(4) < density)
        model.addPair(i, j, costs(model.costs(i).size() * model.costs(j).size()));
  return model;
}

int64_t bruteForce(const StrategyModel &model) {
  std::vector<unsigned> labels(model.size());
  int64_t least = std::numeric_limits<int64_t>::max();
  while (true) {
    least = std::min(least, model.costOf(labels));
    unsigned i = 0;
    while (i < model.size() && ++labels[i] == model.costs(i).size())
      labels[i++] = 0;
    if (i == model.size())
      return least;
  }
}

void compare(unsigned models, const SearchOptions &options, unsigned &proven, unsigned &best) {
  std::mt19937_64 random(options.largestTable);
  proven = best = 0;
  for (unsigned i = 0; i < models; ++i) {
    StrategyModel model = makeModel(random);
    int64_t optimum = bruteForce(model);
    std::optional<Strategy> found = searchStrategy(model, options);
    if (optimum >= StrategyModel::forbidden) {
      ASSERT_FALSE(found) << "model " << i;
      ++proven, ++best;
      continue;
    }
    if (!found) // where tables are small a choice that is allowed may be missed
      continue;
    ASSERT_EQ(found->cost, model.costOf(found->labels)) << "model " << i;
    ASSERT_LE(found->bound, optimum) << "model " << i;
    ASSERT_LE(optimum, found->cost) << "model " << i;
    proven += found->bound == found->cost;
    best += found->cost == optimum;
  }
}

TEST(StrategySearch, IsExactWhereTablesFit) {
  unsigned proven, best;
  compare(50000, {}, proven, best);
  EXPECT_EQ(proven, 50000u);
  EXPECT_EQ(best, 50000u);
}

/// Tables of 30 entries hold little more than pairs, so that the bound has to do it.
TEST(StrategySearch, BoundsWhereTablesDoNotFit) {
  unsigned proven, best;
  compare(50000, {30}, proven, best);
  EXPECT_GE(proven, 48500u);
  EXPECT_GE(best, 49600u);
}

/// What the best choice costs that has a label: of each label of a variable, and none is below the
/// best of all.
TEST(StrategySearch, FindsTheBestChoiceWithEachLabel) {
  std::mt19937_64 random(3);
  for (unsigned i = 0; i < 2000; ++i) {
    StrategyModel model = makeModel(random);
    int64_t optimum = bruteForce(model), least = StrategyModel::forbidden;
    unsigned variable = i % model.size();
    for (unsigned label = 0; label < model.costs(variable).size(); ++label) {
      StrategyModel with = model.restricted(variable, {label});
      std::optional<Strategy> found = searchStrategy(with);
      ASSERT_EQ(found ? found->cost : StrategyModel::forbidden,
                std::min(bruteForce(with), StrategyModel::forbidden));
      if (found) {
        ASSERT_EQ(found->labels[variable], label);
        ASSERT_EQ(found->bound, found->cost);
        least = std::min(least, found->cost);
      }
    }
    ASSERT_EQ(least, std::min(optimum, StrategyModel::forbidden)) << "model " << i;
  }
}

TEST(StrategySearch, IsNeverDearerThanOnePass) {
  std::mt19937_64 random(5);
  unsigned alike = 0;
  for (unsigned i = 0; i < 5000; ++i) {
    StrategyModel model = makeModel(random);
    std::optional<Strategy> quick = searchQuickly(model);
    // A third of them with tables too small for elimination.
    std::optional<Strategy> found =
        searchStrategy(model, i % 3 ? SearchOptions() : SearchOptions{30});
    if (!quick)
      continue;
    ASSERT_EQ(quick->cost, model.costOf(quick->labels));
    ASSERT_TRUE(found) << "model " << i;
    ASSERT_LE(found->cost, quick->cost) << "model " << i;
    ASSERT_EQ(quick->bound, 0);
    alike += found->cost == quick->cost;
  }
  EXPECT_GE(alike, 4000u);
}

TEST(StrategySearch, AddsUpWhatIsSaidTwice) {
  StrategyModel model;
  model.addVariable({0, 5});
  model.addVariable({0, 5});
  model.addPair(0, 1, {20, 0, 0, 0});
  model.addPair(1, 0, {0, 0, 0, 30});
  std::optional<Strategy> found = searchStrategy(model);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->cost, 5);
  EXPECT_EQ(found->bound, 5);
}

/// A grid of 400 variables is too wide for tables; what was found there must not depend on anything
/// but the model.
TEST(StrategySearch, IsTheSameEachTime) {
  auto solve = [] {
    std::mt19937_64 random(7);
    StrategyModel model;
    auto costs = [&](size_t count) {
      std::vector<int64_t> made(count);
      for (int64_t &cost : made)
        cost = random() % 1000000;
      return made;
    };
    for (unsigned i = 0; i < 400; ++i)
      model.addVariable(costs(6));
    for (unsigned i = 0; i < 400; ++i) {
      if (i % 20 != 19)
        model.addPair(i, i + 1, costs(36));
      if (i + 20 < 400)
        model.addPair(i, i + 20, costs(36));
    }
    return *searchStrategy(model, {1 << 12});
  };
  Strategy first = solve(), second = solve();
  EXPECT_EQ(first.labels, second.labels);
  EXPECT_EQ(first.bound, second.bound);
  EXPECT_LE(first.bound, first.cost);
  EXPECT_GT(first.bound * 100, first.cost * 97);
}

} // namespace
