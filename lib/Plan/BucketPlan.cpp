//===- BucketPlan.cpp - which gradients share a bucket ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pass over the members in order.
//
//===----------------------------------------------------------------------===//

#include "ds/Plan/BucketPlan.h"

#include "llvm/ADT/STLExtras.h"

using namespace ds;

/// Returns the bucket of `number`: the count of indices before it.
static unsigned bucketByIndex(const FusionPolicy &policy, bool inclusive, int64_t number) {
  return llvm::count_if(
      policy.indices, [&](int64_t index) { return inclusive ? index < number : index <= number; });
}

static std::vector<unsigned> planBySize(const FusionPolicy &policy,
                                        llvm::ArrayRef<BucketMember> members) {
  std::vector<unsigned> buckets;
  unsigned bucket = 0;
  int64_t filled = 0;
  for (const BucketMember &member : members) {
    buckets.push_back(bucket);
    filled += member.bytes;
    bool first = bucket == 0 && policy.firstBytes > 0;
    if (filled < (first ? policy.firstBytes : policy.bytes))
      continue;
    ++bucket;
    filled = 0;
  }
  return buckets;
}

std::vector<unsigned> ds::planBuckets(const FusionPolicy &policy, bool inclusive,
                                      llvm::ArrayRef<BucketMember> members) {
  using Mode = FusionPolicy::Mode;
  if (policy.mode == Mode::Size)
    return planBySize(policy, members);
  std::vector<unsigned> buckets;
  for (auto [i, member] : llvm::enumerate(members))
    buckets.push_back(policy.mode == Mode::Index  ? bucketByIndex(policy, inclusive, member.number)
                      : policy.mode == Mode::None ? i
                                                  : 0);
  return buckets;
}

std::vector<int64_t> ds::ignoredIndices(const FusionPolicy &policy, int64_t count) {
  std::vector<int64_t> ignored;
  llvm::copy_if(policy.indices, std::back_inserter(ignored),
                [&](int64_t index) { return index >= count; });
  return ignored;
}
