//===- LocalCollectives.cpp - Collectives among threads ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every collective is: publish the call, meet, compare all calls, move memory. The rank that comes
// last compares, for all. It also moves what is small, before it lets the others go: a second
// rendezvous, in which ranks hand over cores, would take longer. Of a larger call each rank moves
// its share, and they meet again. Between the two rendezvous each rank reads the others' buffers
// directly. all_reduce gives rank k the k-th share of the elements of the whole call: it reads that
// share from all ranks in rank order and writes the result to all, so memory is crossed once in
// each direction for any number of ranks. An element is the same whichever rank reduces it.
//
// Queued collectives of a device's buffers meet alike; between the rendezvous work is queued, not
// done.
//
// The second rendezvous has no timeout and ignores aborts: all members are inside the runtime by
// then, so it ends, and a rank that left early would free buffers that others still read.
//
//===----------------------------------------------------------------------===//
#include "LocalWorld.h"
#include "base/Kernels.h"
#include "base/Messages.h"
#include "base/Threads.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>
#include <optional>

namespace dsrt::local {
namespace {

/// A collective between its two rendezvous, seen from one member.
class Body {
public:
  Body(SharedGroup &group, int32_t index)
      : slot(group.slots[index]), slots(group.slots), call(*slot.call), index(index),
        members(static_cast<int64_t>(slots.size())), size(dsrt_dtype_size(call.dtype)) {}

  /// Moves what is this member's to move.
  void run() {
    switch (call.op) {
    case DSRT_OP_ALL_REDUCE:
      return reduceShare();
    case DSRT_OP_REDUCE_SCATTER:
      return reduceScatter();
    case DSRT_OP_ALL_GATHER:
      return allGather();
    case DSRT_OP_ALL_TO_ALL:
      return allToAll();
    case DSRT_OP_COLLECTIVE_PERMUTE:
      return permute();
    case DSRT_OP_BROADCAST:
      return broadcast();
    case DSRT_OP_BARRIER:
      return;
    }
  }

  /// Moves everything, for all members.
  static void runForAll(SharedGroup &group, int32_t index) {
    Body own(group, index);
    if (own.call.op == DSRT_OP_ALL_REDUCE)
      return own.allReduce(0, own.elements());
    for (int32_t m = 0; m < own.members; ++m)
      Body(group, m).run();
  }

private:
  static const char *at(const void *base, int64_t bytes) {
    return static_cast<const char *>(base) + bytes;
  }
  static char *at(void *base, int64_t bytes) { return static_cast<char *>(base) + bytes; }

  int64_t elements() const {
    return std::accumulate(call.elements, call.elements + call.n_buffers, int64_t(0));
  }

  void reduceShare() {
    const int64_t total = elements();
    // Shares end on cache lines of the call, so that two ranks rarely write the same line; large
    // ones on pages, so that a page has one writer and stays with its node.
    constexpr int64_t lineBytes = 64, pageBytes = 4096, pagesPayFrom = 1 << 18;
    const int64_t unit = (total * size >= pagesPayFrom * members ? pageBytes : lineBytes) / size;
    const int64_t share = ((total + members - 1) / members + unit - 1) / unit * unit;
    const int64_t begin = std::min(total, share * index), end = std::min(total, begin + share);
    allReduce(begin, end);
  }

  /// Reduces these elements of the call, for all members.
  void allReduce(int64_t begin, int64_t end) {
    int64_t first = 0; // of this buffer, in the elements of the call
    for (int64_t b = 0; b < call.n_buffers; first += call.elements[b++]) {
      const int64_t from = std::max(begin, first), to = std::min(end, first + call.elements[b]);
      if (from >= to)
        continue;
      for (int64_t m = 0; m < members; ++m)
        slot.pointers[m] = at(slots[m].output(b), (from - first) * size);
      reduceInRankOrder(call.dtype, call.reduction, members, slot.pointers.data(), to - from,
                        members, slot.pointers.data());
    }
  }

  // Only member k reads part k, so an output may be this member's part of its input.
  void reduceScatter() {
    for (int64_t b = 0; b < call.n_buffers; ++b) {
      if (call.elements[b] == 0)
        continue;
      for (int64_t m = 0; m < members; ++m)
        slot.pointers[m] =
            const_cast<char *>(at(slots[m].call->inputs[b], index * call.elements[b] * size));
      reduceInRankOrder(call.dtype, call.reduction, members, slot.pointers.data(), call.elements[b],
                        1, &call.outputs[b]);
    }
  }

  void allGather() {
    for (int64_t b = 0; b < call.n_buffers; ++b) {
      const int64_t bytes = call.elements[b] * size;
      for (int64_t m = 0; m < members && bytes > 0; ++m) {
        char *to = at(call.outputs[b], m * bytes);
        const void *from = slots[m].call->inputs[b];
        if (to != from)
          std::memcpy(to, from, static_cast<size_t>(bytes));
      }
    }
  }

  void allToAll() {
    for (int64_t b = 0; b < call.n_buffers; ++b) {
      const int64_t bytes = call.elements[b] * size;
      for (int64_t m = 0; m < members && bytes > 0; ++m)
        std::memcpy(at(call.outputs[b], m * bytes), at(slots[m].call->inputs[b], index * bytes),
                    static_cast<size_t>(bytes));
    }
  }

