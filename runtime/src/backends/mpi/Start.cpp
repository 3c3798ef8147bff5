//===- Start.cpp - Beginning and end of MPI, within a timeout ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_Init waits for all ranks for ever, even if one has ended or never came. So a thread of our
// own calls it, while the caller watches the clock. MPI requires that the thread that began it, its
// main thread, ends it, so this one lives on until then; with MPI_THREAD_MULTIPLE, which is
// requested, every other call may come from any thread.
//
//===----------------------------------------------------------------------===//
#include "MpiState.h"
#include "base/Threads.h"

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

namespace dsrt::mpi {
namespace {

class MainThread {
public:
  /// Runs `work` on the thread. False: it has not returned by the deadline, and may write its
  /// results at any time. Without a thread it runs here, for as long as it takes.
  bool run(std::function<void()> work, const std::optional<Deadline> &deadline) {
    std::unique_lock<std::mutex> lock(mutex);
    if (isRefused || (!started && !start())) {
      work();
      return true;
    }
    if (next || isBusy)
      return false; // the work that was abandoned
    next = std::move(work);
    news.notify_all();
    while (next || isBusy) {
      if (deadline && deadline->passed())
        return false;
      news.wait_for(lock, std::chrono::milliseconds(waitSliceMs));
    }
    return true;
  }

private:
  bool start() {
    std::string why;
    std::thread thread = startThread([this] { loop(); }, why);
    started = thread.joinable();
    isRefused = !started; // for good: one thread begins and ends MPI
    if (started)
      thread.detach();
    return started;
  }

  void loop() {
    // Signals are for the threads of the program.
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    std::unique_lock<std::mutex> lock(mutex);
    while (true) {
      news.wait(lock, [&] { return next != nullptr; });
      const std::function<void()> work = std::move(next);
      next = nullptr;
      isBusy = true;
      lock.unlock();
      work();
      lock.lock();
      isBusy = false;
      news.notify_all();
    }
  }

  std::mutex mutex;
  std::condition_variable news;
  std::function<void()> next;
  bool started = false, isRefused = false, isBusy = false;
};

/// Never destroyed: its thread outlives main.
MainThread &mainThread() {
  static auto *thread = new MainThread;
  return *thread;
}

struct Outcome {
  int code = MPI_SUCCESS;
  MPI_Comm communicator = MPI_COMM_NULL;
};

dsrt_status within(int64_t timeoutMs, const std::function<void(Outcome &)> &call,
                   const std::shared_ptr<Outcome> &outcome, dsrt_error *error) {
  timeoutMs = std::max(timeoutMs, shortestStartMs);
  if (mainThread().run([call, outcome] { call(*outcome); }, Deadline::in(timeoutMs)))
    return DSRT_OK;
  return failWith(error, DSRT_TIMEOUT, "timed out after %lld ms in MPI_Init",
                  static_cast<long long>(timeoutMs));
}

} // namespace

dsrt_status initialiseMpi(int64_t timeoutMs, int &code, dsrt_error *error) {
  auto outcome = std::make_shared<Outcome>();
  const dsrt_status status = within(
      timeoutMs,
      [](Outcome &outcome) {
        int level = MPI_THREAD_SINGLE;
        outcome.code = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level);
      },
      outcome, error);
  code = outcome->code;
  return status;
}

dsrt_status copyWorld(int64_t timeoutMs, MPI_Comm &copy, int &code, dsrt_error *error) {
  auto outcome = std::make_shared<Outcome>();
  const dsrt_status status = within(
      timeoutMs,
      [](Outcome &outcome) { outcome.code = MPI_Comm_dup(MPI_COMM_WORLD, &outcome.communicator); },
      outcome, error);
  if (status != DSRT_OK)
    return status;
  copy = outcome->communicator;
  code = outcome->code;
  return DSRT_OK;
}

int finaliseMpi() {
  int code = MPI_SUCCESS;
  mainThread().run([&code] { code = MPI_Finalize(); }, std::nullopt);
  return code;
}

} // namespace dsrt::mpi
