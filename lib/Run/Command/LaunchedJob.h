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

#include <csignal>
#include <ctime>
#include <set>
#include <sys/types.h>

namespace ds {

/// How a job ended.
struct JobEnd {
  int code = 0;        // of the first process that failed
  bool killed = false; // a process, by somebody else
  std::string what;    // a sentence about it
};

/// What --launch takes one at a time while a job runs, so it is blocked: the signals that are
/// passed on, and that of a child that ended.
sigset_t signalsOfJobs();

/// Starts as many processes as --launch says, and waits for them.
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

  const RunOptions &options;
  std::vector<std::string> arguments;
  bool byMpirun, interrupted = false;
  int toldToEnd = 0;      // signals
  int toTell = 0;         // the first of them
  std::set<pid_t> ranks;  // of mpirun, on this host, that live
  bool hadRanks = false;  // here
  time_t started = 0;     // of the job that runs
  time_t nextSearch = 0;  // for ranks
  std::set<pid_t> told;   // ranks
  time_t elsewhere = 0;   // when ranks that are not found here are told by mpirun
  bool endedByUs = false; // what was left, after its grace
  int codePipe[2] = {-1, -1};
  std::vector<unsigned char> codes; // of the ranks of mpirun that have said what they end with
  std::vector<Child> children;
  std::optional<Child> firstFailure;
};

} // namespace ds

#endif // DS_RUN_COMMAND_LAUNCHEDJOB_H
