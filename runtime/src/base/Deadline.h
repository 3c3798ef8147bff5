//===- Deadline.h - How long a wait may still last --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank is late when the others have waited for it, not when time has passed: a job that a shell
// stops and continues, or a virtual machine that is paused, has not waited meanwhile, though the
// clock went on. Deadlines are therefore points of the time for which this process ran.
//
// No clock tells that time, so waits see for themselves: each sleeps for a slice at most and looks
// at the clock again, and of what passed between two looks of the process only some slices count.
// A process that computes without looking loses time that nobody waits for.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BASE_DEADLINE_H
#define DSRT_SRC_BASE_DEADLINE_H

#include <cstdint>

namespace dsrt {

/// The longest sleep between two looks at a deadline. What a suspension adds to a wait is at most
/// twice as much.
constexpr int waitSliceMs = 50;

/// Nanoseconds for which this process ran while somebody in it waited.
uint64_t runningTime();

/// Times suspensions out of a series of looks at a clock; runningTime() is one with the steady
/// clock of the process.
class RunningClock {
public:
  /// `time`: of the clock, in nanoseconds. Never goes back.
  uint64_t look(uint64_t time);

private:
  uint64_t seen = 0, skipped = 0;
};

class Deadline {
public:
  /// Has passed.
  Deadline() = default;
  static Deadline in(int64_t ms);
  /// Later by so much; a deadline that has passed counts from now.
  Deadline later(int64_t ms) const;

  bool passed() const { return runningTime() >= at; }
  /// Rounded up; 0: it has passed.
  int64_t leftMs() const;
  /// How long to sleep before the next look: a slice, or what is left.
  int sliceMs() const;

  friend bool operator<(const Deadline &a, const Deadline &b) { return a.at < b.at; }

private:
  uint64_t at = 0;
};

} // namespace dsrt

#endif // DSRT_SRC_BASE_DEADLINE_H
