//===- JobEnd.cpp - How a job of several processes ended --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaunchedJob.h"

#include "ds/Run/Ranks/Interrupt.h"
#include "ds/Run/Report/Output.h"

#include <cstring>
#include <sys/wait.h>

namespace ds {

/// Returns the worst exit code that ranks reported: an error first, then a request for a restart.
int LaunchedJob::codeOfRanks() const {
  int worst = 0;
  for (int code : codes) {
    const bool isError = code != 0 && code != exitRequeue && code != exitInterrupted;
    if (isError)
      return code;
    worst = std::max(worst, code);
  }
  return worst;
}

/// Returns the end of a job whose mpirun had to be ended here.
JobEnd LaunchedJob::endOfHungLauncher() const {
  JobEnd end;
  end.killed = true;
  end.code = areAllKnown() ? codeOfRanks() : toldToEnd > 0 ? exitRequeue : 1;
  end.what = "'" + commandLine().front() + "' still ran " + std::to_string(graceSeconds) +
             " s after the job's end, and was ended";
  const bool isUnknown = !areAllKnown() && toldToEnd == 0;
  tell("ds-run: " + (isUnknown ? "error: " + end.what + "; how the ranks ended is not known"
                               : "warning: " + end.what),
       [] { return true; });
  return end;
}

/// Returns the end of the job by the status of the first process that failed, or by that of the
/// last one where all were lost.
JobEnd LaunchedJob::endOfProcesses() const {
  const std::optional<Child> &cause = firstFailure || finished ? firstFailure : lastLost;
  return cause ? endOf(*cause) : JobEnd();
}

JobEnd LaunchedJob::endOf(const Child &cause) const {
  JobEnd end;
  const int status = cause.status;
  const std::string number = std::to_string(cause.rank) + " of " + std::to_string(*options.launch);
  const std::string who = byMpirun ? "the job" : (options.ranks ? "process " : "rank ") + number;
  if (WIFSIGNALED(status)) {
    end.killed = true;
    end.code = 128 + WTERMSIG(status);
    end.what = who + " was killed by signal " + std::to_string(WTERMSIG(status)) + " (" +
               strsignal(WTERMSIG(status)) + ")";
  } else {
    end.code = WEXITSTATUS(status);
    // mpirun encodes a signal in its exit code. A rank that had to be ended hung.
    end.killed = endedByUs || (byMpirun && end.code != 1);
    end.what = who + " ended with exit code " + std::to_string(end.code);
  }
  // The signal came before the rank's first instruction.
  if (toldToEnd == 1 && end.code == 128 + toTell)
    end.code = exitRequeue;
  return end;
}

} // namespace ds
