//===- CallMarks.h - The time of each call of a driver ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TARGET_CALLMARKS_H
#define DS_TARGET_CALLMARKS_H

#include "ds/Target/CompiledStep.h"

#include <chrono>

namespace ds {

/// The times that a driver compiled with `profile` takes after each of its calls, on one rank.
class CallMarks {
public:
  explicit CallMarks(size_t calls) : calls(calls) {}

  /// Begins a step.
  void start() {
    times.clear();
    last = Clock::now();
  }
  /// Records the end of call number `call`. The time of this function counts for no call.
  void mark(int64_t call) {
    note(call, Clock::now());
    last = Clock::now();
  }
  /// Records that call number `call` took so long, and began where the one before it ended.
  void add(int64_t call, std::chrono::duration<double, std::milli> time) {
    note(call, last + std::chrono::duration_cast<Clock::duration>(time));
  }
  /// Returns the calls of the step since start(): the first ones, if a loop makes very many.
  const std::vector<CallTime> &lastCalls() const { return times; }
  /// Returns the totals of all calls, by their `names`.
  std::vector<CallProfile> report(const std::vector<std::string> &names) const {
    std::vector<CallProfile> report;
    for (size_t i = 0; i < calls.size(); ++i)
      report.push_back({names[i], calls[i].count, Milliseconds(calls[i].time).count()});
    return report;
  }

private:
  using Clock = std::chrono::steady_clock;
  using Milliseconds = std::chrono::duration<double, std::milli>;
  struct Call {
    uint64_t count = 0;
    Clock::duration time = {};
  };
  static constexpr size_t mostTimes = size_t(1) << 16;
  void note(int64_t call, Clock::time_point end) {
    calls[call].count += 1;
    calls[call].time += end - last;
    if (times.size() < mostTimes)
      times.push_back({static_cast<size_t>(call), sinceEpoch(last), sinceEpoch(end)});
    last = end;
  }
  static int64_t sinceEpoch(Clock::time_point time) {
    return std::chrono::nanoseconds(time.time_since_epoch()).count();
  }

  std::vector<Call> calls;
  std::vector<CallTime> times;
  Clock::time_point last;
};

} // namespace ds

#endif // DS_TARGET_CALLMARKS_H
