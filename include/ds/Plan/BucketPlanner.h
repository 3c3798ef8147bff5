//===- BucketPlanner.h - the buckets that end first -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients become ready one after another while the backward pass runs, and are sent over one
// channel, a bucket at a time. A few large buckets pay the latency of a message less often, many
// small ones leave earlier. The planner finds the contiguous buckets with which the last one ends
// first, in O(gradients * pieces of the cost model), and a lower bound for every plan.
//
//===----------------------------------------------------------------------===//
#ifndef DS_PLAN_BUCKETPLANNER_H
#define DS_PLAN_BUCKETPLANNER_H

#include "ds/Plan/ChannelModel.h"

namespace ds {

/// A gradient in the order in which gradients become ready.
struct ReadyGradient {
  int64_t bytes = 0;
  int64_t ready = 0; // ps, not before the gradient in front
  int64_t key = 0;   // only gradients of one key share a bucket
};

struct PlannerOptions {
  int64_t largestBucket = CostPiece::unbounded; // bytes; a larger gradient is sent alone
};

struct BucketSchedule {
  std::vector<size_t> ends; // of each bucket, the number of gradients up to its last one
  int64_t finish = 0;       // ps, when the last bucket has arrived, rounded up
};

/// Returns when buckets with these ends have arrived: each starts when its last gradient is ready
/// and the one before it has arrived.
BucketSchedule simulateBuckets(const std::vector<ReadyGradient> &gradients,
                               const ChannelModel &channel, std::vector<size_t> ends);

/// Returns the contiguous buckets that arrive first; among equal plans one with few buckets. If the
/// model has one piece and buckets have no limit, no plan at all arrives earlier.
BucketSchedule planFirstArrival(const std::vector<ReadyGradient> &gradients,
                                const ChannelModel &channel, const PlannerOptions &options = {});

/// Returns for each prefix of the gradients a lower bound of the arrival of every plan, contiguous
/// or not; in ps, rounded down.
std::vector<int64_t> arrivalBounds(const std::vector<ReadyGradient> &gradients,
                                   const ChannelModel &channel);
} // namespace ds

#endif // DS_PLAN_BUCKETPLANNER_H
