//===- MinimumCut.h - Earliest minimum vertex cut ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vertex cut between sources and sinks of a directed graph, in plain C++. Each vertex is split in
// two, joined by an arc of its capacity; edges are unbounded. Among all minimum cuts the one
// nearest to the sources is returned, because there the reduced values are ready first. Dinic's
// algorithm (Dinitz, 1970).
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_CUT_MINIMUMCUT_H
#define DS_ANALYSIS_CUT_MINIMUMCUT_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ds {

class MinimumCut {
public:
  /// Adds a vertex; returns its number. Capacity in bytes.
  unsigned addVertex(int64_t capacity);
  void addEdge(unsigned from, unsigned to);
  void addSource(unsigned vertex);
  void addSink(unsigned vertex);

  /// Computes the cut, which the methods below report.
  void solve();
  /// Returns the vertices of the cut, by number.
  const std::vector<unsigned> &cut() const { return cutVertices; }
  /// True if flow can still reach the vertex: the value there is not reduced yet.
  bool isBeforeCut(unsigned vertex) const { return reachable[inNode(vertex)]; }
  int64_t value() const { return flow; }

private:
  /// Arcs come in pairs: i ^ 1 is the reverse of i.
  struct Arc {
    unsigned to;
    unsigned next; // of the same node
    int64_t residual;
  };
  static constexpr unsigned noArc = -1;
  static unsigned inNode(unsigned vertex) { return 2 + 2 * vertex; }
  static unsigned outNode(unsigned vertex) { return 3 + 2 * vertex; }
  void addArc(unsigned from, unsigned to, int64_t capacity);
  bool computeLevels();
  /// Sends flow along paths of rising levels until each has a saturated arc.
  void saturatePaths();

  std::vector<Arc> arcs;
  std::vector<unsigned> firstArc = {noArc, noArc}; // by node
  std::vector<int> level;
  std::vector<bool> reachable;
  std::vector<unsigned> cutVertices;
  int64_t flow = 0;
};

} // namespace ds

#endif // DS_ANALYSIS_CUT_MINIMUMCUT_H
