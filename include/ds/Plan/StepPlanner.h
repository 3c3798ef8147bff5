//===- StepPlanner.h - the buckets that delay a step least ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The buckets that arrive first are not always those with which a step ends first: starting a
// bucket takes time of the computing thread, an exchange hidden by the updates of earlier buckets
// costs nothing, and the step has other exchanges on the same channel.
//
//===----------------------------------------------------------------------===//
#ifndef DS_PLAN_STEPPLANNER_H
#define DS_PLAN_STEPPLANNER_H

#include "ds/Plan/BucketPlanner.h"

namespace ds {

/// An exchange that is not a gradient: of a metric, or one that the backward pass itself needs.
struct OtherExchange {
  static constexpr int64_t atEnd = INT64_MAX;
  int64_t bytes = 0;
  int64_t ready = 0;      // ps
  int64_t needed = atEnd; // ps, not before `ready`: where the step waits for it; else in the order
                          // of starts, after all computation
};

/// A step on the clock of its computing thread, which stops in starts and waits. Updates come last,
/// each after the wait for its bucket; waits are in the order of starts.
struct StepTimeline {
  std::vector<ReadyGradient> gradients;
  std::vector<int64_t> updates;      // ps of each gradient's update; empty: updates take no time
  std::vector<OtherExchange> others; // in the order of `ready`
  int64_t launch = 0;                // ps of the thread for starting any exchange
  int64_t computeEnds = 0;           // ps, not before the last gradient is ready
};

/// Simulates the step with buckets with these ends. `finish` is `computeEnds` plus the time that
/// starts and waits add to the step, rounded up.
BucketSchedule simulateStep(const StepTimeline &step, const ChannelModel &channel,
                            std::vector<size_t> ends);

/// Returns the contiguous buckets with which the step ends first. If that takes too many states
/// (several hundred gradients and costly starts), returns the best of the buckets that arrive
/// first, a single one, and one per gradient.
BucketSchedule planStep(const StepTimeline &step, const ChannelModel &channel,
                        const PlannerOptions &options = {});

/// Returns a lower bound of `finish` for all contiguous buckets; in ps, rounded down.
int64_t stepBound(const StepTimeline &step, const ChannelModel &channel);

} // namespace ds

#endif // DS_PLAN_STEPPLANNER_H
