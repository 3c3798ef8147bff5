//===- Pump.h - Bytes to and from all members of a call ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On each connection bytes keep their order. A call begins with a header, so a reader knows whether
// the other side is in the same call before it takes anything else. The call itself determines the
// bytes that follow: both sides derive them from the same arguments.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_TCP_PUMP_H
#define DSRT_SRC_BACKENDS_TCP_PUMP_H

#include "Channel.h"
#include "backends/Hosts.h"
#include "base/Deadline.h"
#include "base/Messages.h"
#include "bootstrap/Store.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace dsrt::tcp {

struct Header {
  uint64_t group = 0; // a hash of its ranks
  CallSignature signature;
};

struct Segment {
  char *data;
  size_t bytes;
};

/// The segments still to be sent or received, in order.
class Queue {
public:
  void clear() {
    segments.clear();
    first = 0;
    queued = moved = 0;
  }
  void push(char *data, size_t bytes) {
    if (bytes == 0)
      return;
    segments.push_back({data, bytes});
    queued += bytes;
  }
  bool empty() const { return first == segments.size(); }
  /// Returns the next segments, at most `most`.
  const Segment *next(size_t most, size_t &count) const {
    count = std::min(most, segments.size() - first);
    return segments.data() + first;
  }
  void advance(size_t bytes);
  uint64_t total() const { return queued; }
  uint64_t done() const { return moved; }

private:
  std::vector<Segment> segments;
  size_t first = 0;
  uint64_t queued = 0, moved = 0;
};

/// The other end of a connection, with the bytes of its next header that have come.
struct Peer {
  Channel channel;
  bool ended = false; // it will send nothing more
  Header header;
  size_t headerBytes = 0;
  Queue out, in;
};

/// One rank of the world.
struct Rank {
  bootstrap::Store *store = nullptr;
  int32_t rank = 0, size = 1;
  int32_t placeOnHost = 0;
  dsrt_options options = {};
  int32_t onHost = 1;      // ranks of this host
  bool crowded = false;    // which outnumber its cores
  std::vector<Peer> peers; // by rank
  std::vector<int32_t> hostOf;
  std::vector<char> scratch;
  std::vector<const void *> sources;
  std::vector<int32_t> others; // of the call under way
};

struct Members {
  std::vector<int32_t> ranks;
  int32_t index = 0;
  uint64_t hash = 0;
  Hosts hosts;
  /// Connections of this group alone, so that it serves a thread of its own.
  std::unique_ptr<Rank> apart;
  int32_t size() const { return static_cast<int32_t>(ranks.size()); }
};

/// One call of all members, or of this one and those that it exchanges with (`sources` of a call).
/// All segments must be queued before run() waits for them.
class Pump {
public:
  Pump(Rank &rank, const Members &members, const dsrt_call &call, dsrt_error *error);

  /// Queues a transfer with another member; the memory is used until run() or finish() has
  /// returned.
  void send(int32_t member, const void *data, size_t bytes) {
    peerOf(member).out.push(const_cast<char *>(static_cast<const char *>(data)), bytes);
  }
  void receive(int32_t member, void *data, size_t bytes) {
    peerOf(member).in.push(static_cast<char *>(data), bytes);
  }
  /// Writes where each queue ends now, for run().
  void mark(std::vector<uint64_t> &outMarks) const;
  /// Returns when everything up to the marks has been received.
  dsrt_status run(const std::vector<uint64_t> &marks);
  /// Returns when everything queued so far has been sent.
  dsrt_status flush();
  /// Returns when everything is sent and received, and all its members are in this call.
  dsrt_status finish();

private:
  Peer &peerOf(int32_t member) const { return rank.peers[members.ranks[member]]; }
  bool isAwaited(int32_t member) const;
  bool arrived(int32_t member) const;
  dsrt_status move(bool &progress);
  void readHeader(int32_t member, bool &progress);
  dsrt_status compare(int32_t member);
  dsrt_status wait();
  void sleep();
  dsrt_status timeOut();
  dsrt_status lost(int32_t member);
  template <typename Done> dsrt_status until(Done done);

  Rank &rank;
  const Members &members;
  const dsrt_call &call;
  dsrt_error *error;
  const bool isOfPartners;
  std::vector<int32_t> &others; // members that make this call, but for this one
  Header mine;
  Deadline deadline;
  uint64_t begin;
  int32_t missing; // members whose header has not come
  uint32_t turns = 0;
  uint64_t waitingSince = 0;
  bool looked = false; // not the first poll any more
};

} // namespace dsrt::tcp

#endif // DSRT_SRC_BACKENDS_TCP_PUMP_H
