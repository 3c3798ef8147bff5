//===- Rendezvous.h - A barrier of threads that can break -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All members arrive, or the rendezvous breaks for good and every member learns so: the state is
// one word, generation and a broken bit, and both the last arrival and a waiter that gives up
// change it by compare-and-swap. Hence no member can leave while another believes that all have
// come, which is what keeps a late rank from touching buffers whose owners have gone.
//
// Waiting spins briefly, then yields, then sleeps on a condition variable; with more ranks than
// cores it does not spin.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_LOCAL_RENDEZVOUS_H
#define DSRT_SRC_BACKENDS_LOCAL_RENDEZVOUS_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

namespace dsrt::local {

class Rendezvous {
public:
  enum class Outcome { met, timedOut, broken };

  Rendezvous(int32_t members, bool maySpin);

  /// Waits for all members. `interrupted`, if given, is polled while waiting; when it is true the
  /// rendezvous breaks. A timeout of 0 waits for ever.
  Outcome arrive(int32_t member, int64_t timeoutMs, const std::atomic<bool> *interrupted);
  /// Makes sleepers read `interrupted` again.
  void wake();
  /// Returns the members that have arrived less often than `member`.
  std::vector<int32_t> behind(int32_t member) const;

private:
  bool giveUp(uint64_t seen);

  struct alignas(64) Member {
    std::atomic<uint64_t> arrivals{0};
  };
  static constexpr uint64_t brokenBit = 1;

  const int32_t numMembers;
  const bool maySpin;
  std::vector<Member> members;
  alignas(64) std::atomic<uint64_t> state{0}; // generation * 2 + broken
  alignas(64) std::atomic<int32_t> arrived{0};
  alignas(64) std::atomic<int32_t> sleepers{0};
  std::mutex mutex;
  std::condition_variable changed;
};

} // namespace dsrt::local

#endif // DSRT_SRC_BACKENDS_LOCAL_RENDEZVOUS_H
