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

/// Nanoseconds of a step on the clock of its computing thread, which stands still in starts and
/// waits. The lists have an entry for each exchange that the step starts.
struct StepClock {
  std::vector<int64_t> ready;   // where it is started
  std::vector<int64_t> needed;  // where it is waited for
  std::vector<int64_t> updates; // from the end of its wait to the next one, or to the end
  int64_t launch = 0;           // what a start takes of the thread, the mean
  int64_t computeEnds = 0;      // where the first wait behind all starts is
};

/// When one rank's steps start their exchanges, and wait for them.
class StepEvents {
public:
  /// Of steps that start so many exchanges.
  StepEvents(dsrt_context *context, int64_t starts);

  void begin();
  /// Of a step that ran from then to then, on the steady clock.
  void end(uint64_t beganNs, uint64_t endedNs);
  /// Of each figure its own median over the steps; the first of several, which warms up, does not
  /// count.
  StepClock median() const;

private:
  dsrt_context *context;
  size_t starts;
  std::vector<StepClock> steps; // a limited number of them
  std::vector<dsrt_event> events;
};

/// Writes what `plan_profile` reads, on rank 0. `ofRanks` are the medians of the ranks of this
/// process. Collective over processes.
llvm::Error writeProfile(const std::string &path, World &world, const Manifest &manifest,
                         llvm::ArrayRef<StepClock> ofRanks);

} // namespace ds

#endif // DS_RUN_RANKS_PROFILE_H
