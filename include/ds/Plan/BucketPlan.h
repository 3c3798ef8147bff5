//===- BucketPlan.h - which gradients share a bucket ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The policy alone, without IR: the caller knows which members may not be fused. Plain C++.
//
//===----------------------------------------------------------------------===//

#ifndef DS_PLAN_BUCKETPLAN_H
#define DS_PLAN_BUCKETPLAN_H

#include "ds/Dialect/IR/Config.h"

namespace ds {

/// The properties of a gradient that the policy uses.
struct BucketMember {
  int64_t number; // its position in the counted order, from 0
  int64_t bytes;  // on the wire
};

/// Returns the bucket of each member, numbered from 0. Members come in the order of their numbers.
///
/// index: [a, b] puts the first a into bucket 0, those up to the b-th into bucket 1, the others
/// into bucket 2; with 'inclusive' the numbers a and b themselves end their bucket. size: a bucket
/// closes with the member that fills it. all: one bucket. none: one bucket per member.
std::vector<unsigned> planBuckets(const FusionPolicy &policy, bool inclusive,
                                  llvm::ArrayRef<BucketMember> members);

/// Returns the indices that split nothing, because fewer gradients are counted.
std::vector<int64_t> ignoredIndices(const FusionPolicy &policy, int64_t count);

} // namespace ds

#endif // DS_PLAN_BUCKETPLAN_H
