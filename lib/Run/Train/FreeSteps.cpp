//===- FreeSteps.cpp - Steps of a rank that waits for none ----------------===//
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

/// Whether ranks meet behind the step.
Expected<bool> FreeSteps::comeToMeeting(int64_t step, Report report) {
  auto own = training.metrics.read([&](unsigned slot) { return rank.instance().readResult(slot); });
  bool isFinite = firstNotFinite(training.metrics.names(), own).empty();
  server.end(rank.rank(), std::move(own));
  if (interruptRequested() || (!isFinite && training.onNan == OnNan::stop))
    server.askToMeet();
  bool meets = training.meetsAt(step + 1) || server.meetsAt(step + 1);
  if (meets)
    if (Error error = server.awaitAll(rank.rank(), step + 1, rank.context()))
      return error;
  if (rank.rank() > 0)
    return meets;
  // Of the step at whose end they meet, ranks exchange their metrics.
  for (const int64_t end = meets ? step : step + 1; reported < end; ++reported) {
    auto all = server.takeReports(reported);
    if (!all)
      break;
    if (Error error = report(reported, training.metrics.combine(*all)))
      return error;
  }
  if (!meets)
    return false;
  (void)server.takeReports(step);
  reported = step + 1;
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
  if (rank.rank() > 0)
    return server.awaitEndOfMeeting(rank.rank(), step + 1, rank.context());
  server.endMeeting(step + 1);
  return Error::success();
}

} // namespace ds
