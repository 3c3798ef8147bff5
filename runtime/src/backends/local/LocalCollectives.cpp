//===- LocalCollectives.cpp - Collectives among threads ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every collective is: publish the call, meet, compare all calls, move memory, meet again. Between
// the two rendezvous each rank reads the others' buffers directly. all_reduce gives rank k the k-th
// share of the elements of the whole call: it reads that share from all ranks in rank order and
// writes the result to all, so memory is crossed once in each direction for any number of ranks.
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
#include <optional>

namespace dsrt::local {
namespace {

/// A collective between its two rendezvous, seen from one member.
class Body {
public:
  Body(SharedGroup &group, int32_t index)
      : slot(group.slots[index]), slots(group.slots), call(*slot.call), index(index),
        members(static_cast<int64_t>(slots.size())), size(dsrt_dtype_size(call.dtype)) {}

  void run() {
    switch (call.op) {
    case DSRT_OP_ALL_REDUCE:
      return allReduce();
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

private:
  static const char *at(const void *base, int64_t bytes) {
    return static_cast<const char *>(base) + bytes;
  }
  static char *at(void *base, int64_t bytes) { return static_cast<char *>(base) + bytes; }

  void allReduce() {
    int64_t total = 0;
    for (int64_t b = 0; b < call.n_buffers; ++b)
      total += call.elements[b];
    // Shares end on cache lines of the call, so that two ranks rarely write the same line; large
    // ones on pages, so that a page has one writer and stays with its node.
    constexpr int64_t lineBytes = 64, pageBytes = 4096, pagesPayFrom = 1 << 18;
    const int64_t unit = (total * size >= pagesPayFrom * members ? pageBytes : lineBytes) / size;
    const int64_t share = ((total + members - 1) / members + unit - 1) / unit * unit;
    const int64_t begin = std::min(total, share * index), end = std::min(total, begin + share);
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

/// Compares every member's call with the first one's. All members see the same, so all fail alike.
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

} // namespace

dsrt_status runCollective(Rank &rank, Membership &membership, const dsrt_call &call,
                          dsrt_error *error) {
  SharedGroup &group = *membership.group;
  const int32_t index = membership.index;
  const bool alone = group.ranks.size() == 1;
  group.slots[index].publish(call);
  const uint64_t begin = now();
  if (!alone) {
    switch (group.rendezvous.arrive(index, call.timeout_ms, &rank.world->ended())) {
    case Rendezvous::Outcome::met:
      break;
    case Rendezvous::Outcome::timedOut: {
      std::vector<int32_t> late;
      for (int32_t m : group.rendezvous.behind(index))
        late.push_back(group.ranks[m]);
      setLate(error, call.timeout_ms, late);
      *call.waiting_ns = now() - begin;
      return DSRT_TIMEOUT;
    }
    case Rendezvous::Outcome::broken:
      *call.waiting_ns = now() - begin;
      return rank.world->waitForEnd(rank.rank, error);
    }
  }
  *call.waiting_ns = now() - begin;
  for (const SharedGroup::Slot &slot : group.slots)
    *call.latest_ns = std::max(*call.latest_ns, slot.leaves);
  const bool agreed = allAgree(group, error);
  dsrt_status status = agreed ? DSRT_OK : DSRT_MISMATCH;
  std::optional<QueuedShare> share;
  if (agreed && call.ready)
    status = share.emplace(*rank.mover, group, index).move(error);
  else if (agreed)
    Body(group, index).run();
  if (!alone)
    (void)group.rendezvous.arrive(index, /*timeoutMs=*/0, /*interrupted=*/nullptr);
  return share && status == DSRT_OK ? share->join(call.done, error) : status;
}

} // namespace dsrt::local
