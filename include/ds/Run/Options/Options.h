//===- Options.h - The command line of ds-run -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of a run, checked as far as the command line alone allows.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_OPTIONS_OPTIONS_H
#define DS_RUN_OPTIONS_OPTIONS_H

#include "ds/Data/Sampler.h"
#include "ds/Run/Options/EarlyStoppingRequest.h"
#include "ds/Run/Options/ExactRequest.h"
#include "ds/Run/Options/Schedule.h"
#include "ds/Run/Report/Compare.h"

#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ds {

/// How a training shows its progress; `bar` is a line on a terminal that updates itself.
enum class ProgressForm { automatic, bar, lines, none };

/// The reaction to a metric that is NaN or infinite.
enum class OnNan { stop, warn };
/// Whether each process writes its share of a checkpoint.
enum class Shares { automatic, on, off };
enum class OnIndex { stop, warn, off };

struct RunOptions {
  std::string step;  // the .mlir file
  std::string entry; // empty: its only public function
  std::optional<int64_t> ranks;
  std::optional<int64_t> launch; // processes of this host to start
  int64_t maxRestarts = 0;
  std::optional<int64_t> minProcesses; // without which processes may neither leave nor join
  int64_t maxWait = 60;                // seconds for processes that do not come
  int64_t keepCopies = 1;              // processes that have a copy of another one's shards
  std::string roster;                  // HOST:PORT, or empty
  std::string backend = "auto";        // auto | local | mpi | nccl | hccl
  std::string link;                    // LATENCY:RATE between ranks that are threads, or empty
  std::string probeLink;               // a file of costs to write instead of running a step
  std::string profile;                 // a file of ready times to write, or empty
  bool profileTable = false;           // the times of calls, printed at the end
  std::string trace;                   // a file of trace events to write, or empty
  std::vector<std::string> config;     // key=value,... and names of files
  std::string device = "cpu";          // cpu | cuda | cuda:0,2
  bool noGraph = false;                // a GPU gets each call separately
  bool checkLaunches = false;          // and each launch is waited for
  std::string targetCpu;

  std::string data;
  std::optional<int64_t> epochs, steps; // never both
  std::optional<LastBatch> lastBatch;
  uint64_t seed = 0;
  std::map<std::string, double> arguments;   // by name; the first value of a schedule
  std::map<std::string, Schedule> schedules; // arguments that change
  std::string init, save;
  bool initMissing = false;         // parameters that --init lacks are initialised
  std::optional<int64_t> saveEvery; // steps or epochs
  bool saveEveryEpochs = false;
  int64_t keep = 3; // checkpoints
  Shares shares = Shares::automatic;
  bool resume = false;
  int64_t saveWithin = 120; // seconds after a signal; 0: any time
  std::string keepBest;     // a metric; empty: none
  bool bestIsLargest = false;
  EarlyStoppingRequest earlyStopping;
  std::string recordOrder, replayOrder; // files of update = asynchronous, or empty
  OnNan onNan = OnNan::stop;
  OnIndex onIndex = OnIndex::stop; // for data that cannot be used as an index

  std::string eval, evalData;
  std::optional<int64_t> evalEvery; // steps or epochs
  bool evalEveryEpochs = false;
  std::optional<int64_t> checkSteps;
  ExactRequest exact;                   // before the first step, over a finite field
  std::optional<int64_t> checkReplicas; // the interval in steps
  std::string replay;
  Tolerance tolerance;
  std::string dumpResults;
  std::string logDir, report;
  bool json = false;
  ProgressForm progress = ProgressForm::automatic;
  bool printConfig = false; // instead of running
  bool helpConfig = false;  // instead of everything

  /// True if the calls of a step are timed.
  bool isTraced() const { return profileTable || !trace.empty() || !report.empty(); }
};

/// Parses the arguments after the program's name. Prints help or the version and exits, if
/// requested; an error is one sentence.
llvm::Expected<RunOptions> parseRunOptions(const std::vector<std::string> &arguments);

} // namespace ds

#endif // DS_RUN_OPTIONS_OPTIONS_H
