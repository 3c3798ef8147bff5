//===- StageTimer.h - The time of a stage of compiling ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_SUPPORT_STAGETIMER_H
#define DS_SUPPORT_STAGETIMER_H

#include <chrono>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

namespace ds {

/// Time of one stage of the compilation: on the clock, and on all cores together.
struct StageTime {
  std::string stage;
  double milliseconds, cpuMilliseconds;
};

/// Measures a stage while the object lives.
class StageTimer {
public:
  StageTimer(std::vector<StageTime> &times, std::string name)
      : times(times), name(std::move(name)) {}
  ~StageTimer() {
    double cpu = 1e3 * double(std::clock() - cpuStart) / CLOCKS_PER_SEC;
    std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    times.push_back({std::move(name), elapsed.count(), cpu});
  }

private:
  std::vector<StageTime> &times;
  std::string name;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  std::clock_t cpuStart = std::clock();
};

} // namespace ds

#endif // DS_SUPPORT_STAGETIMER_H
