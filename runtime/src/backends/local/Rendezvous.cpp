//===- Rendezvous.cpp - A barrier of threads that can break -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Rendezvous.h"
#include "base/Deadline.h"
#include "base/Threads.h"

#include <chrono>
#include <sched.h>

namespace dsrt::local {

Rendezvous::Rendezvous(int32_t members, bool maySpin)
    : numMembers(members), maySpin(maySpin), members(static_cast<size_t>(members)) {}

/// Breaks the rendezvous, unless it has ended or is closed.
bool Rendezvous::giveUp(uint64_t seen) {
  if (!state.compare_exchange_strong(seen, seen | brokenBit))
    return false;
  wake();
  return true;
}

void Rendezvous::wake() {
  // A sleeper announces itself and then reads the state; we have changed the state and look for
  // sleepers. With sequentially consistent order at least one of the two sees the other.
  if (sleepers.load() == 0)
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
  }
  changed.notify_all();
}

std::vector<int32_t> Rendezvous::behind(int32_t member) const {
  std::vector<int32_t> late;
  uint64_t mine = members[member].arrivals.load();
  for (int32_t m = 0; m < numMembers; ++m)
    if (members[m].arrivals.load() < mine)
      late.push_back(m);
  return late;
}

bool Rendezvous::comesLast(int32_t member) {
  members[member].arrivals.fetch_add(1);
  if (arrived.fetch_add(1) + 1 < numMembers)
    return false;
  arrived.store(0);
  return true;
}

Rendezvous::Outcome Rendezvous::wait(uint64_t seen, int64_t timeoutMs,
                                     const std::atomic<bool> *interrupted) {
  // While the rendezvous is closed its generation is the old one.
  auto hasEnded = [&] { return (state.load() & ~closedBit) != seen; };
  auto stopped = [&] { return interrupted && interrupted->load(); };
  // A later generation may be broken already.
  auto outcome = [&] {
    return state.load() == (seen | brokenBit) ? Outcome::broken : Outcome::met;
  };
  // A few microseconds, then some tens while the cores are free. Longer spinning costs more than it
  // saves as soon as any other thread runs on the machine.
  constexpr int spins = 100, yields = 200;
  for (int i = 0; maySpin && i < spins; ++i) {
    if (hasEnded())
      return outcome();
    pauseCore();
  }
  // A yield to threads that compute may last any time, so the deadline counts from here.
  const Deadline deadline = Deadline::in(timeoutMs);
  for (int i = 0; maySpin && i < yields && (timeoutMs == 0 || !deadline.passed()); ++i) {
    if (hasEnded())
      return outcome();
    sched_yield();
  }

  std::unique_lock<std::mutex> lock(mutex);
  sleepers.fetch_add(1);
  bool expired = false;
  while (!hasEnded() && !stopped() && !expired) {
    if (timeoutMs == 0) {
      changed.wait(lock);
      continue;
    }
    changed.wait_for(lock, std::chrono::milliseconds(deadline.sliceMs()));
    expired = deadline.passed();
  }
  sleepers.fetch_sub(1);
  lock.unlock();
  if (hasEnded())
    return outcome();
  const bool interruption = stopped();
  if (!giveUp(seen)) { // the last member came, or another gave up first
    while (!hasEnded())
      sched_yield();
    return outcome();
  }
  return interruption ? Outcome::broken : Outcome::timedOut;
}

} // namespace dsrt::local
