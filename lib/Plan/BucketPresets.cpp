//===- BucketPresets.cpp - buckets as other systems make them -------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PyTorch: torch/csrc/distributed/c10d/reducer.cpp, compute_bucket_assignment_by_size. XLA: the
// thresholds of gpu/xla_gpu all-reduce combining. Horovod: HOROVOD_FUSION_THRESHOLD. MindSpore:
// comm_fusion's mode auto. Megatron-LM: DistributedDataParallelConfig.bucket_size. MG-WFBP:
// HKBU-HPML/MG-WFBP, distributed_optimizer.py.
//
//===----------------------------------------------------------------------===//
#include "ds/Plan/BucketPresets.h"

#include <algorithm>

namespace ds {
namespace {

constexpr int64_t mebibyte = int64_t(1) << 20;

using Gradients = std::vector<ReadyGradient>;

/// When a bucket that is filled gradient by gradient is closed.
struct Filling {
  int64_t bytes = CostPiece::unbounded, firstBytes = 0; // 0: as the others
  size_t members = SIZE_MAX;
  bool closedByLast = false; // the gradient that reaches `bytes` is included
};

std::vector<size_t> fill(const Gradients &gradients, const Filling &filling) {
  std::vector<size_t> ends;
  int64_t bytes = 0;
  size_t members = 0;
  auto close = [&](size_t end) {
    ends.push_back(end);
    bytes = members = 0;
  };
  for (size_t i = 0; i < gradients.size(); ++i) {
    int64_t limit = ends.empty() && filling.firstBytes ? filling.firstBytes : filling.bytes;
    bool isOther = members > 0 && gradients[i].key != gradients[i - 1].key;
    bool isTooMuch = members > 0 && (members == filling.members ||
                                     (!filling.closedByLast && bytes + gradients[i].bytes > limit));
    if (isOther || isTooMuch)
      close(i);
    bytes += gradients[i].bytes;
    ++members;
    if (filling.closedByLast && bytes >= limit)
      close(i + 1);
  }
  if (members > 0)
    close(gradients.size());
  return ends;
}

/// A bucket takes the next gradient too if that is ready before the bucket has arrived, and either
/// before the bucket leaves or less than one latency after it.
std::vector<size_t> mergeGreedily(const Gradients &gradients, const ChannelModel &channel) {
  int64_t latency = channel.pieces().front().start;
  std::vector<size_t> ends;
  Ticks leaves = 0;
  int64_t bytes = 0;
  for (size_t i = 0; i < gradients.size(); ++i) {
    leaves = std::max(leaves, gradients[i].ready * ticksPerPicosecond);
    bytes += gradients[i].bytes;
    Ticks arrives = leaves + channel.time(bytes);
    if (i + 1 < gradients.size() && gradients[i + 1].key == gradients[i].key) {
      Ticks next = gradients[i + 1].ready * ticksPerPicosecond;
      if (next < arrives && (leaves > next || next - leaves < latency * ticksPerPicosecond))
        continue;
    }
    ends.push_back(i + 1);
    leaves = arrives;
    bytes = 0;
  }
  return ends;
}

/// True if no bucket of several gradients is larger than the options allow.
bool fits(const Gradients &gradients, const std::vector<size_t> &ends,
          const PlannerOptions &options) {
  size_t first = 0;
  for (size_t last : ends) {
    int64_t bytes = 0;
    for (size_t i = first; i < last; ++i)
      bytes += gradients[i].bytes;
    if (last - first > 1 && bytes > options.largestBucket)
      return false;
    first = last;
  }
  return true;
}

} // namespace

const char *toString(BucketPreset preset) {
  switch (preset) {
  case BucketPreset::One:
    return "one";
  case BucketPreset::Each:
    return "each";
  case BucketPreset::Ddp:
    return "ddp";
  case BucketPreset::Xla:
    return "xla";
  case BucketPreset::Horovod:
    return "horovod";
  case BucketPreset::MindSpore:
    return "mindspore";
  case BucketPreset::Megatron:
    return "megatron";
  case BucketPreset::MgWfbp:
    return "mg-wfbp";
  }
  return "";
}

std::vector<size_t> bucketsOf(BucketPreset preset, const Gradients &gradients,
                              const ChannelModel &channel, int64_t numRanks) {
  Filling filling;
  switch (preset) {
  case BucketPreset::One:
    break;
  case BucketPreset::Each:
    filling.members = 1;
    break;
  case BucketPreset::Ddp:
    filling.firstBytes = mebibyte;
    filling.bytes = 25 * mebibyte;
    filling.closedByLast = true;
    break;
  case BucketPreset::Xla:
    filling.bytes = 30 * mebibyte;
    filling.members = 256;
    break;
  case BucketPreset::Horovod:
    filling.bytes = 128 * mebibyte;
    break;
  case BucketPreset::MindSpore:
    filling.bytes = 64 * mebibyte;
    break;
  case BucketPreset::Megatron:
    filling.bytes = 4 * std::max<int64_t>(40000000, 1000000 * numRanks);
    filling.closedByLast = true;
    break;
  case BucketPreset::MgWfbp:
    return mergeGreedily(gradients, channel);
  }
  return fill(gradients, filling);
}

int64_t BucketCertificate::gapPpm() const {
  if (bound <= 0)
    return 0;
  return static_cast<int64_t>(Ticks(plan.finish - bound) * 1000000 / bound);
}

BucketCertificate certifyBuckets(const StepTimeline &step, const ChannelModel &channel,
                                 int64_t numRanks, const PlannerOptions &options) {
  BucketCertificate certificate;
  certificate.computed = step.computeEnds;
  certificate.plan = planStep(step, channel, options);
  certificate.bound = stepBound(step, channel);
  for (BucketPreset preset : allBucketPresets) {
    BucketSchedule schedule =
        simulateStep(step, channel, bucketsOf(preset, step.gradients, channel, numRanks));
    // The search may have stopped early.
    if (schedule.finish < certificate.plan.finish && fits(step.gradients, schedule.ends, options))
      certificate.plan = schedule;
    certificate.presets.emplace_back(preset, std::move(schedule));
  }
  return certificate;
}

} // namespace ds
