//===- MinimumCut.cpp - Earliest minimum vertex cut -----------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear regions of real steps are tiny (tens of vertices), so the search is depth-first with an
// explicit bound on nothing but the levels of Dinic's algorithm.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/MinimumCut.h"

#include <algorithm>
#include <deque>
#include <limits>

namespace ds {

static constexpr unsigned sourceNode = 0, sinkNode = 1;
static constexpr int64_t unbounded = std::numeric_limits<int64_t>::max() / 4;

unsigned MinimumCut::addVertex(int64_t capacity) {
  unsigned vertex = (arcs.size() - 2) / 2;
  arcs.resize(arcs.size() + 2);
  addArc(inNode(vertex), outNode(vertex), capacity);
  return vertex;
}

void MinimumCut::addEdge(unsigned from, unsigned to) {
  addArc(outNode(from), inNode(to), unbounded);
}
void MinimumCut::addSource(unsigned vertex) { addArc(sourceNode, inNode(vertex), unbounded); }
void MinimumCut::addSink(unsigned vertex) { addArc(outNode(vertex), sinkNode, unbounded); }

void MinimumCut::addArc(unsigned from, unsigned to, int64_t capacity) {
  arcs[from].push_back({to, capacity, static_cast<unsigned>(arcs[to].size())});
  arcs[to].push_back({from, 0, static_cast<unsigned>(arcs[from].size() - 1)});
}

bool MinimumCut::computeLevels() {
  level.assign(arcs.size(), -1);
  level[sourceNode] = 0;
  std::deque<unsigned> queue = {sourceNode};
  while (!queue.empty()) {
    unsigned node = queue.front();
    queue.pop_front();
    for (const Arc &arc : arcs[node])
      if (arc.residual > 0 && level[arc.to] < 0) {
        level[arc.to] = level[node] + 1;
        queue.push_back(arc.to);
      }
  }
  return level[sinkNode] >= 0;
}

int64_t MinimumCut::push(unsigned node, int64_t limit) {
  if (node == sinkNode)
    return limit;
  for (std::size_t &i = nextArc[node]; i < arcs[node].size(); ++i) {
    Arc &arc = arcs[node][i];
    if (arc.residual <= 0 || level[arc.to] != level[node] + 1)
      continue;
    if (int64_t pushed = push(arc.to, std::min(limit, arc.residual))) {
      arc.residual -= pushed;
      arcs[arc.to][arc.reverse].residual += pushed;
      return pushed;
    }
  }
  return 0;
}

void MinimumCut::solve() {
  while (computeLevels()) {
    nextArc.assign(arcs.size(), 0);
    while (int64_t pushed = push(sourceNode, unbounded))
      flow += pushed;
  }
  // The last levels mark what the residual graph reaches from the sources.
  reachable.resize(arcs.size());
  for (std::size_t node = 0; node < arcs.size(); ++node)
    reachable[node] = level[node] >= 0;
  for (unsigned vertex = 0; outNode(vertex) < arcs.size(); ++vertex)
    if (reachable[inNode(vertex)] && !reachable[outNode(vertex)])
      cutVertices.push_back(vertex);
}

} // namespace ds
