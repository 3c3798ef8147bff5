//===- Rounds.h - The loops that compute an attention ------------* -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CONVERSION_ATTENTION_ROUNDS_H
#define DS_LIB_CONVERSION_ATTENTION_ROUNDS_H

#include "AttentionRegion.h"

#include "mlir/IR/PatternMatch.h"

namespace ds {

/// Consecutive blocks with the same number of queries and keys.
struct Group {
  int64_t begin, blocks, queries, keys;
};

/// Returns the groups of blocks of a region, by its sizes and its mask alone.
llvm::SmallVector<Group> groupsOf(const AttentionRegion &region);

/// The operations of one round, and where their loop stands.
struct Round {
  llvm::SmallVector<mlir::Operation *>
      ops; // in order, those of rounds before that are computed again too
  llvm::SmallVector<mlir::Operation *> outputs;
  mlir::Operation *after = nullptr; // null: at the begin of the block
};

/// Returns the rounds of a region; none if a result is read before all operands of its loop are
/// computed.
std::optional<llvm::SmallVector<Round>> planRounds(const AttentionRegion &region);

/// Emits the loops of all rounds, and replaces the results of the region.
void emitRounds(const AttentionRegion &region, llvm::ArrayRef<Round> rounds,
                mlir::RewriterBase &rewriter);

} // namespace ds

#endif // DS_LIB_CONVERSION_ATTENTION_ROUNDS_H
