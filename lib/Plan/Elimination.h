//===- Elimination.h - Exact minimum, variable by variable ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable is eliminated by a table that gives its least cost for all labels of the variables
// that share a table with it (nonserial dynamic programming, Bertele and Brioschi 1972; the
// reductions R0 to R2 of partitioned quadratic problems are the cases of at most two neighbours).
// The result is exact, and going back in reverse order gives each variable its best label.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_PLAN_ELIMINATION_H
#define DS_LIB_PLAN_ELIMINATION_H

#include "ds/Plan/StrategySearch.h"

#include <memory>
#include <set>

namespace ds {

class Elimination {
public:
  explicit Elimination(const StrategyModel &model);

  /// Eliminates variables whose table has at most `largestTable` entries over at most
  /// `mostNeighbours` variables, those with the smallest table first.
  void run(int64_t largestTable, unsigned mostNeighbours);

  /// True if `run` can eliminate all variables, without a limit of neighbours. Only sizes are
  /// computed.
  bool fits(int64_t largestTable) const;

  /// Returns the remaining variables, in order, with their current costs. Only between runs of at
  /// most two neighbours: otherwise the remaining tables are not pairs.
  StrategyModel rest() const;
  std::vector<unsigned> left() const;
  /// The cost of eliminated variables that depends on no other.
  int64_t constant() const { return fixed; }

  /// Sets the labels of the eliminated variables; those of the remaining ones are given.
  void complete(std::vector<unsigned> &labels) const;

private:
  struct Table {
    std::vector<unsigned> scope; // ascending; the last one is the fastest
    std::shared_ptr<const std::vector<int64_t>> owned;
    const std::vector<int64_t> *costs = nullptr;
  };
  std::vector<unsigned> neighboursOf(unsigned variable) const;
  double entriesOf(unsigned variable) const;
  void eliminate(unsigned variable);
  void addTable(Table table);
  int64_t at(const Table &table, const std::vector<unsigned> &labels) const;

  const StrategyModel &model;
  std::vector<std::vector<int64_t>> unary;
  std::vector<Table> tables;
  std::vector<std::vector<unsigned>> tablesOf; // by variable, the tables in force
  std::vector<char> isLeft;
  struct Taken {
    unsigned variable;
    std::vector<unsigned> tables;
  };
  std::vector<Taken> taken;
  int64_t fixed = 0;
};

} // namespace ds

#endif // DS_LIB_PLAN_ELIMINATION_H
