//===- Deadline.cpp - How long a wait may still last ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Deadline.h"
#include "Threads.h"

#include <algorithm>
#include <mutex>

namespace dsrt {

static constexpr uint64_t nsPerMs = 1000000;

uint64_t RunningClock::look(uint64_t time) {
  constexpr uint64_t longestStep = 2 * waitSliceMs * nsPerMs;
  // Another thread may have polled after the caller read the clock.
  time = std::max(time, seen);
  if (time - seen > longestStep)
    skipped += time - seen - longestStep;
  seen = time;
  return time - skipped;
}

uint64_t runningTime() {
  static std::mutex mutex;
  static RunningClock clock;
  std::lock_guard<std::mutex> lock(mutex);
  return clock.look(now());
}

static uint64_t inRange(int64_t ms) {
  constexpr int64_t longest = int64_t(1) << 40; // keeps sums in range
  return static_cast<uint64_t>(std::clamp<int64_t>(ms, 0, longest)) * nsPerMs;
}

Deadline Deadline::in(int64_t ms) {
  Deadline deadline;
  deadline.at = runningTime() + inRange(ms);
  return deadline;
}

Deadline Deadline::later(int64_t ms) const {
  Deadline deadline;
  deadline.at = std::max(at, runningTime()) + inRange(ms);
  return deadline;
}

int64_t Deadline::leftMs() const {
  const uint64_t time = runningTime();
  return time >= at ? 0 : static_cast<int64_t>((at - time + nsPerMs - 1) / nsPerMs);
}

int Deadline::sliceMs() const { return static_cast<int>(std::min<int64_t>(leftMs(), waitSliceMs)); }

} // namespace dsrt
