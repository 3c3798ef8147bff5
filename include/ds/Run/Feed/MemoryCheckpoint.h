//===- MemoryCheckpoint.h - The values after the last step ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checkpoint in the memory of each process, from which the others go on when a process is lost.
// It has the values and metadata of one in a file, so what resumes a file resumes it.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_FEED_MEMORYCHECKPOINT_H
#define DS_RUN_FEED_MEMORYCHECKPOINT_H

#include "ds/Data/Safetensors.h"
#include "ds/Run/Ranks/Rank.h"
#include "ds/Run/Ranks/World.h"

#include <map>
#include <string>
#include <vector>

namespace ds {

class MemoryCheckpoint {
public:
  using Metadata = std::map<std::string, std::string>;

  /// Copies the parameters and states of all ranks after `step` steps, over the copy before; of
  /// sharded ones, what `rank` has collected. On one rank of a process.
  void keep(Rank &rank, const Manifest &manifest, int64_t step, Metadata metadata);

  /// Gives all processes the newest copy that one of them has. Collective over processes.
  llvm::Error share(World &world, const Manifest &manifest);

  bool isEmpty() const { return doneSteps < 0; }
  /// Returns the steps done; -1 if there is no copy.
  int64_t step() const { return doneSteps; }
  /// Returns the copy, on memory that the next `keep` overwrites.
  Safetensors contents(const Manifest &manifest, int64_t numRanks) const;

private:
  struct Value {
    unsigned slot;
    std::vector<uint8_t> bytes;
  };
  void makeRoom(const Manifest &manifest, int64_t numRanks);

  int64_t doneSteps = -1;
  Metadata facts;
  std::vector<Value> values;
};

} // namespace ds

#endif // DS_RUN_FEED_MEMORYCHECKPOINT_H
