//===- LocalWorld.h - Shared state of a local world -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_LOCAL_LOCALWORLD_H
#define DSRT_SRC_BACKENDS_LOCAL_LOCALWORLD_H

#include "Rendezvous.h"
#include "base/Messages.h"
#include "dsrt/queue.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace dsrt::local {

/// A pointer for each member, in cache lines that one rank alone writes.
class MemberPointers {
public:
  explicit MemberPointers(size_t members) : lines((members + perLine - 1) / perLine) {}
  void *&operator[](int64_t member) { return data()[member]; }
  void **data() { return reinterpret_cast<void **>(lines.data()); }

private:
  static constexpr size_t perLine = 64 / sizeof(void *);
  struct alignas(64) Line {
    void *pointers[perLine];
  };
  std::vector<Line> lines;
};

/// One group of ranks. A member publishes its call before the first rendezvous of a collective; the
/// others read it, and the buffers it names, until that one has ended, or, where each member does
/// its share, until the second one.
struct SharedGroup {
  /// `isCrowded`: the process has more ranks than cores.
  SharedGroup(std::vector<int32_t> everyone, std::vector<int32_t> ranks, bool isCrowded);

  const std::vector<int32_t> everyone;
  const std::vector<int32_t> ranks; // those of them that are threads of this process
  const bool isCrowded;
  Rendezvous rendezvous;
  /// Of the last collective. Written by the member that arrives last; the others read it before
  /// they arrive again.
  struct Verdict {
    dsrt_status status = DSRT_OK;
    bool isSettled = false; // nothing is left to do for the others
    uint64_t latest = 0;    // dsrt_call.latest_ns
    dsrt_error error = {};
  } verdict;
  /// The data that the others need for most calls is in one cache line: fetching a line from
  /// another core takes as long as reducing a kilobyte.
  struct alignas(64) Slot {
    explicit Slot(size_t members) : pointers(members) {}

    void publish(const dsrt_call &newCall) {
      call = &newCall;
      fingerprint = signatureOf(newCall).fingerprint();
      leaves = newCall.leaves_ns;
      std::copy_n(newCall.outputs, std::min(newCall.n_buffers, numNear), nearOutputs);
    }
    void *output(int64_t buffer) const {
      return buffer < numNear ? nearOutputs[buffer] : call->outputs[buffer];
    }

    const dsrt_call *call = nullptr;
    uint64_t fingerprint = 0; // of the call's signature
    uint64_t leaves = 0;      // of the call, for the modelled link
    static constexpr int64_t numNear = 5;
    void *nearOutputs[numNear] = {};
    // Scratch of this member alone: room for the pointers of all, so that a collective allocates
    // nothing.
    MemberPointers pointers;
  };
  std::vector<Slot> slots;
};

/// The ranks of one process; the world's first failure frees every rank.
class World {
public:
  /// `first`, `here`: the ranks of this process, if others hold the rest.
  World(int32_t numRanks, int32_t first, int32_t here);

  std::shared_ptr<SharedGroup> group(const std::vector<int32_t> &ranks);
  /// Makes one even if these ranks have another.
  std::shared_ptr<SharedGroup> makeGroup(const std::vector<int32_t> &ranks);

  /// Ends the world unless it has ended. `rank` failed with `status`; `late` are those it blames.
  void end(dsrt_status status, int32_t rank, const std::string &text,
           const std::vector<int32_t> &late);
  /// Returns the status of the ended world for `rank`; DSRT_OK while it goes on.
  dsrt_status statusFor(int32_t rank, dsrt_error *error) const;
  /// Does the same once the world has ended, for a rank whose rendezvous was broken by one that is
  /// about to end it.
  dsrt_status waitForEnd(int32_t rank, dsrt_error *error) const;
  const std::atomic<bool> &ended() const { return over; }

  /// The progress of a rank's queued work: its wait, and exchanges of the step in it.
  struct Progress {
    uint64_t wait = 0; // from 1
    int64_t exchanges = 0;
    static constexpr int64_t all = std::numeric_limits<int64_t>::max(); // the wait has ended
  };
  void report(int32_t rank, Progress progress);
  std::vector<Progress> reports() const;

  const int32_t numRanks, first, here;

private:
  std::shared_ptr<SharedGroup> addGroup(const std::vector<int32_t> &ranks);

  std::atomic<bool> over{false};
  mutable std::mutex mutex; // of everything below
  dsrt_status status = DSRT_OK;
  int32_t failedRank = 0;
  std::string text;
  std::vector<int32_t> late;
  std::vector<std::weak_ptr<SharedGroup>> groups;
  std::vector<Progress> progress; // by rank
};

/// The backend state of one rank.
struct Rank {
  std::shared_ptr<World> world;
  int32_t rank;
  const dsrt_mover *mover = nullptr; // while collectives are queued
};

/// The backend group of one rank.
struct Membership {
  std::shared_ptr<SharedGroup> group;
  int32_t index;
};

/// The part of a collective with members in other processes. Every member of this one runs it,
/// between the two rendezvous.
class Crossing {
public:
  virtual ~Crossing() = default;
  virtual dsrt_status run(SharedGroup &group, int32_t index, dsrt_error *error) = 0;
};

/// Runs a collective; the memory movement is in LocalCollectives.cpp, or that of `crossing`.
dsrt_status runCollective(Rank &rank, Membership &membership, const dsrt_call &call,
                          dsrt_error *error, Crossing *crossing = nullptr);

/// A queued collective between its two rendezvous, and after them (LocalQueue.cpp).
class QueuedShare {
public:
  QueuedShare(const dsrt_mover &mover, const SharedGroup &group, int32_t index);
  dsrt_status move(dsrt_error *error);
  dsrt_status join(void **outDone, dsrt_error *error);

private:
  const dsrt_mover &mover;
  const int32_t index;
  std::vector<const dsrt_call *> calls; // invalid once the members have met again
  std::vector<void *> marks;
};

/// The functions of DSRT_CAP_QUEUED.
void addQueue(dsrt_backend &table);

} // namespace dsrt::local

#endif // DSRT_SRC_BACKENDS_LOCAL_LOCALWORLD_H
