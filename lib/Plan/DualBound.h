//===- DualBound.h - A lower bound, raised by moving costs ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sequential tree-reweighted message passing (Kolmogorov 2006) on integers: costs are moved between
// variables and pairs so that the cost of every choice stays the same, while the sum of the least
// entries, which is a lower bound of every choice, grows. Shares are rounded down and the remainder
// stays in place, so the bound is exact at every moment.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_PLAN_DUALBOUND_H
#define DS_LIB_PLAN_DUALBOUND_H

#include "ds/Plan/StrategySearch.h"

#include <memory>

namespace ds {

class DualBound {
public:
  explicit DualBound(const StrategyModel &model);

  /// One sweep forward and back. `labels` is set to the labels that the forward sweep finds on its
  /// way.
  void sweep(std::vector<unsigned> &labels);
  /// A lower bound of the cost of every choice.
  int64_t bound() const;
  /// By variable and label: a lower bound of every choice with that label. Valid only if a bound
  /// exists.
  std::vector<std::vector<int64_t>> boundsOfLabels() const;

private:
  /// Costs are counted in fractions, so that rounding shares loses little.
  static constexpr int64_t fractions = 256;
  static constexpr int64_t infinite = int64_t(1) << 60;
  /// The cost of a forbidden entry: infinite after any addition.
  static constexpr int64_t excluded = 2 * infinite;
  /// The costs of a pair in fractions, by rows of its first and of its second variable, so that the
  /// minimum of either is taken over a row. Equal pairs share them.
  struct Table {
    std::vector<int64_t> byFirst, bySecond;
  };
  struct Edge {
    unsigned first, second;
    const Table *costs;
    /// Costs moved into the pair, by label; `excluded` for a forbidden label.
    std::vector<int64_t> fromFirst, fromSecond;
  };
  static int64_t entry(const Edge &edge, unsigned first, unsigned second);
  static int64_t leastOf(const Edge &edge, unsigned variable, unsigned label);
  static int64_t leastOf(const Edge &edge);
  void forbid(unsigned variable, unsigned label);
  void visit(unsigned variable, bool forward);
  int64_t exactBound() const;
  static int64_t rounded(int64_t sum);

  const StrategyModel &model;
  std::vector<std::vector<int64_t>> unary;
  std::vector<std::unique_ptr<const Table>> tables;
  std::vector<Edge> edges;
  std::vector<std::vector<unsigned>> before, after; // edges to variables of smaller, larger number
};

} // namespace ds

#endif // DS_LIB_PLAN_DUALBOUND_H
