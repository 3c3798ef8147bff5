//===- Order.h - Which rank updates when ------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With update = asynchronous, ranks run free, so a training repeats with the same bits only if
// shards are read and updated in the same order. The text has a line for each step of each rank:
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
  /// The number of updates that a shard had when it was pulled and when it was pushed.
  struct Turn {
    int64_t pulled = 0, pushed = 0;
  };

  Order(int64_t numRanks, int64_t numShards) : numRanks(numRanks), numShards(numShards) {}

  /// Returns the number of steps that every rank has taken.
  int64_t steps() const { return turns.size() / (numRanks * numShards); }
  Turn at(int64_t step, int64_t rank, int64_t shard) const {
    return turns[index(step, rank, shard)];
  }
  /// Returns the turn to change, and makes room for the step first.
  Turn &change(int64_t step, int64_t rank, int64_t shard);
  /// Drops all steps from `steps` on.
  void shorten(int64_t steps);
  /// All turns as plain data, which a process sends to another one with the same ranks and shards.
  llvm::ArrayRef<Turn> all() const { return turns; }
  void set(std::vector<Turn> other) { turns = std::move(other); }

  /// True if all ranks do `steps` steps before any begins the next one.
  bool meetsAt(int64_t steps) const;

  /// Reads a file; an error names the file, the line and what was expected.
  static llvm::Expected<Order> read(const std::string &path, int64_t numRanks, int64_t numShards);
  /// Writes the first `steps` steps.
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
