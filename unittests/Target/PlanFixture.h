//===- PlanFixture.h - Library plans run alone ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_UNITTESTS_TARGET_PLANFIXTURE_H
#define DS_UNITTESTS_TARGET_PLANFIXTURE_H

#include "../../lib/Target/Cpu/Library/LibraryPlan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

namespace ds {

using Values = std::vector<float>;

/// Small integers, so every order of adding gives the same bits.
inline Values integers(std::mt19937 &random, int64_t count) {
  Values made(count);
  for (float &value : made)
    value = static_cast<int>(random() % 9) - 4;
  return made;
}

/// What a call of the plan makes of `out`.
inline Values run(const LibraryPlan &plan, const Values &lhs, const Values &rhs, Values out) {
  // Scratch memory holds whatever the last call left there.
  size_t bytes = (plan.scratchBytes() + 63) / 64 * 64;
  auto *scratch = static_cast<float *>(std::aligned_alloc(64, bytes + 64));
  constexpr float canary = 12345;
  std::fill_n(scratch, (bytes + 64) / sizeof(float), canary);
  plan.instantiate()->run(lhs.data(), rhs.data(), out.data(), reinterpret_cast<char *>(scratch));
  const float *end = scratch + bytes / sizeof(float);
  EXPECT_EQ(std::count(end, end + 16, canary), 16) << "more scratch memory than it says";
  std::free(scratch);
  return out;
}

} // namespace ds

#endif // DS_UNITTESTS_TARGET_PLANFIXTURE_H
