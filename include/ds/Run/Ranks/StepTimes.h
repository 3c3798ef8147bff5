//===- StepTimes.h - What steps take, and what their exchanges expose -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_STEPTIMES_H
#define DS_RUN_RANKS_STEPTIMES_H

#include "ds/Run/Ranks/World.h"
#include "ds/Run/Report/Report.h"

namespace ds {

/// The time of one step on one rank.
struct StepTime {
  uint64_t ns = 0;
  ExchangeTimes exchange;
};

/// The times of a rank's last steps; bounded, so that a long training needs no more memory than a
/// short one.
class StepTimes {
public:
  void add(StepTime time);
  int64_t count() const { return steps; }
  /// Returns the bytes that the rank passed to collectives in all steps.
  uint64_t exchanged() const { return bytes; }
  /// Returns the median of each figure; the first of several steps, which warms up, is left out.
  StepTime median() const;

private:
  static constexpr size_t most = 1024;
  std::vector<StepTime> times;
  int64_t steps = 0;
  uint64_t bytes = 0;
};

/// Reports the median step of the rank whose exchanges are exposed longest, and the number of
/// exchanges that it starts; as text if a link is modelled. Reports nothing for one rank, or
/// without steps.
void reportExchange(Report &report, llvm::ArrayRef<StepTimes> byRank, const World &world,
                    int64_t starts);

} // namespace ds

#endif // DS_RUN_RANKS_STEPTIMES_H
