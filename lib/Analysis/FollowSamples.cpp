//===- FollowSamples.cpp - Which values hold samples ----------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only whether a value carries samples matters, so the batch is followed in a small number of
// parts: the first prime factor for which no reshape or slice parts what belongs together. One
// sample is one part; reshapes then choose among unit dimensions.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/ReductionPlan.h"

namespace ds {

StepPlacement followSamples(const StepFlow &flow, bool mayGather) {
  int64_t rows = getSampleSize(getBatchArguments(flow.step()));
  if (rows == 1)
    return divideStep(flow, 1, mayGather).placement;
  std::optional<StepPlacement> first;
  for (int64_t parts = 2, rest = rows; rest > 1; ++parts) {
    if (rest % parts != 0)
      continue;
    while (rest % parts == 0)
      rest /= parts;
    StepPlacement followed = divideStep(flow, parts, mayGather).placement;
    if (followed.conflicts.empty())
      return followed;
    if (!first)
      first = std::move(followed);
  }
  return std::move(*first);
}

} // namespace ds
