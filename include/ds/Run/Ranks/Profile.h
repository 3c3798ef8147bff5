//===- Profile.h - When the gradients of a step are ready -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_PROFILE_H
#define DS_RUN_RANKS_PROFILE_H

#include "ds/Run/Ranks/World.h"
#include "ds/Step/Manifest.h"
#include "dsrt/events.h"

namespace ds {

/// Nanoseconds of a step on the clock of its computing thread, which is stopped in starts and waits
/// of exchanges. The lists have an entry for each exchange that the step starts.
struct StepClock {
  std::vector<int64_t> ready;   // when it is started
  std::vector<int64_t> needed;  // when it is waited for
  std::vector<int64_t> updates; // from the end of its wait to the next wait, or to the end
  int64_t launch = 0;           // the mean time of a start call
  int64_t computeEnds = 0;      // when the first wait after all starts begins
};

/// Measures when a rank's steps start their exchanges and wait for them.
class StepEvents {
public:
  /// For steps that start `starts` exchanges.
  StepEvents(dsrt_context *context, int64_t starts);

  void begin();
  /// Ends a step that ran between these times of the steady clock.
  void end(uint64_t beganNs, uint64_t endedNs);
  /// Returns the median of each figure over the steps. The first of several steps, which warms up,
  /// is left out.
  StepClock median() const;

private:
  dsrt_context *context;
  size_t starts;
  std::vector<StepClock> steps; // at most a fixed number
  std::vector<dsrt_event> events;
};

/// Writes the file that `plan_profile` reads, on rank 0. `ofRanks` are the medians of the ranks of
/// this process. Collective over processes.
llvm::Error writeProfile(const std::string &path, World &world, const Manifest &manifest,
                         llvm::ArrayRef<StepClock> ofRanks);

} // namespace ds

#endif // DS_RUN_RANKS_PROFILE_H
