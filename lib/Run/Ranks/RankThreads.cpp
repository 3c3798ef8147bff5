//===- RankThreads.cpp - Threads that wait for their next step --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waking a thread that sleeps takes tens of microseconds, more than a small step. So a waiting
// thread polls first, if its last wait was short, as between the calls of a loop in Python, and
// gives up as soon as another thread of the machine has taken the core for a while. Where ranks
// outnumber the cores it sleeps at once.
//
//===----------------------------------------------------------------------===//
#include "RankThreads.h"

#include "ds/Support/Threads.h"
#include "ds/Support/UserError.h"
#include "ds/Target/OpenMPThreads.h"
#include "dsrt/dsrt.h"
#include "llvm/Support/Threading.h"

#include <cfenv>
#include <chrono>
#include <csignal>
#include <cstring>

namespace ds {

using llvm::Twine;

using Clock = std::chrono::steady_clock;

/// The longest polling: a call from Python and the code around it.
static constexpr std::chrono::microseconds longest(200);
/// Between two yields; some hundred nanoseconds.
static constexpr int looks = 200;
/// The core is wanted elsewhere if a yield takes longer.
static constexpr std::chrono::microseconds interruption(20);

void RankThreads::Patience::await(std::mutex &mutex, std::condition_variable &news,
                                  llvm::function_ref<bool()> done) {
  const Clock::time_point begin = Clock::now();
  if (mayPoll && lastWasShort)
    for (Clock::time_point last = begin; !done();) {
      for (int i = 0; i < looks && !done(); ++i)
        ;
      std::this_thread::yield();
      const Clock::time_point time = Clock::now();
      if (time - begin > longest || time - last > interruption)
        break;
      last = time;
    }
  if (!done()) {
    std::unique_lock<std::mutex> lock(mutex);
    news.wait(lock, done);
  }
  lastWasShort = Clock::now() - begin < longest;
}

/// Sets up a rank's thread. A thread begins with the process's number of OpenMP threads, not with
/// its creator's.
static void computeAsRank() {
  dsrt_flush_denormals();
  omp_set_num_threads(1);
}

namespace {
/// Sets up a thread that belongs to the caller, and restores its arithmetic after the step.
class CallersArithmetic {
public:
  CallersArithmetic() : threads(omp_get_max_threads()) {
    std::fegetenv(&floats);
    computeAsRank();
  }
  ~CallersArithmetic() {
    std::fesetenv(&floats);
    omp_set_num_threads(threads);
  }

private:
  std::fenv_t floats;
  int threads;
};

/// Blocks signals of requests, which are for the threads of the program. New threads inherit the
/// mask.
class SignalsHeldBack {
public:
  SignalsHeldBack() {
    sigset_t asking;
    sigemptyset(&asking);
    for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGCHLD})
      sigaddset(&asking, signal);
    pthread_sigmask(SIG_BLOCK, &asking, &before);
  }
  ~SignalsHeldBack() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }

private:
  sigset_t before;
};
} // namespace

int startRankThread(std::thread &thread, std::function<void()> body) {
  SignalsHeldBack held;
  int refused = 0;
  auto compute = [body = std::move(body)] {
    computeAsRank();
    body();
  };
  startThread(thread, std::move(compute), &refused);
  return refused;
}

llvm::Expected<std::unique_ptr<RankThreads>> RankThreads::start(size_t numRanks) {
  std::unique_ptr<RankThreads> ranks(new RankThreads());
  ranks->callers.mayPoll = numRanks <= llvm::hardware_concurrency().compute_thread_count();
  ranks->threads.reserve(numRanks - 1);
  for (size_t rank = 1; rank < numRanks; ++rank) {
    std::thread thread;
    if (int refused = startRankThread(thread, [&all = *ranks, rank] { all.loop(rank); }))
      return userError("cannot start a thread for rank " + Twine(rank) + " of " + Twine(numRanks) +
                       ": " + strerror(refused) +
                       "; a limit of processes may be too low (ulimit -u)");
    ranks->threads.push_back(std::move(thread));
  }
  return ranks;
}

RankThreads::~RankThreads() {
  begin(nullptr);
  for (std::thread &thread : threads)
    thread.join();
}

void RankThreads::begin(const llvm::function_ref<void(size_t)> *next) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    body = next;
    running = threads.size();
    ++round;
  }
  begins.notify_all();
}

void RankThreads::run(llvm::function_ref<void(size_t)> body) {
  if (!threads.empty())
    begin(&body);
  {
    CallersArithmetic restored;
    body(0);
  }
  callers.await(mutex, ended, [&] { return running == 0; });
}

void RankThreads::loop(size_t rank) {
  Patience patience{callers.mayPoll};
  for (uint32_t seen = 0;;) {
    patience.await(mutex, begins, [&] { return round != seen; });
    seen = round;
    if (!body)
      return;
    (*body)(rank);
    if (--running == 0) {
      std::lock_guard<std::mutex> lock(mutex); // the waiter has checked, and sleeps
      ended.notify_one();
    }
  }
}

} // namespace ds
