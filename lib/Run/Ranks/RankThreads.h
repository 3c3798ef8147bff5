//===- RankThreads.h - Threads that wait for their next step ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step takes microseconds, but starting a thread takes a hundred, so ranks keep their threads.
// The calling thread is the first rank.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_RUN_RANKS_RANKTHREADS_H
#define DS_LIB_RUN_RANKS_RANKTHREADS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace ds {

/// Starts a thread that computes with the same bits as those of ranks. Returns 0, or the system's
/// error number.
int startRankThread(std::thread &thread, std::function<void()> body);

class RankThreads {
public:
  /// Starts threads for all ranks but the first: all of them, or none and an error of one sentence.
  static llvm::Expected<std::unique_ptr<RankThreads>> start(size_t numRanks);
  ~RankThreads();
  RankThreads(const RankThreads &) = delete;

  /// Calls body(rank) on each rank's thread, and returns when all calls have returned. Restores the
  /// state of the caller's arithmetic (denormals, OpenMP).
  void run(llvm::function_ref<void(size_t rank)> body);

private:
  /// How a thread waits for the others.
  struct Patience {
    /// Returns once `done`, which others make true before they notify under `mutex`.
    void await(std::mutex &mutex, std::condition_variable &news, llvm::function_ref<bool()> done);

    bool mayPoll = false;
    bool lastWasShort = true;
  };

  RankThreads() = default;
  void loop(size_t rank);
  void begin(const llvm::function_ref<void(size_t)> *body);

  std::vector<std::thread> threads;
  const llvm::function_ref<void(size_t)> *body = nullptr; // null at the end
  std::atomic<uint32_t> round{0}, running{0};
  Patience callers; // of the thread that calls run()
  std::mutex mutex;
  std::condition_variable begins, ended;
};

} // namespace ds

#endif // DS_LIB_RUN_RANKS_RANKTHREADS_H
