//===- RunTimes.cpp - The times of all steps of a run -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/RunTimes.h"

namespace ds {

void RunTimes::follow(Rank &rank, const std::string &profile) {
  if (!profile.empty())
    rank.keepEvents();
}

void RunTimes::take(Rank &rank) {
  const int64_t place = rank.rank() - world.firstRank();
  if (request.isAsked())
    traces[place] = traceOf(rank);
  times[place] = rank.takeTimes();
  if (const std::optional<StepEvents> &events = rank.stepEvents())
    clocks[place] = events->median();
}

llvm::Error RunTimes::tell(Report &report, const Manifest &manifest, const std::string &profile) {
  reportExchange(report, times, world, manifest.starts.size());
  if (request.isAsked())
    if (llvm::Error error = world.agree(tellTrace(request, world, report, std::move(traces))))
      return error;
  if (profile.empty())
    return llvm::Error::success();
  if (llvm::Error error = world.agree(writeProfile(profile, world, manifest, clocks)))
    return error;
  report.fact("profiled", "wrote '" + profile + "': when gradients are ready",
              llvm::json::Object{{"file", profile}});
  return llvm::Error::success();
}

} // namespace ds
