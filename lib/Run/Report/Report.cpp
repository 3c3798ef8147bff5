//===- Report.cpp - The output of a run -------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The terminal line is redrawn at most ten times a second, plain lines come every five seconds and
// at the end of an epoch, JSON lines once a second and at the end of an epoch, so reporting does
// not slow down the training. While lines wait for a reader, only ends of epochs are added.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Report/Report.h"

#include "ds/Support/Escape.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace ds {

using llvm::formatv;

std::string bar(int64_t done, int64_t total, int width) {
  int64_t filled = total > 0 ? std::clamp<int64_t>(done * width / total, 0, width) : 0;
  return "[" + std::string(filled, '#') + std::string(width - filled, '.') + "]";
}

std::string duration(double seconds) {
  int64_t whole = std::isfinite(seconds) ? std::llround(std::min(seconds, 1e9)) : 0;
  int64_t hours = whole / 3600, minutes = whole / 60 % 60;
  if (hours)
    return formatv("{0}:{1,0+2}:{2,0+2}", hours, minutes, whole % 60);
  return formatv("{0}:{1,0+2}", minutes, whole % 60);
}

llvm::json::Object errorObject(llvm::StringRef text) {
  auto [location, message] = text.split(": error: ");
  if (message.empty())
    return llvm::json::Object{{"message", text}};
  return llvm::json::Object{{"location", location}, {"message", message}};
}

int answerWithError(llvm::StringRef tool, llvm::Error error, bool json) {
  std::string text = oneLine(llvm::toString(std::move(error)));
  if (!llvm::StringRef(text).contains(": error: "))
    llvm::errs() << tool << ": error: ";
  llvm::errs() << text << "\n";
  if (json)
    llvm::outs() << formatv("{0:2}\n",
                            llvm::json::Value(llvm::json::Object{{"error", errorObject(text)}}));
  return 1;
}

Report::Report(Sink &sink, ReportStyle style, bool showsProgress)
    : sink(sink), style(style), showsProgress(showsProgress) {}

std::string Report::textOf(llvm::StringRef event, llvm::StringRef text, llvm::json::Object object) {
  if (style == ReportStyle::json) {
    object["event"] = event;
    return formatv("{0}\n", llvm::json::Value(std::move(object)));
  }
  if (text.empty())
    return "";
  std::string line = lineIsOpen ? "\r\x1b[K" : "";
  lineIsOpen = false;
  return line + printable(text) + "\n";
}

void Report::fact(llvm::StringRef event, llvm::StringRef text, llvm::json::Object object) {
  if (log && event != "progress") // the log has each step
    log->write(event, object);
  if (style == ReportStyle::silent)
    return;
  const bool progress = event == "progress";
  std::string said;
  if (leftOut)
    said = textOf("left_out",
                  formatv("{0} lines of progress are left out: they were not read", leftOut).str(),
                  llvm::json::Object{{"lines", leftOut}});
  said += textOf(event, text, std::move(object));
  if (said.empty())
    return;
  const bool taken =
      sink.write(std::move(said), progress ? Sink::Need::ifRead : Sink::Need::always);
  leftOut = taken ? 0 : leftOut + 1;
}

void Report::logOnly(llvm::StringRef event, llvm::json::Object object) {
  if (log)
    log->write(event, std::move(object));
}

double StepWaits::longest() const {
  return exposed.empty() ? 0 : *std::max_element(exposed.begin(), exposed.end());
}

void LateRank::add(const StepWaits &waits) {
  constexpr double weight = 0.1; // weight of the newest step
  if (means.exposed.size() != waits.exposed.size()) {
    means = waits;
    return;
  }
  auto include = [&](double &mean, double value) { mean += weight * (value - mean); };
  include(means.seconds, waits.seconds);
  for (size_t rank = 0; rank < waits.exposed.size(); ++rank)
    include(means.exposed[rank], waits.exposed[rank]);
}

std::string LateRank::describe() const {
  constexpr double matters = 0.1;
  if (means.exposed.empty() || means.seconds <= 0)
    return "";
  auto least = std::min_element(means.exposed.begin(), means.exposed.end());
  const double share = (means.longest() - *least) / means.seconds;
  if (share < matters)
    return "";
  return formatv("waiting for rank {0} ({1:f0} %)", least - means.exposed.begin(),
                 100 * std::min(share, 1.0));
}

void Report::end(int exitCode, llvm::StringRef error) {
  if (!log)
    return;
  rusage used = {};
  llvm::json::Object object{{"exit_code", exitCode}};
  if (getrusage(RUSAGE_SELF, &used) == 0)
    object["peak_resident_bytes"] = int64_t(used.ru_maxrss) * 1024;
  if (!error.empty())
    object["error"] = error;
  log->write("end", std::move(object));
}

void Report::beginTraining(llvm::ArrayRef<std::string> metricNames, MetricSums begun) {
  names = metricNames.vec();
  sums = std::move(begun);
  stepsHere = 0;
  linesOf = -1;
  epochBegan = shown = stepped = Clock::now();
}

double Report::rate(const Progress &progress) const {
  double seconds = std::chrono::duration<double>(Clock::now() - epochBegan).count();
  return seconds > 0 ? stepsHere * progress.samples / seconds : 0;
}

