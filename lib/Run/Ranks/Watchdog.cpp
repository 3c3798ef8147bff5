//===- Watchdog.cpp - Reports what a late rank is doing ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time is the sum of polling intervals, each capped at twice its length, so a suspended job does
// not time out. The timeout of a collective covers ranks in that collective.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Ranks/Watchdog.h"

#include "ds/Support/Threads.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>

namespace ds {

Watchdog::Watchdog(int64_t first, int64_t count, int64_t timeoutMs, Hooks hooks)
    : first(first), timeoutMs(timeoutMs), hooks(std::move(hooks)), ranks(count) {
  int refused = 0;
  if (count == 0 || startThread(thread, [this] { watch(); }, &refused))
    return;
  ranks = std::vector<Watched>(); // no rank is watched
  this->hooks.tell(std::string("ds-run: warning: no thread for the watchdog (") +
                   std::strerror(refused) +
                   "): a rank that hangs outside of collectives will not say where");
}

Watchdog::~Watchdog() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stop = true;
  }
  changed.notify_one();
  if (thread.joinable())
    thread.join();
}

void Watchdog::enter(int64_t rank, const char *what, int64_t step) {
  if (ranks.empty())
    return;
  ranks[rank - first].step = step;
  ranks[rank - first].last = what;
  ranks[rank - first].what = what;
}

void Watchdog::leave(int64_t rank) {
  if (!ranks.empty())
    ranks[rank - first].what = nullptr;
}

std::vector<Watchdog::Last> Watchdog::last() const {
  std::vector<Last> all;
  for (const Watched &watched : ranks) {
    const char *what = watched.last;
    all.push_back({what ? what : "", watched.step});
  }
  return all;
}

void Watchdog::watch() {
  // Signals are for the threads that handle them.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  using std::chrono::milliseconds;
  using std::chrono::steady_clock;
  const int64_t tick = std::clamp<int64_t>(timeoutMs / 16, 1, 500);
  auto before = steady_clock::now();
  std::unique_lock<std::mutex> lock(mutex);
  while (!changed.wait_for(lock, milliseconds(tick), [&] { return stop; })) {
    auto now = steady_clock::now();
    auto passed = std::chrono::duration_cast<milliseconds>(now - before).count();
    before = now;
    for (size_t i = 0; i < ranks.size(); ++i)
      look(first + static_cast<int64_t>(i), ranks[i], std::min<int64_t>(passed, 2 * tick));
  }
}

static std::string seconds(int64_t ms) {
  std::string text = std::to_string(ms / 1000);
  return (ms < 10000 ? text + "." + std::to_string(ms % 1000 / 100) : text) + " s";
}

void Watchdog::look(int64_t rank, Watched &watched, int64_t elapsedMs) {
  const char *what = watched.what;
  Activity activity = hooks.look(rank);
  if (!what || activity.inCollective || activity.collectives != watched.collectives) {
    watched.collectives = activity.collectives;
    watched.idleMs = 0;
    watched.told = false;
    return;
  }
  watched.idleMs += elapsedMs;
  auto sentence = [&] {
    return "rank " + std::to_string(rank) + " has been in no collective for " +
           seconds(watched.idleMs) + ": it " + what + " step " + std::to_string(watched.step);
  };
  if (watched.idleMs >= timeoutMs / 2 && !watched.told) {
    watched.told = true;
    hooks.tell("ds-run: warning: " + sentence());
  }
  if (watched.idleMs < timeoutMs || !activity.failed)
    return;
  hooks.tell("ds-run: error: " + sentence() + ", and the others have given it up");
  hooks.end();
  watched.what = nullptr; // it is reported once
}

} // namespace ds
