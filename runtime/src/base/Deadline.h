//===- Deadline.h - How long a wait may still last --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank is late when the others have waited for it, not when time has passed: a job that a shell
// stops and continues, or a virtual machine that is paused, has not waited meanwhile, though the
// clock went on. Deadlines therefore count only the time for which this process ran.
//
// No clock measures that time, so the waits measure it themselves: each sleeps for a slice at most
// before it polls the clock again, and the time between two polls of the process counts for at most
// two slices. A process that computes without polling loses time, too, but it waits for no rank
// then.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BASE_DEADLINE_H
#define DSRT_SRC_BASE_DEADLINE_H

#include <cstdint>

namespace dsrt {

/// The longest sleep between two polls of a deadline. A suspension adds at most twice as much to a
/// wait.
constexpr int waitSliceMs = 50;

/// Returns the nanoseconds for which this process ran while a thread of it waited.
uint64_t runningTime();

/// Removes suspensions from a series of readings of a clock; runningTime() does so for the steady
/// clock of the process.
class RunningClock {
public:
  /// Takes a reading of the clock and returns the running time, both in nanoseconds. Never goes
  /// back.
  uint64_t look(uint64_t time);

private:
  uint64_t seen = 0, skipped = 0;
};

class Deadline {
public:
  /// A deadline that has passed.
  Deadline() = default;
  static Deadline in(int64_t ms);
  /// Returns this deadline moved by so much; one that has passed counts from now.
  Deadline later(int64_t ms) const;

  bool passed() const { return runningTime() >= at; }
  /// Returns the time left, rounded up; 0: the deadline has passed.
  int64_t leftMs() const;
  /// Returns how long to sleep before the next poll: a slice, or the time left.
  int sliceMs() const;

  friend bool operator<(const Deadline &a, const Deadline &b) { return a.at < b.at; }

private:
  uint64_t at = 0;
};

} // namespace dsrt

#endif // DSRT_SRC_BASE_DEADLINE_H
