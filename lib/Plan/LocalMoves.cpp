//===- LocalMoves.cpp - A choice made better step by step -----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LocalMoves.h"

#include <algorithm>
#include <numeric>

using namespace ds;

namespace {

class Improver {
public:
  Improver(const StrategyModel &model, std::vector<unsigned> &labels)
      : model(model), labels(labels), pairsOf(model.size()) {
    for (unsigned i = 0; i < model.pairs().size(); ++i) {
      pairsOf[model.pairs()[i].first].push_back(i);
      pairsOf[model.pairs()[i].second].push_back(i);
    }
  }

  void run() {
    descend();
    int64_t best = model.costOf(labels);
    for (unsigned vain = 0, round = 0; vain < 8 && round < 200; ++round) {
      moveForest(round);
      int64_t cost = model.costOf(labels);
      vain = cost < best ? 0 : vain + 1;
      best = cost;
    }
  }

private:
  int64_t pairCost(unsigned number, unsigned variable, unsigned label, unsigned other) const {
    const StrategyModel::Pair &pair = model.pairs()[number];
    size_t columns = model.costs(pair.second).size();
    bool isFirst = pair.first == variable;
    return model.table(pair)[isFirst ? label * columns + other : other * columns + label];
  }
  unsigned otherOf(unsigned number, unsigned variable) const {
    const StrategyModel::Pair &pair = model.pairs()[number];
    return pair.first == variable ? pair.second : pair.first;
  }

  void descend() {
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned i = 0; i < model.size(); ++i) {
        auto costOf = [&](unsigned label) {
          int64_t cost = model.costs(i)[label];
          for (unsigned number : pairsOf[i])
            cost += pairCost(number, i, label, labels[otherOf(number, i)]);
          return cost;
        };
        int64_t least = costOf(labels[i]);
        for (unsigned label = 0; label < model.costs(i).size(); ++label)
          if (int64_t cost = costOf(label); cost < least) {
            least = cost;
            labels[i] = label;
            changed = true;
          }
      }
    }
  }

  unsigned rootOf(std::vector<unsigned> &parent, unsigned i) {
    while (parent[i] != i)
      i = parent[i] = parent[parent[i]];
    return i;
  }

  /// Variables, from another one each round, as long as they make no circle among themselves.
  void moveForest(unsigned round) {
    unsigned n = model.size();
    if (n == 0)
      return;
    std::vector<unsigned> parent(n);
    std::iota(parent.begin(), parent.end(), 0);
    std::vector<char> isIn(n);
    std::vector<unsigned> order;
    unsigned begin = (uint64_t(round) * 2654435761u) % n;
    for (unsigned k = 0; k < n; ++k) {
      unsigned i = round % 2 ? (begin + n - k) % n : (begin + k) % n;
      std::vector<unsigned> roots;
      for (unsigned number : pairsOf[i])
        if (unsigned other = otherOf(number, i); isIn[other])
          roots.push_back(rootOf(parent, other));
      std::sort(roots.begin(), roots.end());
      if (std::adjacent_find(roots.begin(), roots.end()) != roots.end())
        continue;
      for (unsigned root : roots)
        parent[root] = i;
      isIn[i] = 1;
      order.push_back(i);
    }
    std::vector<char> seen(n);
    for (unsigned i : order)
      if (!seen[i])
        solveTree(i, isIn, seen);
  }

  void solveTree(unsigned root, const std::vector<char> &isIn, std::vector<char> &seen) {
    struct Node {
      unsigned variable, from, pair;
    };
    std::vector<Node> nodes{{root, 0, 0}};
    seen[root] = 1;
    for (unsigned k = 0; k < nodes.size(); ++k)
      for (unsigned number : pairsOf[nodes[k].variable])
        if (unsigned other = otherOf(number, nodes[k].variable); isIn[other] && !seen[other]) {
          seen[other] = 1;
          nodes.push_back({other, k, number});
        }
    std::vector<std::vector<int64_t>> costs(nodes.size());
    std::vector<std::vector<unsigned>> choice(nodes.size()); // by label of the node above
    for (unsigned k = 0; k < nodes.size(); ++k) {
      unsigned i = nodes[k].variable;
      costs[k] = model.costs(i);
      for (unsigned number : pairsOf[i])
        if (unsigned other = otherOf(number, i); !isIn[other])
          for (unsigned label = 0; label < costs[k].size(); ++label)
            costs[k][label] += pairCost(number, i, label, labels[other]);
    }
    for (unsigned k = nodes.size(); k-- > 1;) {
      Node node = nodes[k];
      std::vector<int64_t> &above = costs[node.from];
      choice[k].resize(above.size());
      for (unsigned up = 0; up < above.size(); ++up) {
        int64_t least = INT64_MAX;
        for (unsigned label = 0; label < costs[k].size(); ++label)
          if (int64_t cost = costs[k][label] + pairCost(node.pair, node.variable, label, up);
              cost < least) {
            least = cost;
            choice[k][up] = label;
          }
        above[up] = std::min(above[up] + least, int64_t(1) << 60);
      }
    }
    labels[root] = std::min_element(costs[0].begin(), costs[0].end()) - costs[0].begin();
    for (unsigned k = 1; k < nodes.size(); ++k)
      labels[nodes[k].variable] = choice[k][labels[nodes[nodes[k].from].variable]];
  }

  const StrategyModel &model;
  std::vector<unsigned> &labels;
  std::vector<std::vector<unsigned>> pairsOf;
};

} // namespace

void ds::improve(const StrategyModel &model, std::vector<unsigned> &labels) {
  Improver(model, labels).run();
}
