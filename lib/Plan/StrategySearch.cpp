//===- StrategySearch.cpp - The cheapest choice for all variables ---------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables with at most two neighbours are eliminated, then the others as long as tables stay
// small; this solves most steps. For the rest, moving costs gives a lower bound and suggests
// choices, and if the bound and the best choice differ, the labels that they cannot exclude are
// eliminated.
//
//===----------------------------------------------------------------------===//
#include "DualBound.h"
#include "Elimination.h"
#include "LocalMoves.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <limits>

using namespace ds;

namespace {

/// The model without the labels that no choice cheaper than `cost` can have.
struct Pruned {
  StrategyModel model;
  std::vector<std::vector<unsigned>> kept; // by variable, the labels that remain
};

Pruned prune(const StrategyModel &model, const DualBound &dual, int64_t cost) {
  Pruned pruned;
  std::vector<std::vector<int64_t>> bounds = dual.boundsOfLabels();
  for (unsigned i = 0; i < model.size(); ++i) {
    std::vector<unsigned> &kept = pruned.kept.emplace_back();
    std::vector<int64_t> costs;
    for (unsigned label = 0; label < model.costs(i).size(); ++label) {
      if (bounds[i][label] >= cost)
        continue;
      kept.push_back(label);
      costs.push_back(model.costs(i)[label]);
    }
    if (kept.empty()) { // no choice is better
      kept.push_back(0);
      costs.push_back(StrategyModel::forbidden);
    }
    pruned.model.addVariable(std::move(costs));
  }
  for (const StrategyModel::Pair &pair : model.pairs()) {
    std::vector<int64_t> costs;
    for (unsigned first : pruned.kept[pair.first])
      for (unsigned second : pruned.kept[pair.second])
        costs.push_back(model.table(pair)[first * model.costs(pair.second).size() + second]);
    pruned.model.addPair(pair.first, pair.second, std::move(costs));
  }
  return pruned;
}

/// Solves by elimination alone; none if the tables do not fit.
std::optional<Strategy> eliminateAll(const StrategyModel &model, int64_t largestTable) {
  Elimination elimination(model);
  if (!elimination.fits(largestTable))
    return std::nullopt;
  elimination.run(largestTable, std::numeric_limits<unsigned>::max());
  Strategy strategy{std::vector<unsigned>(model.size()), 0, 0};
  elimination.complete(strategy.labels);
  strategy.cost = strategy.bound = model.costOf(strategy.labels);
  return strategy;
}

constexpr unsigned roundsInVain = 8, roundsInVainQuickly = 4;
/// A sweep that closes less than this part of the gap is not worthwhile: bounds creep up for a
/// thousand sweeps where elimination finishes at once.
constexpr int64_t leastGain = 1024;

/// Searches without a bound: the first labels are a choice that the caller knows to be allowed, if
/// it knows one.
Strategy searchByMoves(const StrategyModel &model, DualBound &dual, unsigned roundsInVain) {
  Strategy best{std::vector<unsigned>(model.size()), 0, 0};
  improve(model, best.labels, roundsInVain);
  best.cost = model.costOf(best.labels);
  std::vector<unsigned> labels;
  dual.sweep(labels);
  improve(model, labels, roundsInVain);
  if (int64_t cost = model.costOf(labels); cost < best.cost) {
    best.labels = std::move(labels);
    best.cost = cost;
  }
  return best;
}

Strategy searchHard(const StrategyModel &model, const SearchOptions &options) {
  if (std::optional<Strategy> exact = eliminateAll(model, options.largestTable / 64 + 1))
    return *exact;
  DualBound dual(model);
  Strategy best = searchByMoves(model, dual, roundsInVain);
  best.bound = dual.bound();
  std::vector<unsigned> labels;
  for (unsigned i = 1, vain = 0;
       i < options.sweeps && vain < options.sweepsInVain && best.bound < best.cost; ++i) {
    dual.sweep(labels);
    if ((i & (i - 1)) == 0 || i % 16 == 0)
      improve(model, labels, roundsInVain);
    if (int64_t cost = model.costOf(labels); cost < best.cost) {
      best.labels = labels;
      best.cost = cost;
    }
    int64_t bound = dual.bound();
    bool gains = bound > best.bound && (bound - best.bound) * leastGain > best.cost - best.bound;
    vain = gains ? 0 : vain + 1;
    best.bound = std::max(best.bound, bound);
  }
  if (best.bound >= best.cost || best.cost >= StrategyModel::forbidden)
    return best;
  Pruned pruned = prune(model, dual, best.cost);
  std::optional<Strategy> exact = eliminateAll(pruned.model, options.largestTable);
  if (!exact)
    return best;
  best.bound = best.cost; // the labels left out are no better
  if (exact->cost < best.cost) {
    for (unsigned i = 0; i < model.size(); ++i)
      best.labels[i] = pruned.kept[i][exact->labels[i]];
    best.cost = best.bound = exact->cost;
  }
  return best;
}

} // namespace

/// Variables with at most two neighbours go first, which is exact; `solve` gets the rest.
static std::optional<Strategy>
searchRest(const StrategyModel &model, int64_t largestTable,
           llvm::function_ref<Strategy(const StrategyModel &)> solve) {
  Elimination easy(model);
  easy.run(largestTable, 2);
  StrategyModel rest = easy.rest();
  Strategy hard = solve(rest);
  Strategy strategy{std::vector<unsigned>(model.size()), 0, hard.bound + easy.constant()};
  unsigned number = 0;
  for (unsigned variable : easy.left())
    strategy.labels[variable] = hard.labels[number++];
  easy.complete(strategy.labels);
  strategy.cost = model.costOf(strategy.labels);
  if (strategy.cost >= StrategyModel::forbidden)
    return std::nullopt;
  return strategy;
}

std::optional<Strategy> ds::searchStrategy(const StrategyModel &model,
                                           const SearchOptions &options) {
  return searchRest(model, options.largestTable,
                    [&](const StrategyModel &rest) { return searchHard(rest, options); });
}

std::optional<Strategy> ds::searchQuickly(const StrategyModel &model) {
  auto found = searchRest(model, SearchOptions().largestTable, [](const StrategyModel &rest) {
    DualBound dual(rest);
    return searchByMoves(rest, dual, roundsInVainQuickly);
  });
  if (found)
    found->bound = 0;
  return found;
}
