//===- Report.h - What a run tells its user ---------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line per fact for people: a single line that updates itself on a terminal, a line now and
// then elsewhere. With
// --json the same facts as one JSON object per line. A silent report (ranks other than 0) swallows
// everything. When nobody reads, progress is left out and the number of lines said afterwards.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_REPORT_REPORT_H
#define DS_RUN_REPORT_REPORT_H

#include "ds/Run/Report/Compare.h"
#include "ds/Run/Report/MetricSums.h"
#include "ds/Run/Report/Output.h"
#include "ds/Run/Report/RunLog.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <chrono>
#include <map>

namespace ds {

enum class ReportStyle { silent, lines, terminal, json };

/// Where a training stands.
struct Progress {
  int64_t epoch = 0, epochs = 0; // epoch from 0; `epochs` is 0 when steps are counted instead
  int64_t step = 0, steps = 0;   // done in this epoch (or run) and to do
  int64_t globalStep = 0;
  int64_t samples = 0; // per step
};

/// What a step took, and the waiting of ranks in its collectives.
struct StepWaits {
  double seconds = 0;          // of rank 0
  std::vector<double> exposed; // seconds by rank; empty for one rank
  /// The longest of them.
  double longest() const;
};

/// Which rank the others wait for: the one that waits least, as a mean over the last steps.
class LateRank {
public:
  void add(const StepWaits &waits);
  /// `waiting for rank 3 (12 %)` where that share of a step is at least a tenth, else empty.
  std::string describe() const;

private:
  StepWaits means;
};

class Report {
public:
  /// Without `showsProgress` where a training stands is not told.
  Report(Sink &sink, ReportStyle style, bool showsProgress = true);

  /// Says nothing from now on: this process does not hold rank 0.
  void silence() { style = ReportStyle::silent; }
  /// From now on every fact goes there, too, and every step.
  void keep(std::unique_ptr<RunLog> kept) { log = std::move(kept); }
  /// The last line there; `error` is empty where there was none.
  void end(int exitCode, llvm::StringRef error);

  /// A fact for the log alone.
  void logOnly(llvm::StringRef event, llvm::json::Object object);
  bool isLogged() const { return log != nullptr; }

  /// A fact in both forms; `text` may be empty where JSON alone wants to know.
  void fact(llvm::StringRef event, llvm::StringRef text, llvm::json::Object object = {});

  /// `begun`: what earlier runs have added up of the epoch, or of the run where steps count.
  void beginTraining(llvm::ArrayRef<std::string> metricNames, MetricSums begun = {});
  /// After each step; prints at most some ten times a second on a terminal. `scheduled`: the values
  /// of --arg that the step was given.
  void step(const Progress &progress, llvm::ArrayRef<double> metrics,
            const std::map<std::string, double> &scheduled = {}, const StepWaits &waits = {});
  /// That long something else was done than steps.
  void leaveOut(std::chrono::steady_clock::duration time);
  /// Tells the means of the metrics over the epoch or the run, and returns them.
  std::vector<double> endEpoch(const Progress &progress);

  using Clock = std::chrono::steady_clock;

private:
  void showTerminal(const Progress &progress);
  void showLine(const Progress &progress);
  /// The text of a fact, as it is written; also takes the terminal's open line away.
  std::string textOf(llvm::StringRef event, llvm::StringRef text, llvm::json::Object object);
  llvm::json::Object named(llvm::ArrayRef<double> values) const; // by the metrics
  void logStep(const Progress &progress, llvm::ArrayRef<double> metrics,
               const std::map<std::string, double> &scheduled, const StepWaits &waits);
  double rate(const Progress &progress) const; // samples per second in this epoch
  std::vector<double> means() const { return sums.means(names.size()); }

  Sink &sink;
  ReportStyle style;
  bool showsProgress;
  std::vector<std::string> names;
  MetricSums sums;       // of this epoch
  int64_t stepsHere = 0; // of this epoch, by this run
  int64_t linesOf = -1;  // the step that the last line is about
  Clock::time_point epochBegan, shown, stepped;
  bool lineIsOpen = false;
  std::unique_ptr<RunLog> log;
  LateRank late;
  int64_t leftOut = 0; // lines of progress that nobody read
};

/// The line of a terminal of so many columns: the bar gives way first, then what is behind the
/// metrics, then the rest.
std::string terminalLine(const std::string &where, const Progress &progress,
                         const std::string &metrics, const std::string &speed, int columns);
/// `[####......]`, `width` characters inside.
std::string bar(int64_t done, int64_t total, int width);
/// `0:07`, `2:03:04`.
std::string duration(double seconds);

/// What --json prints of an error in the place of an answer: `message`, and `location`
/// (`FILE:LINE:COLUMN`) of one that has a place.
llvm::json::Object errorObject(llvm::StringRef text);

/// Says why a tool has no answer, in a line of its own behind the tool's name where the error has
/// no place, and with `json` as the answer, too. Returns the tool's exit code.
int answerWithError(llvm::StringRef tool, llvm::Error error, bool json);

} // namespace ds

#endif // DS_RUN_REPORT_REPORT_H