  void permute() {
    for (int64_t b = 0; b < call.n_buffers; ++b) {
      const size_t bytes = static_cast<size_t>(call.elements[b] * size);
      if (bytes > 0 && call.source < 0)
        std::memset(call.outputs[b], 0, bytes);
      else if (bytes > 0)
        std::memcpy(call.outputs[b], slots[call.source].call->inputs[b], bytes);
    }
  }

  void broadcast() {
    if (index == call.root)
      return;
    const dsrt_call &root = *slots[call.root].call;
    for (int64_t b = 0; b < call.n_buffers; ++b)
      if (call.elements[b] > 0)
        std::memcpy(call.outputs[b], root.outputs[b], static_cast<size_t>(call.elements[b] * size));
  }

  SharedGroup::Slot &slot;
  std::vector<SharedGroup::Slot> &slots;
  const dsrt_call &call;
  const int64_t index, members, size;
};

/// Compares every member's call with the first one's.
bool allAgree(const SharedGroup &group, dsrt_error *error) {
  const SharedGroup::Slot &expected = group.slots[0];
  for (size_t m = 1; m < group.slots.size(); ++m) {
    const SharedGroup::Slot &slot = group.slots[m];
    if (slot.fingerprint != expected.fingerprint &&
        !agree(group.ranks[0], signatureOf(*expected.call), expected.call, group.ranks[m],
               signatureOf(*slot.call), slot.call, error))
      return false;
    if (!slot.call->ready != !expected.call->ready) {
      setText(error, "rank %d queues its collectives on a device and rank %d does not",
              group.ranks[slot.call->ready ? m : 0], group.ranks[slot.call->ready ? 0 : m]);
      return false;
    }
  }
  return true;
}

/// Returns whether one member moves the memory of all.
bool isSmall(const SharedGroup &group, const dsrt_call &call) {
  // The bytes that one core moves in the time of a rendezvous: some hundred nanoseconds, or, where
  // ranks take turns on the cores, two switches of threads for each.
  constexpr int64_t inTurns = int64_t(1) << 19, atOnce = int64_t(1) << 13;
  const auto members = static_cast<int64_t>(group.ranks.size());
  const bool hasParts = call.op == DSRT_OP_REDUCE_SCATTER || call.op == DSRT_OP_ALL_GATHER ||
                        call.op == DSRT_OP_ALL_TO_ALL;
  const int64_t ofMember = hasParts ? members : 1;
  return payloadBytes(call) <= (group.isCrowded ? inTurns : atOnce) / members / ofMember;
}

/// Judges the collective, and moves the memory of a small one; called by the last member to arrive.
/// `crosses`: the group has members in other processes, so there is more to do.
void settle(SharedGroup &group, int32_t index, bool crosses) {
  const dsrt_call &call = *group.slots[index].call;
  SharedGroup::Verdict &verdict = group.verdict;
  verdict.latest = 0;
  for (const SharedGroup::Slot &slot : group.slots)
    verdict.latest = std::max(verdict.latest, slot.leaves);
  try {
    verdict.status = allAgree(group, &verdict.error) ? DSRT_OK : DSRT_MISMATCH;
  } catch (const std::bad_alloc &) {
    verdict.status = failWith(&verdict.error, DSRT_OUT_OF_MEMORY, "out of memory");
  }
  verdict.isSettled =
      verdict.status != DSRT_OK || (!crosses && !call.ready && isSmall(group, call));
  if (verdict.isSettled && verdict.status == DSRT_OK)
    Body::runForAll(group, index);
}

} // namespace

dsrt_status runCollective(Rank &rank, Membership &membership, const dsrt_call &call,
                          dsrt_error *error, Crossing *crossing) {
  SharedGroup &group = *membership.group;
  const int32_t index = membership.index;
  group.slots[index].publish(call);
  const uint64_t begin = now();
  const Rendezvous::Outcome outcome =
      group.rendezvous.arrive(index, call.timeout_ms, &rank.world->ended(),
                              [&] { settle(group, index, crossing != nullptr); });
  *call.waiting_ns = now() - begin;
  if (outcome == Rendezvous::Outcome::broken)
    return rank.world->waitForEnd(rank.rank, error);
  if (outcome == Rendezvous::Outcome::timedOut) {
    std::vector<int32_t> late;
    for (int32_t m : group.rendezvous.behind(index))
      late.push_back(group.ranks[m]);
    setLate(error, call.timeout_ms, late);
    return DSRT_TIMEOUT;
  }
  const SharedGroup::Verdict &verdict = group.verdict;
  *call.latest_ns = verdict.latest;
  if (verdict.status != DSRT_OK)
    *error = verdict.error;
  if (verdict.isSettled)
    return verdict.status;
  dsrt_status status = DSRT_OK;
  std::optional<QueuedShare> share;
  if (crossing)
    status = crossing->run(group, index, error);
  else if (call.ready)
    status = share.emplace(*rank.mover, group, index).move(error);
  else
    Body(group, index).run();
  (void)group.rendezvous.arrive(index, /*timeoutMs=*/0, /*interrupted=*/nullptr, [] {});
  return share && status == DSRT_OK ? share->join(call.done, error) : status;
}

} // namespace dsrt::local
