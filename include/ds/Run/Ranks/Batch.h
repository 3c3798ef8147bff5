//===- Batch.h - How many rows a step takes ---------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about the batch that follow from the manifest: rows per rank, rows per step, and the rows
// of a step, in sample order, that a rank holds.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_BATCH_H
#define DS_RUN_RANKS_BATCH_H

#include "ds/Data/Array.h"
#include "ds/Data/Parts.h"
#include "ds/Step/Manifest.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace ds {

struct BatchFacts {
  int64_t rowsPerRank = 0;
  int64_t rowsPerStep = 0;
};

/// Computes the facts. All batch arguments must agree; a step without one cannot be fed.
llvm::Expected<BatchFacts> batchFacts(const Manifest &manifest, int64_t numRanks);

/// Refuses a parameter that no result updates: it is a mistake in the export, on one rank too,
/// where no pass looks for gradients.
llvm::Error checkUpdates(const Manifest &manifest);

/// Refuses files of each rank's own with `full_batch`, where all ranks take the same samples.
/// `numShards` is 0 if all ranks read the same files.
llvm::Error checkSharedSamples(const Manifest &manifest, int64_t numShards);

/// Returns which of the shards along its axis `rank` holds.
int64_t coordinateOf(const Manifest &manifest, const AxisShard &shard, int64_t rank,
                     int64_t numRanks);

/// Returns the positions of `rank`'s part of an argument or result with the global shape `whole`.
/// In `global` semantics samples are sharded by layout; in `local` each rank holds a block of its
/// own.
Positions positionsOf(const Manifest &manifest, const ArgumentSpec &argument, int64_t rank,
                      int64_t numRanks, const std::vector<int64_t> &whole);
Positions positionsOf(const Manifest &manifest, const ResultSpec &result, int64_t rank,
                      int64_t numRanks, const std::vector<int64_t> &whole);

/// Returns the global shape of an argument or result.
std::vector<int64_t> wholeShape(const Manifest &manifest, const ArgumentSpec &argument,
                                int64_t numRanks);
std::vector<int64_t> wholeShape(const Manifest &manifest, const ResultSpec &result,
                                int64_t numRanks);

/// Returns `local: 4 ranks x 32 samples = 128 per step, gradients summed (gradients_mean=false)`.
std::string describeRun(const Manifest &manifest, const BatchFacts &facts, int64_t numRanks);

/// Returns the mesh like the key `mesh`, `dp=2,tp=4`; empty if all ranks form one axis.
std::string meshKey(const Manifest &manifest);
/// Returns `, optimizer sharded (level1)`; empty if the optimizer is replicated.
std::string describeLevel(const PlanFigures &plan);

/// Returns `auto: mesh dp=2 x tp=4 (of 4), estimated 0.91 ms per step, lower bound 0.91 (gap 0.00
/// %), data parallel 1.02; a rank holds 46 KiB of arguments, 86 KiB in data parallel, and takes 130
/// KiB in all`; the last figure only for a compiled step.
std::string describePlan(const Manifest &manifest, std::optional<int64_t> rankBytes = {});
llvm::json::Object planToJson(const PlanFigures &plan, std::optional<int64_t> rankBytes = {});

/// Bytes of parameters and states: those on one rank, and those of the global values.
struct CarriedBytes {
  int64_t held = 0, whole = 0;
};
CarriedBytes carriedBytes(const Manifest &manifest, int64_t numRanks);

} // namespace ds

#endif // DS_RUN_RANKS_BATCH_H
