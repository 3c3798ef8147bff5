//===- BucketPresets.h - buckets as other systems make them -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Presets that a plan is compared with: the rules by which other systems fuse all-reduces, with
// their defaults, on the same gradients and channel.
//
//===----------------------------------------------------------------------===//
#ifndef DS_PLAN_BUCKETPRESETS_H
#define DS_PLAN_BUCKETPRESETS_H

#include "ds/Plan/StepPlanner.h"

namespace ds {

enum class BucketPreset {
  One,       // all gradients of a key in a row
  Each,      // one by one
  Ddp,       // PyTorch: 1 MiB, then 25 MiB, closed by the gradient that fills it
  Xla,       // at most 30 MiB and 256 gradients
  Horovod,   // at most 128 MiB
  MindSpore, // at most 64 MiB
  Megatron,  // 40e6 elements of 4 bytes, or 1e6 for each rank, closed by the one that fills it
  MgWfbp,    // the greedy merge of Shi et al., INFOCOM 2019
};
constexpr BucketPreset allBucketPresets[] = {
    BucketPreset::One,     BucketPreset::Each,      BucketPreset::Ddp,      BucketPreset::Xla,
    BucketPreset::Horovod, BucketPreset::MindSpore, BucketPreset::Megatron, BucketPreset::MgWfbp};
const char *toString(BucketPreset preset);

/// Returns the ends of its buckets.
std::vector<size_t> bucketsOf(BucketPreset preset, const std::vector<ReadyGradient> &gradients,
                              const ChannelModel &channel, int64_t numRanks);

/// The quality of a plan: times in ps from the start of the step.
struct BucketCertificate {
  int64_t computed = 0; // when all that needs no gradient is computed, if there were no exchange
  BucketSchedule plan;
  int64_t bound = 0; // no contiguous plan ends earlier
  std::vector<std::pair<BucketPreset, BucketSchedule>> presets;

  /// The time that the exchange adds to the step, starts included.
  int64_t exposed(int64_t finish) const { return finish > computed ? finish - computed : 0; }
  /// How much later than the bound the plan may be, in parts per million of the bound.
  int64_t gapPpm() const;
};
BucketCertificate certifyBuckets(const StepTimeline &step, const ChannelModel &channel,
                                 int64_t numRanks, const PlannerOptions &options = {});

} // namespace ds

#endif // DS_PLAN_BUCKETPRESETS_H
