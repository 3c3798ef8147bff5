//===- LaunchedJob.h - The processes of one job -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_COMMAND_LAUNCHEDJOB_H
#define DS_RUN_COMMAND_LAUNCHEDJOB_H

#include "ds/Run/Options/Options.h"

#include "dsrt/roster.h"

#include <csignal>
#include <ctime>
#include <set>
#include <sys/types.h>

namespace ds {

/// The time in which the rest of a job may end by itself: after a rank has failed (ranks report the
/// cause), after its ranks have ended, or after a second signal.
constexpr int graceSeconds = 10;

/// How a job ended.
struct JobEnd {
  int code = 0;        // of the first process that failed
  bool killed = false; // a process did not end by itself
  std::string what;    // a sentence about it
};

/// Returns the signals that --launch blocks and takes one at a time while a job runs: those that it
/// forwards, and SIGCHLD.
sigset_t signalsOfJobs();

/// Starts the number of processes that --launch gives, and waits for them.
class LaunchedJob {
public:
  LaunchedJob(const RunOptions &options, std::vector<std::string> arguments);
  ~LaunchedJob();

  llvm::Error start();
  JobEnd wait();
  bool wasToldToEnd() const { return toldToEnd > 0; }

private:
  struct Child {
    pid_t process = -1;
    int64_t rank = 0;
    int status = 0; // of waitpid
    bool runs = true;
  };

  std::vector<std::string> commandLine() const;
  llvm::Expected<pid_t> startProcess(const std::vector<std::string> &line,
                                     const std::vector<std::string> &variables);
  void collect();
  bool awaitsRanks() const;
  void findRanks();
  void pass(int signal);
  void tellRanks();
  bool isOver() const;
  void endLeft(time_t late);
  void killAll(int signal);
  void readCodes();
  bool areAllKnown() const { return codes.size() == static_cast<size_t>(*options.launch); }
  int codeOfRanks() const;
  JobEnd endOfHungLauncher() const;
  JobEnd endOfProcesses() const;
  JobEnd endOf(const Child &cause) const;
  llvm::Error openRoster();
  /// True if the job goes on without processes that end so, by --min-processes.
  bool mayLose(int status) const;
  bool isRosterInUse() const;

  const RunOptions &options;
  std::vector<std::string> arguments;
  bool byMpirun, interrupted = false;
  int toldToEnd = 0;      // number of signals
  int toTell = 0;         // the first of those signals
  std::set<pid_t> ranks;  // live ranks of mpirun on this host
  bool hadRanks = false;  // on this host
  time_t started = 0;     // when the current job started
  time_t nextSearch = 0;  // when to search for ranks again
  std::set<pid_t> told;   // ranks that got the signal
  time_t elsewhere = 0;   // when mpirun gets the signal, for ranks that are not found here
  bool endedByUs = false; // processes left after the grace period
  int codePipe[2] = {-1, -1};
  std::vector<unsigned char> codes; // exit codes that ranks of mpirun have reported
  std::vector<Child> children;
  std::optional<Child> firstFailure;
  dsrt_roster *roster = nullptr; // with --min-processes
  bool finished = false;         // a process has ended with 0: the training has come to its end
  std::optional<Child> lastLost;
};

} // namespace ds

#endif // DS_RUN_COMMAND_LAUNCHEDJOB_H
