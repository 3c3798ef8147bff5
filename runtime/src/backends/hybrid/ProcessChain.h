//===- ProcessChain.h - Reductions from process to process ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Process 0 reduces the values of its ranks, passes the result so far to process 1, which goes on
// with its own ranks, and so on; the last process has the result, which goes back the same way. So
// elements are reduced in the order of the ranks, with the bits of `local`, and cross each link
// between two processes once in each direction, however many ranks a process holds.
//
// The data goes in pieces, in phases: in each the first rank of a process exchanges with both
// neighbours, while its other ranks reduce the next piece and copy the last result. A process skips
// the phases in which it has none of these to do, so what a piece costs it does not depend on the
// number of processes. Between processes sixteen-bit floats travel as f32, since they are rounded
// once.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_HYBRID_PROCESSCHAIN_H
#define DSRT_SRC_BACKENDS_HYBRID_PROCESSCHAIN_H

#include "HybridGroup.h"
#include "backends/Sequence.h"

namespace dsrt::hybrid {

class ProcessChain {
public:
  /// An all_reduce or reduce_scatter whose members have compared their calls.
  explicit ProcessChain(Exchange &exchange);
  dsrt_status run();

private:
  /// The phase in which process p computes piece i is i + 2p: it is received in the phase before,
  /// and sent in the one after. The result of piece i comes to process p in phase i + 3P - 3 - p.
  int64_t computed(int64_t phase) const { return phase - 2 * p; }
  int64_t sent(int64_t phase, int32_t from) const { return phase - 1 - 2 * from; }
  int64_t returned(int64_t phase, int32_t to) const { return phase - 3 * processes + 3 + to; }
  bool isPiece(int64_t i) const { return i >= 0 && i < pieces; }
  Range pieceOf(int64_t i) const { return Range{0, total}.piece(i, piece); }

  /// True if this process and the next one, or the one before it, exchange in this phase.
  bool meetsNext(int64_t phase) const { return p + 1 < processes && meet(phase, p); }
  bool meetsPrevious(int64_t phase) const { return p > 0 && meet(phase, p - 1); }
  bool meet(int64_t phase, int32_t lower) const {
    return isPiece(sent(phase, lower)) || isPiece(returned(phase, lower));
  }
  bool delivers(int64_t phase) const {
    return p + 1 < processes && isPiece(returned(phase - 1, p));
  }

  /// Returns the number of the call of two processes in this phase.
  uint64_t numberOf(int64_t phase, int32_t lower) const {
    return sequence + 1 + 2 * static_cast<uint64_t>(phase) + static_cast<uint64_t>(lower % 2);
  }

  dsrt_status pass(int64_t phase);
  dsrt_status passNext(int64_t phase);
  dsrt_status passPrevious(int64_t phase);
  void work(int64_t phase, int32_t share, int32_t shares);
  void reduce(Range range, const char *before, char *after);
  void deliver(Range range, const char *values) const;

  enum Room { before, after, result, rooms };
  char *room(Room room, int64_t phase) const {
    return base + (2 * room + (phase & 1)) * piece * carried;
  }

  Exchange &exchange;
  const dsrt_call &call;
  const dsrt_dtype carrier;
  const int64_t size, carried; // bytes of an element, and of a partial result
  const int32_t processes, p;
  std::vector<Sequence> values; // of each member of this process
  int64_t total = 0, piece = 0, pieces = 0;
  char *base = nullptr;
  uint64_t sequence = 0; // of the group's calls before; read by the first member
};

} // namespace dsrt::hybrid

#endif // DSRT_SRC_BACKENDS_HYBRID_PROCESSCHAIN_H
