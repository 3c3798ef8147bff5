//===- Batch.h - How many rows a step takes ---------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about the batch that follow from the manifest: rows per rank, rows per step, and which of
// the rows of a step, in sample order, one rank holds.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_BATCH_H
#define DS_RUN_BATCH_H

#include "ds/Data/Array.h"
#include "ds/Step/Manifest.h"

#include "llvm/Support/Error.h"

namespace ds {

struct BatchFacts {
  int64_t rowsPerRank = 0;
  int64_t rowsPerStep = 0;
};

/// All batch arguments must agree; a step without one cannot be fed.
llvm::Expected<BatchFacts> batchFacts(const Manifest &manifest, int64_t numRanks);

/// A parameter that no result updates is a mistake in the export, on one rank too, where no pass
/// looks for gradients.
llvm::Error checkUpdates(const Manifest &manifest);

/// The rows of `rank` among the step's rows in sample order: by layout in `global`, the rank's own
/// block in `local`.
std::vector<int64_t> rowsOf(const Manifest &manifest, const std::optional<ShardLayout> &layout,
                            int64_t rank, int64_t numRanks, int64_t total);

/// The shape of an argument or result when what all ranks hold is put together.
std::vector<int64_t> wholeShape(const Manifest &manifest, const ArgumentSpec &argument,
                                int64_t numRanks);
std::vector<int64_t> wholeShape(const Manifest &manifest, const ResultSpec &result,
                                int64_t numRanks);

/// `local: 4 ranks x 32 samples = 128 per step, gradients summed (gradients_mean=false)`
std::string describeRun(const Manifest &manifest, const BatchFacts &facts, int64_t numRanks);

/// Bytes of parameters and states: what one rank holds, and what there is.
struct CarriedBytes {
  int64_t held = 0, whole = 0;
};
CarriedBytes carriedBytes(const Manifest &manifest, int64_t numRanks);

/// Copies rows of `source` along dimension `dim` to `target`, which holds `rows.size()` of them;
/// `shape` is the source's.
void takeRows(const std::vector<int64_t> &shape, int64_t dim, int64_t elementSize,
              const std::vector<int64_t> &rows, const void *source, void *target);
/// The inverse: row i of `source` becomes row rows[i] of `target`; `shape` is the target's.
void putRows(const std::vector<int64_t> &shape, int64_t dim, int64_t elementSize,
             const std::vector<int64_t> &rows, const void *source, void *target);

} // namespace ds

#endif // DS_RUN_BATCH_H
