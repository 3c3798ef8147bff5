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

/// When one rank's steps start their exchanges, and begin to wait.
class StepEvents {
public:
  /// Of steps that start so many exchanges.
  StepEvents(dsrt_context *context, int64_t starts);

  void begin();
  /// Of a step that began then, on the steady clock.
  void end(uint64_t beganNs);
  /// Nanoseconds from the start of a step: of each exchange, and last of the first wait.
  std::vector<int64_t> medians() const;

private:
  dsrt_context *context;
  std::vector<std::vector<uint64_t>> times;
  std::vector<dsrt_event> events;
};

/// Writes what `plan_profile` reads, on rank 0. `ofRanks` are the medians of the ranks of this
/// process. Collective over processes.
llvm::Error writeProfile(const std::string &path, World &world, const Manifest &manifest,
                         llvm::ArrayRef<std::vector<int64_t>> ofRanks);

} // namespace ds

#endif // DS_RUN_RANKS_PROFILE_H
