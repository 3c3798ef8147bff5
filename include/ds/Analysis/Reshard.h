//===- Reshard.h - From one placement to another ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an operand is required in another placement than its value has, ranks move it. Only this
// file prices a move, and only `Localizer::reshard` writes one.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_RESHARD_H
#define DS_ANALYSIS_RESHARD_H

#include "ds/Analysis/PlacementAnalysis.h"

namespace ds {

enum class Move {
  None,
  Slice,          ///< replicated to sharded: no communication
  AllGather,      ///< sharded to replicated
  AllToAll,       ///< from one shard to another
  GatherAndSlice, ///< the same, if their digits overlap
  AllReduce,      ///< partial to replicated
  ReduceScatter,  ///< partial to sharded
};
Move getMove(const Placement &from, const Placement &to, int64_t n);

/// The cost of a move among n ranks, each time that a step is run.
struct MovePrice {
  int64_t bytes = 0; // of the whole value, or of the exchanged shard; 16-bit floats count as the
                     // f32 in which they are reduced
  int64_t sent = 0;  // bytes that leave each rank, in a ring
  int64_t calls = 0; // of collectives
};
MovePrice getPrice(const StepFlow &flow, mlir::Value value, Move move, int64_t n);

/// The messages that each of `ranks` sends in a collective of `bytes`, counted on the replicated
/// side: their number, one after another, and the bytes of each.
struct Messages {
  int64_t count = 0, bytes = 0;
};
Messages getMessages(CollectiveOpInterface op, int64_t ranks, int64_t bytes);

} // namespace ds

#endif // DS_ANALYSIS_RESHARD_H
