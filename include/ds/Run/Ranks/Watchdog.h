//===- Watchdog.h - Says what a rank does that others wait for --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank that is late is named by those that wait for it. Why it is late it says itself: a thread
// of its process sees that it has been in no collective for long, and tells what it does instead.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_RANKS_WATCHDOG_H
#define DS_RUN_RANKS_WATCHDOG_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace ds {

class Watchdog {
public:
  /// What is known of a rank from another thread.
  struct Activity {
    bool inCollective = false;
    uint64_t collectives = 0; // that it has done
    bool failed = false;      // others have given it up
  };
  struct Hooks {
    std::function<Activity(int64_t rank)> look;
    std::function<void(const std::string &sentence)> tell;
    std::function<void()> end; // of the process, which has nobody left to wait for
  };

  /// Watches `count` ranks from `first` on; none where nobody waits for another. One is told of
  /// when it has been in no collective for half of `timeoutMs`, the time for which others wait; the
  /// process ends when it is still so after all of it, and the others have failed. Where the system
  /// has no thread for it, it says so and watches nobody.
  Watchdog(int64_t first, int64_t count, int64_t timeoutMs, Hooks hooks);
  ~Watchdog();

  /// "computes", "loads the samples of", ..: step `step`, from 1. `what` outlives the watchdog.
  void enter(int64_t rank, const char *what, int64_t step);
  /// The rank has come to its end.
  void leave(int64_t rank);
  /// What each rank did last, from `first` on, also of those that have left.
  struct Last {
    std::string what;
    int64_t step;
  };
  std::vector<Last> last() const;

private:
  struct Watched {
    std::atomic<const char *> what{nullptr}; // null: there is nothing to wait for
    std::atomic<const char *> last{nullptr}; // the same, but for leave()
    std::atomic<int64_t> step{0};
    uint64_t collectives = 0;
    int64_t idleMs = 0;
    bool told = false;
  };
  void watch();
  void look(int64_t rank, Watched &watched, int64_t elapsedMs);

  const int64_t first, timeoutMs;
  const Hooks hooks;
  std::vector<Watched> ranks;
  std::mutex mutex;
  std::condition_variable changed;
  bool stop = false;
  std::thread thread;
};

} // namespace ds

#endif // DS_RUN_RANKS_WATCHDOG_H
