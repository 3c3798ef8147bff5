//===- Sampler.cpp - Which samples a step and a rank get --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In `local` every rank owns ceil(N/n) positions, the last ones shared if n does not divide N
// (unless the last batch is padded: then they are padding), so all ranks take the same number of
// steps. If ranks choose their shards, n is the number of shards.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Sampler.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace ds {

std::vector<int64_t> rowsOfRank(const std::optional<ShardLayout> &layout, int64_t rank,
                                int64_t numRanks, int64_t total) {
  std::vector<int64_t> rows;
  if (!layout) {
    rows.resize(total);
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
  }
  assert(layout->a * numRanks * layout->b == total && "the layout does not describe these rows");
  rows.reserve(layout->a * layout->b);
  for (int64_t i = 0; i < layout->a; ++i)
    for (int64_t j = 0; j < layout->b; ++j)
      rows.push_back((i * numRanks + rank) * layout->b + j);
  return rows;
}

static int64_t ceilDivide(int64_t a, int64_t b) { return (a + b - 1) / b; }

Sampler::Sampler(const SamplerOptions &options) : options(options) {
  // One rank's share and rows, or those of all ranks together.
  int64_t available = options.samples, rows = options.rowsPerStep;
  if (!together()) {
    available = ceilDivide(available, numShards());
    rows /= options.numRanks;
  }
  steps = options.lastBatch == LastBatch::drop ? available / rows : ceilDivide(available, rows);
}

int64_t Sampler::numShards() const {
  return options.shards.empty() ? options.numRanks : options.numShards;
}

Shard Sampler::shardOf(int64_t rank) const {
  return options.shards.empty() ? Shard{0, rank} : options.shards[rank];
}

int64_t Sampler::droppedSamples() const {
  int64_t available = options.shards.empty()
                          ? options.samples
                          : ceilDivide(options.samples, numShards()) * options.numRanks;
  return std::max<int64_t>(0, available - steps * options.rowsPerStep);
}

const EpochOrder &Sampler::orderOf(int64_t epoch) const {
  if (epoch != cachedEpoch) {
    cachedOrder =
        std::make_unique<const EpochOrder>(options.seed, epoch, options.samples, options.shuffle);
    cachedEpoch = epoch;
  }
  return *cachedOrder;
}

int64_t Sampler::paddingRows() const {
  if (options.lastBatch != LastBatch::pad)
    return 0;
  int64_t counted = 0;
  for (int64_t rank = 0; rank < options.numRanks; ++rank)
    counted += samplesOfRank(rank);
  return steps * options.rowsPerStep - counted;
}

/// Counts positions s, s + n, .. of the epoch, for shard s of n.
int64_t Sampler::samplesOfRank(int64_t rank) const {
  return (options.samples - shardOf(rank).number + numShards() - 1) / numShards();
}

std::optional<int64_t> Sampler::rankWithoutSamples() const {
  if (options.lastBatch == LastBatch::pad && !together())
    for (int64_t rank = options.numRanks - 1; rank >= 0; --rank)
      if (samplesOfRank(rank) < steps)
        return rank;
  return std::nullopt;
}

void Sampler::drawTogether(int64_t step, const EpochOrder &order, StepRows &rows) const {
  for (int64_t i = 0; i < options.rowsPerStep; ++i) {
    int64_t position = step * options.rowsPerStep + i;
    rows.samples[i] = order[position % options.samples];
    rows.counts[i] = options.lastBatch != LastBatch::pad || position < options.samples;
  }
}

/// Ranks differ by at most one sample. A rank that would have none in the last step keeps a sample
/// of the previous step for it.
void Sampler::drawByRank(int64_t step, const EpochOrder &order, StepRows &rows) const {
  int64_t perRank = options.rowsPerStep / options.numRanks, n = numShards();
  bool pads = options.lastBatch == LastBatch::pad;
  int64_t available = ceilDivide(options.samples, n);
  ShardLayout layout = options.global ? *options.layout : ShardLayout{0, 1, perRank};
  for (int64_t rank = 0; rank < options.numRanks; ++rank) {
    std::vector<int64_t> places = rowsOfRank(layout, rank, options.numRanks, options.rowsPerStep);
    Shard shard = shardOf(rank);
    int64_t own = samplesOfRank(rank);
    auto startOf = [&](int64_t k) {
      return !pads ? k * perRank : k == steps ? own : std::min(k * perRank, own - (steps - k));
    };
    int64_t first = startOf(step), count = pads ? startOf(step + 1) - first : perRank;
    for (int64_t i = 0; i < perRank; ++i) {
      int64_t position = n * ((first + i) % available) + shard.number;
      rows.samples[places[i]] = shard.first + order[position % options.samples];
      rows.counts[places[i]] = i < count;
    }
  }
}

std::shared_ptr<const StepRows> Sampler::batch(int64_t step) const {
  std::lock_guard<std::mutex> lock(mutex);
  Drawn &last = drawn[step % 2];
  if (last.step == step)
    return last.rows;
  const EpochOrder &order = orderOf(step / steps);
  StepRows rows{std::vector<int64_t>(options.rowsPerStep),
                std::vector<bool>(options.rowsPerStep, true)};
  if (together())
    drawTogether(step % steps, order, rows);
  else
    drawByRank(step % steps, order, rows);
  last = {step, std::make_shared<const StepRows>(std::move(rows))};
  return last.rows;
}

} // namespace ds