llvm::json::Object Report::named(llvm::ArrayRef<double> values) const {
  llvm::json::Object object;
  for (size_t i = 0; i < names.size(); ++i)
    // JSON has no NaN.
    object[names[i]] = std::isfinite(values[i]) ? llvm::json::Value(values[i]) : nullptr;
  return object;
}

void Report::logStep(const Progress &progress, llvm::ArrayRef<double> metrics,
                     const std::map<std::string, double> &scheduled, const StepWaits &waits) {
  const Clock::time_point now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - stepped).count();
  stepped = now;
  llvm::json::Object object{{"epoch", progress.epoch + 1},
                            {"step", progress.globalStep},
                            {"metrics", named(metrics)},
                            {"seconds", seconds},
                            {"samples", progress.samples}};
  if (!waits.exposed.empty())
    object["exposed_seconds"] = waits.longest();
  if (!scheduled.empty()) {
    llvm::json::Object arguments;
    for (const auto &[name, value] : scheduled)
      arguments[name] = value;
    object["args"] = std::move(arguments);
  }
  log->write("step", std::move(object));
}

void Report::step(const Progress &progress, llvm::ArrayRef<double> metrics,
                  const std::map<std::string, double> &scheduled, const StepWaits &waits) {
  if (log)
    logStep(progress, metrics, scheduled, waits);
  late.add(waits);
  sums.add(metrics);
  ++stepsHere;
  auto passed = Clock::now() - shown;
  using namespace std::chrono_literals;
  auto interval = style == ReportStyle::terminal ? 100ms
                  : style == ReportStyle::json   ? 1000ms
                                                 : 5000ms;
  // endEpoch reports the end of an epoch.
  if (style == ReportStyle::silent || !showsProgress || passed < interval || sink.isBehind() ||
      progress.step == progress.steps)
    return;
  shown = Clock::now();
  if (style == ReportStyle::terminal)
    showTerminal(progress);
  else
    showLine(progress);
}

static std::string position(const Progress &progress) {
  if (progress.epochs == 0)
    return formatv("step {0}/{1}", progress.step, progress.steps);
  return formatv("epoch {0}/{1}", progress.epoch + 1, progress.epochs);
}

static std::string metricsText(const std::vector<std::string> &names,
                               const std::vector<double> &values) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += formatv("  {0} {1:f4}", oneLine(names[i]), values[i]);
  return text;
}

/// Returns 0 if standard output is no terminal, or has no known width.
static int columnsOfTerminal() {
  winsize size = {};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::string terminalLine(const std::string &where, const Progress &progress,
                         const std::string &metrics, const std::string &speed, int columns) {
  constexpr int usual = 80, widest = 24, narrowest = 5;
  // A terminal wraps a line that takes its last column.
  const int room = (columns > 0 ? columns : usual) - 1;
  std::string count = formatv("{0}/{1}", progress.step, progress.steps);
  std::string rest = where + " " + count + metrics + speed;
  int width = std::min(widest, room - int(rest.size()) - 3);
  if (width >= narrowest)
    return where + " " + bar(progress.step, progress.steps, width) + " " + count + metrics + speed;
  if (int(rest.size()) > room)
    rest = where + " " + count + metrics;
  return rest.substr(0, std::max(room, 0));
}

void Report::showTerminal(const Progress &progress) {
  double samplesPerSecond = rate(progress);
  double left =
      (progress.steps - progress.step) * progress.samples / std::max(samplesPerSecond, 1e-9);
  const std::string waiting = late.describe();
  // The width is read each time, because the window may have changed.
  std::string line = terminalLine(progress.epochs == 0 ? "step" : position(progress), progress,
                                  metricsText(names, means()),
                                  formatv("  {0:f0} samples/s  ETA {1}{2}{3}", samplesPerSecond,
                                          duration(left), waiting.empty() ? "" : "  ", waiting),
                                  columnsOfTerminal());
  lineIsOpen = sink.write("\r" + line + "\x1b[K", Sink::Need::ifRead) || lineIsOpen;
}

void Report::showLine(const Progress &progress) {
  linesOf = progress.globalStep;
  std::vector<double> values = means();
  double samplesPerSecond = rate(progress);
  std::string where =
      progress.epochs == 0
          ? position(progress)
          : formatv("{0} step {1}/{2}", position(progress), progress.step, progress.steps).str();
  fact("progress",
       formatv("{0}{1}  {2:f0} samples/s", where, metricsText(names, values), samplesPerSecond)
           .str(),
       llvm::json::Object{{"epoch", progress.epoch + 1},
                          {"step", progress.globalStep},
                          {"metrics", named(values)},
                          {"samples_per_second", samplesPerSecond}});
}

void Report::leaveOut(Clock::duration time) {
  epochBegan += time;
  stepped += time;
}

std::vector<double> Report::endEpoch(const Progress &progress) {
  std::vector<double> ended = means();
  if (log)
    log->write("epoch", llvm::json::Object{{"epoch", progress.epoch + 1},
                                           {"step", progress.globalStep},
                                           {"metrics", named(ended)},
                                           {"samples_per_second", rate(progress)}});
  // A training that stops in an epoch may have reported this step already.
  if (style != ReportStyle::silent && showsProgress && linesOf != progress.globalStep)
    showLine(progress);
  sums.clear();
  stepsHere = 0;
  epochBegan = shown = Clock::now();
  return ended;
}

} // namespace ds
