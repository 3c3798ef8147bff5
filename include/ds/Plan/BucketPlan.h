//===- BucketPlan.h - which gradients share a bucket ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The policy alone, without IR: what may not fuse is the caller's knowledge. Plain C++.
//
//===----------------------------------------------------------------------===//

#ifndef DS_PLAN_BUCKETPLAN_H
#define DS_PLAN_BUCKETPLAN_H

#include "ds/Dialect/IR/Config.h"

namespace ds {

/// A gradient as the policy sees it.
struct BucketMember {
  int64_t number; // its place in the order that is counted, from 0
  int64_t bytes;  // on the wire
};

/// The bucket of each member, numbered from 0. Members come in the order of their numbers.
///
/// index: [a, b] puts the first a into bucket 0, those up to the b-th into bucket 1, the others
/// into bucket 2; with 'inclusive' the numbers a and b themselves end their bucket. size: a bucket
/// closes with the member that fills it. all: one bucket. none: one bucket per member.
std::vector<unsigned> planBuckets(const FusionPolicy &policy, bool inclusive,
                                  llvm::ArrayRef<BucketMember> members);

/// The indices that split nothing, because fewer than that many gradients are counted.
std::vector<int64_t> ignoredIndices(const FusionPolicy &policy, int64_t count);

} // namespace ds

#endif // DS_PLAN_BUCKETPLAN_H
