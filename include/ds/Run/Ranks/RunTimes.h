//===- RunTimes.h - The times of all steps of a run -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_RUNTIMES_H
#define DS_RUN_RANKS_RUNTIMES_H

#include "ds/Run/Ranks/Rank.h"
#include "ds/Run/Ranks/Trace.h"
#include "ds/Run/Ranks/World.h"
#include "ds/Run/Report/Report.h"

namespace ds {

/// The times of the ranks of this process.
class RunTimes {
public:
  explicit RunTimes(World &world, TraceRequest request = {})
      : world(world), request(std::move(request)), times(world.numLocalRanks()),
        clocks(world.numLocalRanks()), traces(world.numLocalRanks()) {}

  /// Called on the rank's own thread, before its first step and after its last.
  void follow(Rank &rank, const std::string &profile);
  void take(Rank &rank);
  /// Reports the exposed time of exchanges and the trace, and writes the profile, if requested.
  /// Collective.
  llvm::Error tell(Report &report, const Manifest &manifest, const std::string &profile);

private:
  World &world;
  const TraceRequest request;
  std::vector<StepTimes> times;
  std::vector<StepClock> clocks;
  std::vector<llvm::json::Object> traces;
};

} // namespace ds

#endif // DS_RUN_RANKS_RUNTIMES_H
