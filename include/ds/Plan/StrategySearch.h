//===- StrategySearch.h - The cheapest choice for all variables -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sharding a step is a choice for each of its operations and values, with a cost for each choice
// and for each pair of choices that interact: a pairwise model. The search returns a choice for all
// and a lower bound of the cost of every choice. Numbers are integers, and nothing depends on
// addresses, time or random numbers, so the result is the same on every machine.
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
  /// The cost of a forbidden choice. All allowed choices together must cost less.
  static constexpr int64_t forbidden = int64_t(1) << 50;

  /// Adds a variable with one label for each of `costs`, at least one.
  unsigned addVariable(std::vector<int64_t> costs);
  /// Adds to the costs of a variable's labels.
  void addCosts(unsigned variable, const std::vector<int64_t> &costs);
  /// `costs` has a row for each label of `first` and a column for each of `second`. The costs of
  /// several tables between the same two variables are added.
  void addPair(unsigned first, unsigned second, std::vector<int64_t> costs);

  struct Pair {
    unsigned first, second; // first < second
    unsigned table;
  };
  unsigned size() const { return variables.size(); }
  const std::vector<int64_t> &costs(unsigned variable) const { return variables[variable]; }
  const std::vector<Pair> &pairs() const { return allPairs; }
  const std::vector<int64_t> &table(const Pair &pair) const { return *tables[pair.table]; }

  /// Returns the model with only these labels for `variable`.
  StrategyModel restricted(unsigned variable, const std::vector<unsigned> &labels) const;

  /// Returns the cost of a label for each variable.
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
  /// Layers of a model are alike, so their tables are shared.
  std::map<Table, unsigned, ByContent> known;
  std::vector<Table> tables;
};

struct SearchOptions {
  /// Entries of the largest table for exact elimination; a 64th of it as long as sweeps may still
  /// help.
  int64_t largestTable = int64_t(1) << 21;
  /// Sweeps that raise the bound if elimination does not fit, and how many of them in a row may
  /// fail to do so.
  unsigned sweeps = 1000, sweepsInVain = 100;
};

struct Strategy {
  std::vector<unsigned> labels; // by variable
  int64_t cost = 0;
  int64_t bound = 0; // of any choice; equal to `cost` if this one is proven optimal
};

/// Returns none if every choice is forbidden, or no allowed one was found; one is always found if
/// the first labels of all variables are allowed together.
std::optional<Strategy> searchStrategy(const StrategyModel &model,
                                       const SearchOptions &options = {});

/// Returns the labels of the first sweep, improved by local moves: never better than the result of
/// `searchStrategy`, which begins with the same. Its bound is 0 and has no meaning.
std::optional<Strategy> searchQuickly(const StrategyModel &model);

} // namespace ds

#endif // DS_PLAN_STRATEGYSEARCH_H
