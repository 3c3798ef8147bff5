//===- Rendezvous.h - A barrier of threads that can break -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All members arrive, or the rendezvous breaks for good and every member learns so: the state is
// one word, generation and two bits, and both the last arrival and a waiter that gives up change it
// by compare-and-swap. Hence no member can leave while another believes that all have come, which
// is what keeps a late rank from touching buffers whose owners have gone.
//
// The last member to arrive closes the rendezvous, does what is to be done while all are there, and
// opens it: a closed one cannot break.
//
// Waiting spins briefly, then yields, then sleeps on a condition variable; with more ranks than
// cores it sleeps at once, since each poll takes the core from a rank that computes.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_LOCAL_RENDEZVOUS_H
#define DSRT_SRC_BACKENDS_LOCAL_RENDEZVOUS_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

namespace dsrt::local {

class Rendezvous {
public:
  enum class Outcome { met, timedOut, broken };

  Rendezvous(int32_t members, bool maySpin);

  /// Waits for all members; the last one to arrive calls `complete` before any of them returns.
  /// `interrupted`, if given, is polled while waiting; when it is true the rendezvous breaks. A
  /// timeout of 0 waits for ever.
  template <typename Complete>
  Outcome arrive(int32_t member, int64_t timeoutMs, const std::atomic<bool> *interrupted,
                 Complete complete) {
    uint64_t seen = state.load();
    if (seen & brokenBit)
      return Outcome::broken;
    if (!comesLast(member))
      return wait(seen, timeoutMs, interrupted);
    if (!state.compare_exchange_strong(seen, seen | closedBit))
      return Outcome::broken;
    complete();
    state.store(seen + generation);
    wake();
    return Outcome::met;
  }
  /// Makes sleepers read `interrupted` again.
  void wake();
  /// Returns the members that have arrived less often than `member`.
  std::vector<int32_t> behind(int32_t member) const;

private:
  bool comesLast(int32_t member);
  Outcome wait(uint64_t seen, int64_t timeoutMs, const std::atomic<bool> *interrupted);
  bool giveUp(uint64_t seen);

  struct alignas(64) Member {
    std::atomic<uint64_t> arrivals{0};
  };
  static constexpr uint64_t brokenBit = 1, closedBit = 2, generation = 4;

  const int32_t numMembers;
  const bool maySpin;
  std::vector<Member> members;
  alignas(64) std::atomic<uint64_t> state{0}; // the generation's number and the bits
  alignas(64) std::atomic<int32_t> arrived{0};
  alignas(64) std::atomic<int32_t> sleepers{0};
  std::mutex mutex;
  std::condition_variable changed;
};

} // namespace dsrt::local

#endif // DSRT_SRC_BACKENDS_LOCAL_RENDEZVOUS_H
