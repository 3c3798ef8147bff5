//===- Report.h - The output of a run ---------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports each fact as one line for people. Progress is a single line that updates itself on a
// terminal, and an occasional line elsewhere. With --json the same facts are one JSON object per
// line. A silent report (on ranks other than 0) drops everything. While the reader does not read,
// lines of progress are left out, and their number is reported afterwards.
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

/// The position of a training.
struct Progress {
  int64_t epoch = 0, epochs = 0; // epoch from 0; `epochs` is 0 when steps are counted instead
  int64_t step = 0, steps = 0;   // done in this epoch (or run) and to do
  int64_t globalStep = 0;
  int64_t samples = 0; // per step
};

/// The time of a step, and the times that ranks waited in its collectives.
struct StepWaits {
  double seconds = 0;          // on rank 0
  std::vector<double> exposed; // seconds by rank; empty for one rank
  /// Returns the longest wait.
  double longest() const;
};

/// Finds the rank that the others wait for: the one that waits least, as a mean over the last
/// steps.
class LateRank {
public:
  void add(const StepWaits &waits);
  /// Returns `waiting for rank 3 (12 %)` if that share of a step is at least a tenth, else an empty
  /// text.
  std::string describe() const;

private:
  StepWaits means;
};

class Report {
public:
  /// Without `showsProgress` the position of a training is not reported.
  Report(Sink &sink, ReportStyle style, bool showsProgress = true);

  /// Drops everything from now on: this process does not hold rank 0.
  void silence() { style = ReportStyle::silent; }
  /// Reports again, in a style.
  void speak(ReportStyle again) { style = again; }
  /// Writes every fact and every step to this log, too, from now on.
  void keep(std::unique_ptr<RunLog> kept) { log = std::move(kept); }
  /// Writes the last line of the log; `error` is empty after a success.
  void end(int exitCode, llvm::StringRef error);

  /// Writes a fact to the log alone.
  void logOnly(llvm::StringRef event, llvm::json::Object object);

  /// Reports a fact in both forms; `text` may be empty for a fact that only JSON has.
  void fact(llvm::StringRef event, llvm::StringRef text, llvm::json::Object object = {});

  /// `begun` are the sums of earlier runs over the current epoch, or over the run if steps are
  /// counted.
  void beginTraining(llvm::ArrayRef<std::string> metricNames, MetricSums begun = {});
  /// Called after each step; prints at most ten times a second on a terminal. `scheduled` are the
  /// step's values of --arg.
  void step(const Progress &progress, llvm::ArrayRef<double> metrics,
            const std::map<std::string, double> &scheduled = {}, const StepWaits &waits = {});
  /// Excludes time that was spent on other work than steps from the measured times.
  void leaveOut(std::chrono::steady_clock::duration time);
  /// Reports the means of the metrics over the epoch or the run, and returns them.
  std::vector<double> endEpoch(const Progress &progress);

  using Clock = std::chrono::steady_clock;

private:
  void showTerminal(const Progress &progress);
  void showLine(const Progress &progress);
  /// Returns the text of a fact, in the form of the output; also clears the terminal's open line.
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
  int64_t stepsHere = 0; // in this epoch, by this run
  int64_t linesOf = -1;  // the step of the last line
  Clock::time_point epochBegan, shown, stepped;
  bool lineIsOpen = false;
  std::unique_ptr<RunLog> log;
  LateRank late;
  int64_t leftOut = 0; // lines of progress that were not read
};

/// Returns a line for a terminal with so many columns: if it is too long, the bar is shortened or
/// dropped first, then the text after the metrics is dropped, then the rest is cut.
std::string terminalLine(const std::string &where, const Progress &progress,
                         const std::string &metrics, const std::string &speed, int columns);
/// Returns `[####......]` with `width` characters inside.
std::string bar(int64_t done, int64_t total, int width);
/// Returns `0:07`, `2:03:04`.
std::string duration(double seconds);

/// Returns the object that --json prints for an error in place of an answer: `message`, and
/// `location` (`FILE:LINE:COLUMN`) for a located error.
llvm::json::Object errorObject(llvm::StringRef text);

/// Prints why a tool has no answer, in a line of its own after the tool's name if the error is not
/// located, and with `json` also as the answer. Returns the tool's exit code.
int answerWithError(llvm::StringRef tool, llvm::Error error, bool json);

} // namespace ds

#endif // DS_RUN_REPORT_REPORT_H
