//===- StrategySearch.h - The cheapest choice for all variables -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a step is divided is a choice for each of its operations and values, with a cost for each
// choice and for each pair of choices that meet: a pairwise model. The search returns a choice of
// all and a lower bound of what any choice costs. Numbers are integers, and nothing depends on
// addresses, time or random numbers, so the answer is the same on every machine.
//
//===----------------------------------------------------------------------===//
#ifndef DS_PLAN_STRATEGYSEARCH_H
#define DS_PLAN_STRATEGYSEARCH_H

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ds {

/// Variables with labels, the cost of each label, and the costs of pairs of labels.
class StrategyModel {
public:
  /// The cost of what must not be chosen. All that is allowed must together cost less.
  static constexpr int64_t forbidden = int64_t(1) << 50;

  /// A variable with one label for each of `costs`, at least one.
  unsigned addVariable(std::vector<int64_t> costs);
  /// Adds to the costs of its labels.
  void addCosts(unsigned variable, const std::vector<int64_t> &costs);
  /// `costs` has a row for each label of `first` and a column for each of `second`. Of several
  /// between the same two the costs add up.
  void addPair(unsigned first, unsigned second, std::vector<int64_t> costs);

  struct Pair {
    unsigned first, second; // first < second
    unsigned table;
  };
  unsigned size() const { return variables.size(); }
  const std::vector<int64_t> &costs(unsigned variable) const { return variables[variable]; }
  const std::vector<Pair> &pairs() const { return allPairs; }
  const std::vector<int64_t> &table(const Pair &pair) const { return *tables[pair.table]; }

  /// The same, but of `variable` only these labels may be chosen.
  StrategyModel restricted(unsigned variable, const std::vector<unsigned> &labels) const;

  /// What a label for each variable costs.
  int64_t costOf(const std::vector<unsigned> &labels) const;

private:
  using Table = std::shared_ptr<const std::vector<int64_t>>;
  struct ByContent {
    bool operator()(const Table &left, const Table &right) const { return *left < *right; }
  };
  unsigned intern(std::vector<int64_t> costs);

  std::vector<std::vector<int64_t>> variables;
  std::vector<Pair> allPairs;
  std::map<std::pair<unsigned, unsigned>, unsigned> pairOf;
  /// Layers of a model are alike, and so are their tables.
  std::map<Table, unsigned, ByContent> known;
  std::vector<Table> tables;
};

struct SearchOptions {
  /// Entries of the largest table that exact elimination may make; a 64th as long as sweeps may
  /// still help.
  int64_t largestTable = int64_t(1) << 21;
  /// Sweeps that raise the bound where elimination does not fit, and those of them in a row that
  /// may not.
  unsigned sweeps = 1000, sweepsInVain = 100;
};

struct Strategy {
  std::vector<unsigned> labels; // by variable
  int64_t cost = 0;
  int64_t bound = 0; // of any choice; equal to `cost` if this one is proven best
};

/// None if every choice is forbidden, or none that is allowed was found; one is always found where
/// the first labels of all variables are allowed together.
std::optional<Strategy> searchStrategy(const StrategyModel &model,
                                       const SearchOptions &options = {});

/// What the first sweep finds, made better by local moves: never better than what `searchStrategy`
/// finds, which begins with the same. Its bound is 0 and says nothing.
std::optional<Strategy> searchQuickly(const StrategyModel &model);

} // namespace ds

#endif // DS_PLAN_STRATEGYSEARCH_H
