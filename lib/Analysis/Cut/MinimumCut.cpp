//===- MinimumCut.cpp - Earliest minimum vertex cut -----------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A linear region may be as long as the step (a sum over many microbatches), so paths are kept on
// an explicit stack instead of recursion.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/Cut/MinimumCut.h"

#include <algorithm>
#include <deque>
#include <limits>

namespace ds {

static constexpr unsigned sourceNode = 0, sinkNode = 1;
static constexpr int64_t unbounded = std::numeric_limits<int64_t>::max() / 4;

unsigned MinimumCut::addVertex(int64_t capacity) {
  unsigned vertex = (firstArc.size() - 2) / 2;
  firstArc.resize(firstArc.size() + 2, noArc);
  addArc(inNode(vertex), outNode(vertex), capacity);
  return vertex;
}

void MinimumCut::addEdge(unsigned from, unsigned to) {
  addArc(outNode(from), inNode(to), unbounded);
}
void MinimumCut::addSource(unsigned vertex) { addArc(sourceNode, inNode(vertex), unbounded); }
void MinimumCut::addSink(unsigned vertex) { addArc(outNode(vertex), sinkNode, unbounded); }

void MinimumCut::addArc(unsigned from, unsigned to, int64_t capacity) {
  arcs.push_back({to, firstArc[from], capacity});
  firstArc[from] = arcs.size() - 1;
  arcs.push_back({from, firstArc[to], 0});
  firstArc[to] = arcs.size() - 1;
}

bool MinimumCut::computeLevels() {
  level.assign(firstArc.size(), -1);
  level[sourceNode] = 0;
  std::deque<unsigned> queue = {sourceNode};
  while (!queue.empty()) {
    unsigned node = queue.front();
    queue.pop_front();
    for (unsigned i = firstArc[node]; i != noArc; i = arcs[i].next)
      if (arcs[i].residual > 0 && level[arcs[i].to] < 0) {
        level[arcs[i].to] = level[node] + 1;
        queue.push_back(arcs[i].to);
      }
  }
  return level[sinkNode] >= 0;
}

void MinimumCut::saturatePaths() {
  std::vector<unsigned> nextArc = firstArc;
  // The nodes from the source to the current one, each left by its next arc.
  std::vector<unsigned> path = {sourceNode};
  while (!path.empty()) {
    unsigned node = path.back();
    if (node == sinkNode) {
      path.pop_back();
      int64_t pushed = unbounded;
      for (unsigned from : path)
        pushed = std::min(pushed, arcs[nextArc[from]].residual);
      std::size_t stays = path.size();
      for (std::size_t i = path.size(); i-- > 0;) {
        unsigned arc = nextArc[path[i]];
        arcs[arc].residual -= pushed;
        arcs[arc ^ 1].residual += pushed;
        if (arcs[arc].residual == 0)
          stays = i + 1;
      }
      flow += pushed;
      path.resize(stays);
      continue;
    }
    unsigned &i = nextArc[node];
    while (i != noArc && (arcs[i].residual <= 0 || level[arcs[i].to] != level[node] + 1))
      i = arcs[i].next;
    if (i != noArc) {
      path.push_back(arcs[i].to);
      continue;
    }
    path.pop_back();
    if (!path.empty())
      nextArc[path.back()] = arcs[nextArc[path.back()]].next;
  }
}

void MinimumCut::solve() {
  while (computeLevels())
    saturatePaths();
  // The levels of the last search mark the nodes that the residual graph reaches from the sources.
  reachable.resize(level.size());
  for (std::size_t node = 0; node < level.size(); ++node)
    reachable[node] = level[node] >= 0;
  for (unsigned vertex = 0; outNode(vertex) < level.size(); ++vertex)
    if (reachable[inNode(vertex)] && !reachable[outNode(vertex)])
      cutVertices.push_back(vertex);
}

} // namespace ds
