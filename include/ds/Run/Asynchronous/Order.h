//===- Order.h - Which rank updates when ------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In update = asynchronous ranks run free, so a training is repeated to the same bits only in the
// order in which they read and updated shards. As text, a line for each step of each rank:
//
//   ds-order version=2 ranks=2 shards=2
//   0 0 0:0 0:1
//   0 1 0:1 0:0
//
// step, rank, and for each shard how many updates it had when the rank pulled it, and when it
// pushed. The last line is a seal (ds/Support/Seal.h).
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_ASYNCHRONOUS_ORDER_H
#define DS_RUN_ASYNCHRONOUS_ORDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ds {

class Order {
public:
  /// Numbers of updates of a shard.
  struct Turn {
    int64_t pulled = 0, pushed = 0;
  };

  Order(int64_t numRanks, int64_t numShards) : numRanks(numRanks), numShards(numShards) {}

  /// Steps that every rank has taken.
  int64_t steps() const { return turns.size() / (numRanks * numShards); }
  Turn at(int64_t step, int64_t rank, int64_t shard) const {
    return turns[index(step, rank, shard)];
  }
  /// Makes room for the step, too.
  Turn &change(int64_t step, int64_t rank, int64_t shard);
  /// Leaves out all steps from `steps` on.
  void shorten(int64_t steps);
  /// All of it as bytes, which another order of as many ranks and shards can have.
  llvm::ArrayRef<Turn> all() const { return turns; }
  void set(std::vector<Turn> other) { turns = std::move(other); }

  /// Whether all ranks have done `steps` steps before one begins the next.
  bool meetsAt(int64_t steps) const;

  /// The error names the file, the line and what was expected.
  static llvm::Expected<Order> read(const std::string &path, int64_t numRanks, int64_t numShards);
  /// The first `steps` steps.
  llvm::Error write(const std::string &path, int64_t steps) const;

private:
  size_t index(int64_t step, int64_t rank, int64_t shard) const {
    return (step * numRanks + rank) * numShards + shard;
  }
  llvm::Error check(const std::string &path) const;

  int64_t numRanks, numShards;
  std::vector<Turn> turns; // by step, rank and shard
};

} // namespace ds

#endif // DS_RUN_ASYNCHRONOUS_ORDER_H
