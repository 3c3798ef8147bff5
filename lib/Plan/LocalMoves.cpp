//===- LocalMoves.cpp - A choice improved step by step --------------------===//
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
  Improver(const StrategyModel &model, std::vector<unsigned> &labels, unsigned roundsInVain)
      : model(model), labels(labels), roundsInVain(roundsInVain), neighboursOf(model.size()) {
    for (const StrategyModel::Pair &pair : model.pairs()) {
      const int64_t *table = model.table(pair).data();
      size_t columns = model.costs(pair.second).size();
      neighboursOf[pair.first].push_back({pair.second, table, columns, 1});
      neighboursOf[pair.second].push_back({pair.first, table, 1, columns});
    }
  }

  void run() {
    descend();
    int64_t best = model.costOf(labels);
    for (unsigned vain = 0, round = 0; vain < roundsInVain && round < 200; ++round) {
      moveForest(round);
      int64_t cost = model.costOf(labels);
      vain = cost < best ? 0 : vain + 1;
      best = cost;
    }
  }

private:
  /// A variable that shares a table with another one, and the distance of its labels in that table.
  struct Neighbour {
    unsigned variable;
    const int64_t *table;
    size_t ownStride, stride;

    /// Adds the costs of the variable's labels for one label of the neighbour.
    void addTo(int64_t *costs, size_t count, unsigned label) const {
      const int64_t *row = table + label * stride;
      for (size_t own = 0; own < count; ++own)
        costs[own] += row[own * ownStride];
    }
  };

  void descend() {
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned i = 0; i < model.size(); ++i) {
        costs = model.costs(i);
        for (const Neighbour &neighbour : neighboursOf[i])
          neighbour.addTo(costs.data(), costs.size(), labels[neighbour.variable]);
        auto least = std::min_element(costs.begin(), costs.end());
        if (*least < costs[labels[i]]) {
          labels[i] = least - costs.begin();
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

  /// Moves variables that form no cycle among each other, starting from another one each round.
  void moveForest(unsigned round) {
    unsigned n = model.size();
    if (n == 0)
      return;
    std::vector<unsigned> parent(n);
    std::iota(parent.begin(), parent.end(), 0);
    std::vector<char> isIn(n);
    std::vector<unsigned> order, roots;
    unsigned begin = (uint64_t(round) * 2654435761u) % n;
    for (unsigned k = 0; k < n; ++k) {
      unsigned i = round % 2 ? (begin + n - k) % n : (begin + k) % n;
      roots.clear();
      for (const Neighbour &neighbour : neighboursOf[i])
        if (isIn[neighbour.variable])
          roots.push_back(rootOf(parent, neighbour.variable));
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

  /// A variable of a tree. `down` leads to it from its parent.
  struct Node {
    unsigned variable, above;
    const Neighbour *down;
    size_t costs, labels, choices; // their offsets and number; `choices` by label of the parent
  };

  void addNode(unsigned variable, unsigned above, const Neighbour *down) {
    const std::vector<int64_t> &own = model.costs(variable);
    nodes.push_back({variable, above, down, costs.size(), own.size(), choices.size()});
    costs.insert(costs.end(), own.begin(), own.end());
    if (down)
      choices.resize(choices.size() + nodes[above].labels);
  }

  void solveTree(unsigned root, const std::vector<char> &isIn, std::vector<char> &seen) {
    nodes.clear();
    costs.clear();
    choices.clear();
    addNode(root, 0, nullptr);
    seen[root] = 1;
    for (unsigned k = 0; k < nodes.size(); ++k)
      for (const Neighbour &neighbour : neighboursOf[nodes[k].variable])
        if (unsigned other = neighbour.variable; !isIn[other]) {
          neighbour.addTo(&costs[nodes[k].costs], nodes[k].labels, labels[other]);
        } else if (!seen[other]) {
          seen[other] = 1;
          addNode(other, k, &neighbour);
        }
    for (unsigned k = nodes.size(); k-- > 1;) {
      const Node &node = nodes[k], &above = nodes[node.above];
      for (unsigned up = 0; up < above.labels; ++up) {
        const int64_t *row = node.down->table + up * node.down->ownStride;
        int64_t least = INT64_MAX;
        for (unsigned label = 0; label < node.labels; ++label)
          if (int64_t cost = costs[node.costs + label] + row[label * node.down->stride];
              cost < least) {
            least = cost;
            choices[node.choices + up] = label;
          }
        int64_t &sum = costs[above.costs + up];
        sum = std::min(sum + least, int64_t(1) << 60);
      }
    }
    labels[root] = std::min_element(costs.begin(), costs.begin() + nodes[0].labels) - costs.begin();
    for (unsigned k = 1; k < nodes.size(); ++k)
      labels[nodes[k].variable] =
          choices[nodes[k].choices + labels[nodes[nodes[k].above].variable]];
  }

  const StrategyModel &model;
  std::vector<unsigned> &labels;
  unsigned roundsInVain;
  std::vector<std::vector<Neighbour>> neighboursOf;
  // Of the current tree or variable; members only to reuse their memory.
  std::vector<Node> nodes;
  std::vector<int64_t> costs;
  std::vector<unsigned> choices;
};

} // namespace

void ds::improve(const StrategyModel &model, std::vector<unsigned> &labels, unsigned roundsInVain) {
  Improver(model, labels, roundsInVain).run();
}
