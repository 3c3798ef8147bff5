//===- Launch.cpp - The ranks of one host as processes ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job is restarted if a rank was killed, or if the job has written a checkpoint since its start:
// a job that fails twice at the same place would fail there for ever.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Command/Launch.h"

#include "LaunchedJob.h"

#include "ds/Run/Feed/Checkpoints.h"
#include "ds/Run/Ranks/Interrupt.h"
#include "ds/Run/Report/Output.h"
#include "ds/Support/UserError.h"

#include "dsrt/dsrt.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"

#include <csignal>

namespace ds {

using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// Returns the time at which the last checkpoint was written; the beginning of time if there is
/// none. Compares the times of all files, because the last checkpoint by name may be a damaged one
/// that --resume skipped.
static llvm::sys::TimePoint<> lastCheckpoint(const RunOptions &options) {
  llvm::sys::TimePoint<> last;
  if (options.save.empty())
    return last;
  for (const auto &checkpoint : findCheckpoints(options.save)) {
    llvm::sys::fs::file_status status;
    if (!llvm::sys::fs::status(checkpoint.second, status))
      last = std::max(last, status.getLastModificationTime());
  }
  return last;
}

/// Returns the arguments without those of --launch, which the started processes must not obey
/// again.
static std::vector<std::string> withoutLaunch(const std::vector<std::string> &arguments) {
  std::vector<std::string> kept;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef name = StringRef(arguments[i]).ltrim('-');
    bool ours = arguments[i][0] == '-' &&
                llvm::is_contained({"launch", "max-restarts", "roster"}, name.split('=').first);
    if (!ours)
      kept.push_back(arguments[i]);
    else if (!name.contains('='))
      ++i; // its value
  }
  return kept;
}

Expected<int> launch(const RunOptions &options, const std::vector<std::string> &arguments) {
  int32_t rank = 0, size = 1;
  if (dsrt_launched(&rank, &size))
    return userError("--launch starts " + Twine(*options.launch) +
                     " processes, but a launcher has started this one; leave one of them out");
  sigset_t signals = signalsOfJobs();
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  LaunchedJob job(options, withoutLaunch(arguments));
  for (int64_t restarts = 0;; ++restarts) {
    const auto before = lastCheckpoint(options);
    if (llvm::Error error = job.start())
      return error;
    const JobEnd end = job.wait();
    const bool isDone = end.code == 0 || end.code == exitRequeue || end.code == exitInterrupted;
    if (isDone || job.wasToldToEnd() || options.maxRestarts == 0)
      return end.code;
    const bool goesOn = end.killed || lastCheckpoint(options) > before;
    if (restarts == options.maxRestarts || !goesOn) {
      tell("ds-run: error: " + end.what + "; " +
               (goesOn ? "it was started again " + std::to_string(restarts) + " times"
                       : "it is not started again, because it has written no checkpoint since its "
                         "start"),
           [] { return true; });
      return end.code;
    }
    tell("ds-run: warning: " + end.what + "; starting the job again (" +
             std::to_string(restarts + 1) + " of " + std::to_string(options.maxRestarts) +
             " restarts)",
         [] { return true; });
  }
}

} // namespace ds
