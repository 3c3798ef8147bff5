//===- FollowSamples.cpp - Which values hold samples ----------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only whether a value carries samples matters, so the batch is followed in a small number of
// parts: the first prime factor for which no reshape or slice splits a sample, or else the one with
// the fewest reads of other samples' rows. With one part per sample, reshapes must choose among
// unit dimensions.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/Cut/ReductionPlan.h"

namespace ds {

/// 0: every value holds its own samples or none. 1: rows of other samples are read. 2: samples are
/// lost.
static int rankFollowed(const StepPlacement &followed) {
  if (!followed.conflicts.empty() || !followed.unsharded.empty())
    return 2;
  return llvm::any_of(followed.required,
                      [&](const auto &each) { return followed.of(each.first->get()).isSharded(); });
}

StepPlacement followSamples(const StepFlow &flow) {
  int64_t rows = getSampleSize(getBatchArguments(flow.step()));
  if (rows == 1)
    return shardStep(flow, 1, /*returnsWhole=*/false).placement;
  std::optional<StepPlacement> best;
  for (int64_t parts = 2, rest = rows; rest > 1; ++parts) {
    if (rest % parts != 0)
      continue;
    while (rest % parts == 0)
      rest /= parts;
    StepPlacement followed = shardStep(flow, parts, /*returnsWhole=*/false).placement;
    int rank = rankFollowed(followed);
    if (!best || rank < rankFollowed(*best))
      best = std::move(followed);
    if (rank == 0)
      break;
  }
  return std::move(*best);
}

} // namespace ds
