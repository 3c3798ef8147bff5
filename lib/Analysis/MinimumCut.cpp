//===- MinimumCut.cpp - Earliest minimum vertex cut -----------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A linear region may be as long as the step (a sum over many microbatches), so paths are followed
// on a stack of our own.
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

void MinimumCut::saturatePaths() {
  std::vector<std::size_t> nextArc(arcs.size(), 0);
  // The nodes from the source to here, each left by its next arc.
  std::vector<unsigned> path = {sourceNode};
  while (!path.empty()) {
    unsigned node = path.back();
    if (node == sinkNode) {
      path.pop_back();
      auto residual = [&](unsigned from) -> int64_t & {
        return arcs[from][nextArc[from]].residual;
      };
      int64_t pushed = unbounded;
      for (unsigned from : path)
        pushed = std::min(pushed, residual(from));
      std::size_t stays = path.size();
      for (std::size_t i = path.size(); i-- > 0;) {
        Arc &arc = arcs[path[i]][nextArc[path[i]]];
        arc.residual -= pushed;
        arcs[arc.to][arc.reverse].residual += pushed;
        if (arc.residual == 0)
          stays = i + 1;
      }
      flow += pushed;
      path.resize(stays);
      continue;
    }
    std::size_t &i = nextArc[node];
    while (i < arcs[node].size() &&
           (arcs[node][i].residual <= 0 || level[arcs[node][i].to] != level[node] + 1))
      ++i;
    if (i < arcs[node].size()) {
      path.push_back(arcs[node][i].to);
      continue;
    }
    path.pop_back();
    if (!path.empty())
      ++nextArc[path.back()];
  }
}

void MinimumCut::solve() {
  while (computeLevels())
    saturatePaths();
  // The last levels mark what the residual graph reaches from the sources.
  reachable.resize(arcs.size());
  for (std::size_t node = 0; node < arcs.size(); ++node)
    reachable[node] = level[node] >= 0;
  for (unsigned vertex = 0; outNode(vertex) < arcs.size(); ++vertex)
    if (reachable[inNode(vertex)] && !reachable[outNode(vertex)])
      cutVertices.push_back(vertex);
}

} // namespace ds
