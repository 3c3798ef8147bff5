//===- Watchdog.h - Reports what a late rank is doing -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ranks that wait for a late rank can name it. The late rank itself reports the cause: a thread
// of its process notices that the rank has been in no collective for long, and reports what it does
// instead.
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
  /// The state of a rank, as seen by another thread.
  struct Activity {
    bool inCollective = false;
    uint64_t collectives = 0; // done so far
    bool failed = false;      // the other ranks have timed out
  };
  struct Hooks {
    std::function<Activity(int64_t rank)> look;
    std::function<void(const std::string &sentence)> tell;
    std::function<void()> end; // ends the process after all others have failed
  };

  /// Watches `count` ranks from `first` on; none if ranks do not wait for each other. A rank is
  /// reported when it has been in no collective for half of `timeoutMs`, the time limit of waiting
  /// ranks. The process ends if that lasts for all of `timeoutMs` and the other ranks have failed.
  /// If the system refuses a thread, it warns and watches no rank.
  Watchdog(int64_t first, int64_t count, int64_t timeoutMs, Hooks hooks);
  ~Watchdog();

  /// Sets what a rank does: "computes", "loads the samples of", .. step `step`, from 1. `what`
  /// outlives the watchdog.
  void enter(int64_t rank, const char *what, int64_t step);
  /// Ends the watch of a rank that has finished.
  void leave(int64_t rank);
  /// The last action of each rank, from `first` on, including ranks that have left.
  struct Last {
    std::string what;
    int64_t step;
  };
  std::vector<Last> last() const;

private:
  struct Watched {
    std::atomic<const char *> what{nullptr}; // null: the rank is not watched
    std::atomic<const char *> last{nullptr}; // the same, but kept by leave()
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
