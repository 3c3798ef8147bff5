//===- FreeSteps.cpp - Steps of a rank that runs free ---------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Train/FreeSteps.h"

#include "ds/Run/Ranks/Interrupt.h"

namespace ds {

using llvm::Error;
using llvm::Expected;

Watchdog::Activity activityOf(const Training &training, int64_t rank) {
  Watchdog::Activity activity = training.world.activityOf(rank);
  if (training.asynchronous)
    training.asynchronous->addActivity(rank, activity);
  return activity;
}

/// Returns whether ranks meet after the step.
Expected<bool> FreeSteps::comeToMeeting(int64_t step, Report report) {
  auto own = training.metrics.read([&](unsigned slot) { return rank.instance().readResult(slot); });
  bool isFinite = firstNotFinite(training.metrics.names(), own).empty();
  bool asks = interruptRequested() || (!isFinite && training.onNan == OnNan::stop);
  bool meets = training.meetsAt(step + 1);
  {
    FreeRank::Served served(others);
    auto asked = others.end(std::move(own), asks);
    if (!asked)
      return asked.takeError();
    meets |= *asked;
    if (meets)
      if (Error error = others.awaitAll())
        return error;
  }
  if (rank.rank() > 0)
    return meets;
  // Ranks exchange the metrics of the step at whose end they meet.
  for (const int64_t end = meets ? step : step + 1; reported < end; ++reported) {
    auto all = others.takeReports(reported);
    if (!all)
      break;
    const std::vector<llvm::ArrayRef<double>> byRank(all->begin(), all->end());
    if (Error error = report(reported, training.metrics.combine(byRank)))
      return error;
  }
  if (!meets)
    return false;
  (void)others.takeReports(step);
  reported = step + 1;
  if (Error error = AsynchronousStep::gather(rank.instance()))
    return error;
  if (Error error = training.asynchronous->writeOrder(step + 1))
    return error;
  return true;
}

Error FreeSteps::endStep(int64_t step, Report report, llvm::function_ref<Error()> meet) {
  auto meets = comeToMeeting(step, report);
  if (!meets)
    return meets.takeError();
  if (!*meets)
    return Error::success();
  if (Error error = meet())
    return error;
  if (rank.rank() == 0) {
    others.endMeeting();
    return Error::success();
  }
  FreeRank::Served served(others);
  return others.awaitEndOfMeeting();
}

} // namespace ds
