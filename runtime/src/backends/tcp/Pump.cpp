//===- Pump.cpp - Bytes to and from all members of a call -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pump.h"
#include "base/Threads.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstring>
#include <poll.h>
#include <sched.h>
#include <sys/uio.h>

namespace dsrt::tcp {

constexpr size_t mostSegments = 16;  // of one system call
constexpr uint64_t spinNs = 100000;  // of waiting on the core
constexpr int64_t lastWordsMs = 500; // that the store may take to report why a connection has ended

void Queue::advance(size_t bytes) {
  moved += bytes;
  while (bytes > 0) {
    Segment &segment = segments[first];
    const size_t part = std::min(bytes, segment.bytes);
    segment.data += part;
    segment.bytes -= part;
    bytes -= part;
    if (segment.bytes == 0)
      ++first;
  }
  if (empty()) {
    segments.clear();
    first = 0;
  }
}

Pump::Pump(Rank &rank, const Members &members, const dsrt_call &call, dsrt_error *error)
    : rank(rank), members(members), call(call), error(error),
      isOfPartners(call.op == DSRT_OP_COLLECTIVE_PERMUTE && !call.sources), others(rank.others),
      mine{members.hash, signatureOf(call)}, deadline(Deadline::in(call.timeout_ms)), begin(now()) {
  others.clear();
  for (int32_t m = 0; m < members.size(); ++m)
    if (m != members.index && (!isOfPartners || m == call.source || m == call.destination))
      others.push_back(m);
  missing = static_cast<int32_t>(others.size());
  for (int32_t m : others) {
    Peer &peer = peerOf(m);
    peer.in.clear();
    peer.out.clear();
    peer.out.push(reinterpret_cast<char *>(&mine), sizeof mine);
  }
}

void Pump::mark(std::vector<uint64_t> &outMarks) const {
  outMarks.assign(static_cast<size_t>(members.size()), 0);
  for (int32_t m : others)
    outMarks[m] = peerOf(m).in.total();
}

/// True if the header of a call in this group has come.
bool Pump::arrived(int32_t member) const {
  const Peer &peer = peerOf(member);
  return peer.headerBytes == sizeof(Header) && peer.header.group == members.hash;
}

bool Pump::isAwaited(int32_t member) const {
  const Peer &peer = peerOf(member);
  return !arrived(member) || !peer.in.empty() || !peer.out.empty();
}

/// Every member compares each other with the first one, so all fail alike; partners compare
/// themselves.
dsrt_status Pump::compare(int32_t member) {
  auto headerOf = [&](int32_t m) -> const Header * {
    if (m == members.index)
      return &mine;
    return arrived(m) ? &peerOf(m).header : nullptr;
  };
  if (isOfPartners)
    return agree(rank.rank, mine.signature, nullptr, members.ranks[member],
                 headerOf(member)->signature, nullptr, error)
               ? DSRT_OK
               : DSRT_MISMATCH;
  const Header *first = headerOf(0);
  for (int32_t m = 1; m < members.size() && first; ++m) {
    const Header *other = member == 0 || m == member ? headerOf(m) : nullptr;
    if (other && !agree(members.ranks[0], first->signature, nullptr, members.ranks[m],
                        other->signature, nullptr, error))
      return DSRT_MISMATCH;
  }
  return DSRT_OK;
}

/// Sends or receives what is queued, as far as that does not wait; false if the other side has
/// ended.
static bool transfer(Channel &channel, ssize_t (Channel::*call)(const iovec *, size_t),
                     Queue &queue, bool &progress) {
  iovec pieces[mostSegments];
  while (!queue.empty()) {
    size_t count = 0;
    const Segment *segments = queue.next(mostSegments, count);
    for (size_t i = 0; i < count; ++i)
      pieces[i] = {segments[i].data, segments[i].bytes};
    const ssize_t n = (channel.*call)(pieces, count);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return errno == EAGAIN || errno == EWOULDBLOCK;
    if (n == 0)
      return false;
    queue.advance(static_cast<size_t>(n));
    progress = true;
  }
  return true;
}

/// The header of a call in another group stays where it is until this rank comes to that call.
void Pump::readHeader(int32_t member, bool &progress) {
  Peer &peer = peerOf(member);
  while (peer.headerBytes < sizeof(Header)) {
    const iovec rest = {reinterpret_cast<char *>(&peer.header) + peer.headerBytes,
                        sizeof(Header) - peer.headerBytes};
    const ssize_t n = peer.channel.receive(&rest, 1);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
      return;
    if (n <= 0) {
      peer.ended = true;
      return;
    }
    peer.headerBytes += static_cast<size_t>(n);
    progress = true;
  }
}

dsrt_status Pump::move(bool &progress) {
  const int32_t before = missing;
  missing = 0;
  for (int32_t m : others) {
    Peer &peer = peerOf(m);
    if (!transfer(peer.channel, &Channel::send, peer.out, progress))
      peer.ended = true;
    const bool knew = arrived(m);
    if (!knew)
      readHeader(m, progress);
    if (!arrived(m)) {
      ++missing;
    } else {
      if (!knew)
        if (dsrt_status status = compare(m); status != DSRT_OK)
          return status;
      if (!transfer(peer.channel, &Channel::receive, peer.in, progress))
        peer.ended = true;
    }
    if (peer.ended && isAwaited(m))
      return lost(m);
  }
  if (before > 0 && missing == 0)
    *call.waiting_ns = now() - begin;
  return DSRT_OK;
}

/// The store knows more of why a rank has gone than the end of its connection shows.
dsrt_status Pump::lost(int32_t member) {
  const Deadline patience = Deadline::in(lastWordsMs);
  do {
    if (dsrt_status status = rank.store->poll(call.timeout_ms, error); status != DSRT_OK)
      return status;
    pollfd none = {-1, 0, 0};
    ::poll(&none, 1, 20);
  } while (!patience.passed());
  setText(error, "rank %d has left the world, or the connection to it was lost",
          members.ranks[member]);
  error->num_late = 1;
  error->late[0] = members.ranks[member];
  return DSRT_PEER_FAILED;
}

dsrt_status Pump::timeOut() {
  std::vector<int32_t> absent, slow;
  for (int32_t m : others) {
    if (!arrived(m))
      absent.push_back(members.ranks[m]);
    else if (isAwaited(m))
      slow.push_back(members.ranks[m]);
  }
  setLate(error, call.timeout_ms, absent.empty() ? slow : absent);
  if (absent.empty())
    std::strncat(error->text, ", which came to the call but did not finish it",
                 sizeof error->text - std::strlen(error->text) - 1);
  return DSRT_TIMEOUT;
}

void Pump::sleep() {
  std::vector<pollfd> entries;
  std::vector<Channel *> channels;
  bool sleeps = true;
  for (int32_t m : others) {
    Peer &peer = peerOf(m);
    const bool parked = peer.headerBytes == sizeof(Header) && !arrived(m);
    const bool reads = !parked && (!arrived(m) || !peer.in.empty()), writes = !peer.out.empty();
    if (!reads && !writes)
      continue;
    short events = 0;
    sleeps = peer.channel.fallAsleep(reads, writes, events) && sleeps;
    entries.push_back({peer.channel.get(), events, 0});
    channels.push_back(&peer.channel);
  }
  ::poll(entries.data(), entries.size(), sleeps ? deadline.sliceMs() : 0);
  for (size_t i = 0; i < entries.size(); ++i)
    channels[i]->wakeUp(entries[i].revents);
}

/// Called between two polls: returns at once if the rank computes meanwhile; spins for the usual
/// skew of ranks, unless others need the core; then sleeps until the system wakes this thread.
dsrt_status Pump::wait() {
  if (looked && call.yield && call.yield(call.yields_to))
    return ++turns % 16 ? DSRT_OK : rank.store->poll(call.timeout_ms, error);
  looked = true;
  if (++turns == 1)
    waitingSince = now();
  if (turns == 1 || (!rank.crowded && now() - waitingSince < spinNs)) {
    sched_yield();
    return DSRT_OK;
  }
  sleep();
  if (dsrt_status status = rank.store->poll(call.timeout_ms, error); status != DSRT_OK)
    return status;
  return deadline.passed() ? timeOut() : DSRT_OK;
}

template <typename Done> dsrt_status Pump::until(Done done) {
  while (true) {
    bool progress = false;
    if (dsrt_status status = move(progress); status != DSRT_OK)
      return status;
    if (done())
      return DSRT_OK;
    if (progress) {
      turns = 0;
      // Data that moves is not late, however much of it there is.
      if (missing == 0)
        deadline = Deadline::in(call.timeout_ms);
      continue;
    }
    if (dsrt_status status = wait(); status != DSRT_OK)
      return status;
  }
}

dsrt_status Pump::run(const std::vector<uint64_t> &marks) {
  return until([&] {
    for (int32_t m : others)
      if (peerOf(m).in.done() < marks[m])
        return false;
    return true;
  });
}

dsrt_status Pump::flush() {
  return until([&] {
    for (int32_t m : others)
      if (!peerOf(m).out.empty())
        return false;
    return true;
  });
}

dsrt_status Pump::finish() {
  dsrt_status status = until([&] {
    for (int32_t m : others)
      if (isAwaited(m))
        return false;
    return true;
  });
  for (int32_t m : others)
    if (status == DSRT_OK)
      peerOf(m).headerBytes = 0;
  return status;
}

} // namespace dsrt::tcp
