//===- StepPlanner.h - the buckets that delay a step least ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The buckets that arrive first are not yet those with which a step ends first: starting a bucket
// takes time of the thread that computes, what hides behind the updates of earlier buckets costs
// nothing, and the step has other exchanges on the same channel.
//
//===----------------------------------------------------------------------===//
#ifndef DS_PLAN_STEPPLANNER_H
#define DS_PLAN_STEPPLANNER_H

#include "ds/Plan/BucketPlanner.h"

namespace ds {

/// An exchange that is no gradient: of a metric, or one that the backward pass itself needs.
struct OtherExchange {
  static constexpr int64_t atEnd = INT64_MAX;
  int64_t bytes = 0;
  int64_t ready = 0;      // ps
  int64_t needed = atEnd; // ps, not before `ready`: where the step waits for it; else in the order
                          // of starts, when everything is computed
};

/// A step on the clock of its computing thread, which stands still in starts and waits. Updates
/// come last, each behind the wait of its bucket; waits are in the order of starts.
struct StepTimeline {
  std::vector<ReadyGradient> gradients;
  std::vector<int64_t> updates;      // ps of each gradient's; empty: none takes time
  std::vector<OtherExchange> others; // in the order of `ready`
  int64_t launch = 0;                // ps that starting any exchange takes of the thread
  int64_t computeEnds = 0;           // ps, not before the last gradient is ready
};

/// How the step runs with buckets that end so. `finish` is `computeEnds` and all that starts and
/// waits add to the step, rounded up.
BucketSchedule simulateStep(const StepTimeline &step, const ChannelModel &channel,
                            std::vector<size_t> ends);

/// The contiguous buckets with which the step ends first. Where that takes too many states (several
/// hundred gradients and costly starts), the best of the buckets that arrive first, one, and each.
BucketSchedule planStep(const StepTimeline &step, const ChannelModel &channel,
                        const PlannerOptions &options = {});

/// With no contiguous buckets `finish` is less; in ps, rounded down.
int64_t stepBound(const StepTimeline &step, const ChannelModel &channel);

} // namespace ds

#endif // DS_PLAN_STEPPLANNER_H
