//===- Sampler.h - Which samples a step and a rank get ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of an epoch is one permutation, the same on every rank. A step's batch is listed in
// *sample order*: in `global` positions kB..(k+1)B-1 of the permutation; in `local` the b rows of
// rank 0, then those of rank 1, and so on, where rank s of n draws positions n*j + s. The rows of
// one rank follow from the layout alone. If ranks choose their shards themselves, rank r draws
// positions num_shards*j + shard of its own files, which are all permuted alike, in `global` too:
// the rows that it holds by layout are its own. If the last batch is padded, every sample of the
// epoch counts in exactly one row; the other rows repeat samples and do not count.
//
//===----------------------------------------------------------------------===//
#ifndef DS_DATA_SAMPLER_H
#define DS_DATA_SAMPLER_H

#include "ds/Data/Random.h"
#include "ds/Step/Manifest.h"

#include "llvm/ADT/ArrayRef.h"

#include <memory>
#include <mutex>
#include <vector>

namespace ds {

enum class LastBatch { drop, wrap, pad };

/// The rows of one step in sample order.
struct StepRows {
  std::vector<int64_t> samples;
  std::vector<bool> counts; // false: the row only fills the batch
};

/// Returns the rows of `rank` among `total` rows: `layout` reads them as [a, n, b]; without a
/// layout every rank holds all rows.
std::vector<int64_t> rowsOfRank(const std::optional<ShardLayout> &layout, int64_t rank,
                                int64_t numRanks, int64_t total);

/// The part of its files that one rank reads.
struct Shard {
  int64_t first = 0; // the number of its files' first sample, over all ranks
  int64_t number = 0;
};

struct SamplerOptions {
  int64_t samples = 0;     // in the data, or in the files of each rank
  int64_t rowsPerStep = 0; // of all ranks together
  int64_t numRanks = 1;
  bool global = false;
  LastBatch lastBatch = LastBatch::drop;
  uint64_t seed = 0;
  bool shuffle = true;
  int64_t numShards = 0;             // 0: all ranks share the data
  std::vector<Shard> shards;         // else one per rank
  std::optional<ShardLayout> layout; // and the place of a rank's rows in a step, in `global`
};

/// Thread-safe.
class Sampler {
public:
  explicit Sampler(const SamplerOptions &options);

  /// Zero if the data does not fill one step and the last batch is dropped.
  int64_t stepsPerEpoch() const { return steps; }
  /// Samples of an epoch that no step reads; 0 unless the last batch is dropped.
  int64_t droppedSamples() const;
  /// Rows of an epoch that only fill a batch; 0 unless the last batch is padded.
  int64_t paddingRows() const;
  /// With padding: returns a rank that would have no counting row in some step, and would divide by
  /// a weight of zero.
  std::optional<int64_t> rankWithoutSamples() const;
  /// Returns the rows of global step `step`, counted across epochs. They are those of all ranks, so
  /// the ranks of a process draw them once.
  std::shared_ptr<const StepRows> batch(int64_t step) const;

private:
  /// True if all ranks draw from one common order.
  bool together() const { return options.global && options.shards.empty(); }
  int64_t numShards() const;
  Shard shardOf(int64_t rank) const;
  int64_t samplesOfRank(int64_t rank) const;
  void drawTogether(int64_t step, const EpochOrder &order, StepRows &rows) const;
  void drawByRank(int64_t step, const EpochOrder &order, StepRows &rows) const;
  const EpochOrder &orderOf(int64_t epoch) const;

  SamplerOptions options;
  int64_t steps = 0;
  mutable std::mutex mutex; // of the members below
  mutable int64_t cachedEpoch = -1;
  mutable std::unique_ptr<const EpochOrder> cachedOrder;
  struct Drawn {
    int64_t step = -1;
    std::shared_ptr<const StepRows> rows;
  };
  /// By the parity of the step: ranks are one step apart.
  mutable Drawn drawn[2];
};

} // namespace ds

#endif // DS_DATA_SAMPLER_H
