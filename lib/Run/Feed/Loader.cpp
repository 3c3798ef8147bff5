//===- Loader.cpp - The samples of the next step, loaded beside this one --===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The spare memories belong to the thread while a step is wanted and not ready, and to the rank
// otherwise.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Feed/Loader.h"

#include "ds/Support/Threads.h"

#include "llvm/Support/Threading.h"

#include <csignal>

namespace ds {

using llvm::Error;
using llvm::Expected;

/// Waking a thread takes as long as copying this many bytes from a file in memory.
static constexpr int64_t leastBytes = 64 << 10;

Loader::Loader(Rank &rank, const Dataset &data, const Sampler &sampler, const World &world,
               int64_t end)
    : rank(rank), data(data), sampler(sampler), end(end), checks(data.isMapped()) {
  const int64_t cores = llvm::hardware_concurrency().compute_thread_count();
  // A rank whose step runs on a GPU waits for it, and leaves its core idle.
  const bool isCoreLeft = cores > world.numLocalRanks() || rank.instance().onDevice();
  if (!isCoreLeft || rank.prepareSpares() < leastBytes)
    return;
  (void)startThread(thread, [this] { loop(); }); // rows are loaded on demand if it cannot start
}

Loader::~Loader() {
  if (thread.joinable()) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      stop = true;
    }
    changed.notify_all();
    thread.join();
  }
  rank.returnSpares();
}

Loader::Loaded Loader::prepare(int64_t step) {
  Loaded loaded{step, sampler.batch(step), ""};
  if (Error error = checks ? rank.check(data, *loaded.rows) : Error::success())
    loaded.mistake = llvm::toString(std::move(error));
  else
    rank.loadSpares(data, *loaded.rows);
  return loaded;
}

void Loader::loop() {
  // Signals are for the threads that handle them.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return stop || wanted; });
    if (stop)
      return;
    const int64_t step = *wanted;
    lock.unlock();
    Loaded loaded = prepare(step);
    lock.lock();
    ready = std::move(loaded);
    wanted.reset();
    changed.notify_all();
  }
}

Expected<std::shared_ptr<const StepRows>> Loader::load(int64_t step) {
  std::optional<Loaded> loaded;
  {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return !wanted; });
    loaded.swap(ready);
  }
  if (!loaded || loaded->step != step)
    loaded = prepare(step);
  if (!loaded->mistake.empty())
    return llvm::createStringError(loaded->mistake);
  rank.takeSpares(data, *loaded->rows);
  if (thread.joinable() && step + 1 < end) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      wanted = step + 1;
    }
    changed.notify_all();
  }
  return std::move(loaded->rows);
}

} // namespace ds
