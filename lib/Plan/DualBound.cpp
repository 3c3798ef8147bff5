//===- DualBound.cpp - A lower bound, raised by moving costs --------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DualBound.h"

#include <algorithm>
#include <map>

using namespace ds;

static int64_t leastIn(const std::vector<int64_t> &costs) {
  return *std::min_element(costs.begin(), costs.end());
}

DualBound::DualBound(const StrategyModel &model)
    : model(model), before(model.size()), after(model.size()) {
  auto scaled = [](int64_t cost, int64_t otherwise) {
    return cost >= StrategyModel::forbidden ? otherwise : cost * fractions;
  };
  for (unsigned i = 0; i < model.size(); ++i) {
    unary.push_back(model.costs(i));
    for (int64_t &cost : unary.back())
      cost = scaled(cost, infinite);
  }
  std::map<std::pair<unsigned, size_t>, const Table *> known; // by rows too: a table is a flat list
  for (const StrategyModel::Pair &pair : model.pairs()) {
    size_t rows = unary[pair.first].size(), columns = unary[pair.second].size();
    const Table *&table = known[{pair.table, rows}];
    if (!table) {
      auto made = std::make_unique<Table>();
      const std::vector<int64_t> &costs = model.table(pair);
      made->byFirst.resize(costs.size());
      made->bySecond.resize(costs.size());
      for (size_t i = 0; i < rows; ++i)
        for (size_t j = 0; j < columns; ++j)
          made->byFirst[i * columns + j] = made->bySecond[j * rows + i] =
              scaled(costs[i * columns + j], excluded);
      tables.push_back(std::move(made));
      table = tables.back().get();
    }
    before[pair.second].push_back(edges.size());
    after[pair.first].push_back(edges.size());
    edges.push_back({pair.first, pair.second, table, std::vector<int64_t>(rows),
                     std::vector<int64_t>(columns)});
  }
  for (unsigned i = 0; i < model.size(); ++i)
    for (unsigned label = 0; label < unary[i].size(); ++label)
      if (unary[i][label] >= infinite)
        forbid(i, label);
}

void DualBound::forbid(unsigned variable, unsigned label) {
  unary[variable][label] = infinite;
  for (unsigned number : before[variable])
    edges[number].fromSecond[label] = excluded;
  for (unsigned number : after[variable])
    edges[number].fromFirst[label] = excluded;
}

/// Three terms fit; each is at most `excluded`.
int64_t DualBound::entry(const Edge &edge, unsigned first, unsigned second) {
  return std::min(infinite, edge.costs->byFirst[first * edge.fromSecond.size() + second] +
                                edge.fromFirst[first] + edge.fromSecond[second]);
}

/// Returns the least entry of a pair for a label of one of the two.
int64_t DualBound::leastOf(const Edge &edge, unsigned variable, unsigned label) {
  bool isFirst = variable == edge.first;
  const std::vector<int64_t> &others = isFirst ? edge.fromSecond : edge.fromFirst;
  const int64_t *row =
      (isFirst ? edge.costs->byFirst : edge.costs->bySecond).data() + label * others.size();
  int64_t least = excluded;
  for (size_t other = 0; other < others.size(); ++other)
    least = std::min(least, row[other] + others[other]);
  return std::min(infinite, least + (isFirst ? edge.fromFirst : edge.fromSecond)[label]);
}

int64_t DualBound::leastOf(const Edge &edge) {
  int64_t least = infinite;
  for (unsigned label = 0; label < edge.fromFirst.size(); ++label)
    least = std::min(least, leastOf(edge, edge.first, label));
  return least;
}

/// Collects the entries of the pairs that the sweep has passed, and distributes them to the pairs
/// ahead.
void DualBound::visit(unsigned variable, bool forward) {
  std::vector<int64_t> &own = unary[variable];
  const std::vector<unsigned> &behind = forward ? before[variable] : after[variable];
  const std::vector<unsigned> &ahead = forward ? after[variable] : before[variable];
  auto movedInto = [&](Edge &edge, unsigned label) -> int64_t & {
    return edge.first == variable ? edge.fromFirst[label] : edge.fromSecond[label];
  };
  for (unsigned number : behind)
    for (unsigned label = 0; label < own.size(); ++label) {
      if (own[label] >= infinite)
        continue;
      int64_t least = leastOf(edges[number], variable, label);
      if (least >= infinite) { // no label of the other goes with this one
        forbid(variable, label);
        continue;
      }
      own[label] += least;
      movedInto(edges[number], label) -= least;
    }
  if (ahead.empty())
    return;
  int64_t parts = std::max(behind.size(), ahead.size());
  for (unsigned label = 0; label < own.size(); ++label) {
    if (own[label] >= infinite)
      continue;
    int64_t share = own[label] / parts;
    for (unsigned number : ahead)
      movedInto(edges[number], label) += share;
    own[label] -= share * static_cast<int64_t>(ahead.size());
  }
}

void DualBound::sweep(std::vector<unsigned> &labels) {
  labels.assign(model.size(), 0);
  for (unsigned i = 0; i < model.size(); ++i) {
    int64_t least = INT64_MAX;
    for (unsigned label = 0; label < unary[i].size(); ++label) {
      int64_t cost = unary[i][label];
      for (unsigned number : before[i])
        cost = std::min(infinite, cost + entry(edges[number], labels[edges[number].first], label));
      for (unsigned number : after[i])
        if (cost < infinite)
          cost = std::min(infinite, cost + leastOf(edges[number], i, label));
      if (cost < least) {
        least = cost;
        labels[i] = label;
      }
    }
    visit(i, true);
  }
  for (unsigned i = model.size(); i-- > 0;)
    visit(i, false);
}

int64_t DualBound::exactBound() const {
  int64_t sum = 0;
  for (const std::vector<int64_t> &costs : unary) {
    if (leastIn(costs) >= infinite)
      return infinite;
    sum += leastIn(costs);
  }
  for (const Edge &edge : edges) {
    int64_t least = leastOf(edge);
    if (least >= infinite)
      return infinite;
    sum += least;
  }
  return sum;
}

/// Every cost is an integer, so a bound may be rounded up.
int64_t DualBound::rounded(int64_t sum) {
  return sum >= 0 ? (sum + fractions - 1) / fractions : -(-sum / fractions);
}

int64_t DualBound::bound() const {
  int64_t sum = exactBound();
  return sum >= infinite ? StrategyModel::forbidden : rounded(sum);
}

/// The bound of a label adds the best matching entry of each pair.
std::vector<std::vector<int64_t>> DualBound::boundsOfLabels() const {
  std::vector<std::vector<int64_t>> bounds(model.size());
  int64_t all = exactBound();
  for (unsigned i = 0; i < model.size(); ++i) {
    int64_t others = all - leastIn(unary[i]);
    auto visitPairs = [&](auto visit) {
      for (const auto *side : {&before[i], &after[i]})
        for (unsigned number : *side)
          visit(edges[number]);
    };
    visitPairs([&](const Edge &edge) { others -= leastOf(edge); });
    for (unsigned label = 0; label < unary[i].size(); ++label) {
      int64_t sum = std::min(infinite, others + unary[i][label]);
      visitPairs([&](const Edge &edge) {
        if (sum < infinite)
          sum = std::min(infinite, sum + leastOf(edge, i, label));
      });
      bounds[i].push_back(sum >= infinite ? StrategyModel::forbidden : rounded(sum));
    }
  }
  return bounds;
}
