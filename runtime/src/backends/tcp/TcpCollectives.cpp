//===- TcpCollectives.cpp - Where the bytes of each collective go -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// all_reduce goes in shares (ShareExchange.h), or along a chain of hosts of several members
// (HostChain.h). Small calls send all data to every member: one exchange instead of two.
//
//===----------------------------------------------------------------------===//
#include "TcpCollectives.h"
#include "backends/HostChain.h"
#include "backends/ShareExchange.h"

#include <algorithm>
#include <cstring>

namespace dsrt::tcp {
namespace {

constexpr int64_t wholeBytes = int64_t(1) << 16; // all members' data together

class Collective {
public:
  Collective(Rank &rank, const Members &members, const dsrt_call &call, dsrt_error *error)
      : rank(rank), members(members), call(call), pump(rank, members, call, error),
        size(dsrt_dtype_size(call.dtype)), n(members.size()), me(members.index) {}

  dsrt_status run() {
    dsrt_status status = DSRT_OK;
    switch (call.op) {
    case DSRT_OP_ALL_REDUCE:
      status = allReduce();
      break;
    case DSRT_OP_REDUCE_SCATTER:
      status = reduceScatter();
      break;
    case DSRT_OP_BROADCAST:
      status = broadcast();
      break;
    case DSRT_OP_ALL_GATHER:
      allGather();
      break;
    case DSRT_OP_ALL_TO_ALL:
      allToAll();
      break;
    case DSRT_OP_COLLECTIVE_PERMUTE:
      permute();
      break;
    case DSRT_OP_BARRIER:
      break; // the headers are the whole barrier
    }
    return status == DSRT_OK ? pump.finish() : status;
  }

private:
  char *scratchOf(int64_t bytes) {
    if (rank.scratch.size() < static_cast<size_t>(bytes))
      rank.scratch.resize(static_cast<size_t>(bytes));
    return rank.scratch.data();
  }
  /// Returns scratch memory for `elements` of each member.
  char *scratch(int64_t elements) { return scratchOf(elements * size * n); }

  /// Reduces `from`, which holds `stride` bytes of each member, `elements` of them, into `output`.
  void reduce(const char *from, int64_t stride, int64_t elements, void *output) {
    rank.sources.resize(static_cast<size_t>(n));
    for (int32_t m = 0; m < n; ++m)
      rank.sources[m] = from + m * stride;
    reduceInRankOrder(call.dtype, call.reduction, n, rank.sources.data(), elements, 1, &output);
  }

  template <typename Visit> void eachOther(Visit visit) {
    // Each member begins with its successor, so that not all send to the first one.
    for (int32_t k = 1; k < n; ++k)
      visit((me + k) % n);
  }

  /// Returns when everything queued so far has been received, and memory that was sent may be
  /// written.
  dsrt_status receiveSoFar() {
    std::vector<uint64_t> marks;
    pump.mark(marks);
    dsrt_status status = pump.run(marks);
    return status == DSRT_OK ? pump.flush() : status;
  }

  void sendRange(const Sequence &data, Range range, int32_t to) {
    data.each(range, [&](char *memory, int64_t elements, int64_t) {
      pump.send(to, memory, static_cast<size_t>(elements * size));
    });
  }
  void receiveRange(const Sequence &data, Range range, int32_t from) {
    data.each(range, [&](char *memory, int64_t elements, int64_t) {
      pump.receive(from, memory, static_cast<size_t>(elements * size));
    });
  }

  /// Returns how many elements a piece has: chunk_bytes of the options if that is set.
  int64_t pieceElements() const {
    const int64_t usual = sharePieceBytes(n);
    const int64_t asked = rank.options.chunk_bytes ? rank.options.chunk_bytes / n : usual;
    return std::clamp<int64_t>(asked / size, 1, shareScratchBytes / (size * n) + 1);
  }

  /// Copies this member's elements of a range to where those of the others arrive.
  void copyOwn(const Sequence &data, Range range, char *to) {
    data.each(range, [&](char *memory, int64_t elements, int64_t before) {
      std::memcpy(to + before * size, memory, static_cast<size_t>(elements * size));
    });
  }
  void reduceInto(const Sequence &data, Range range, const char *from) {
    data.each(range, [&](char *memory, int64_t elements, int64_t before) {
      reduce(from + before * size, range.elements() * size, elements, memory);
    });
  }

  dsrt_status allReduce() {
    const Sequence data(call);
    const int64_t total = data.elements();
    if (total * size * n <= wholeBytes) {
      const Range all = {0, total};
      const int64_t bytes = total * size;
      char *room = scratch(total);
      eachOther([&](int32_t m) {
        sendRange(data, all, m);
        pump.receive(m, room + m * bytes, static_cast<size_t>(bytes));
      });
      copyOwn(data, all, room + me * bytes);
      if (dsrt_status status = receiveSoFar(); status != DSRT_OK)
        return status;
      reduceInto(data, all, room);
      return DSRT_OK;
    }
    const int64_t piece = pieceElements();
    if (isForChain(call, members.hosts, total * size)) {
      HostChain<Pump> chain(pump, call, data, members.hosts, me,
                            rank.options.chunk_bytes ? piece : chainPieceBytes / size);
      return chain.run(scratchOf(chain.scratchBytes()));
    }
    ShareExchange<Pump> exchange(pump, call, data, n, me, piece);
    return exchange.run(scratchOf(exchange.scratchBytes()));
  }

  dsrt_status reduceScatter() {
    const int64_t piece = pieceElements();
    for (int64_t b = 0; b < call.n_buffers; ++b) {
      const char *input = static_cast<const char *>(call.inputs[b]);
      char *output = static_cast<char *>(call.outputs[b]);
      const int64_t part = call.elements[b];
      for (int64_t begin = 0; begin < part; begin += piece) {
        const int64_t bytes = std::min(piece, part - begin) * size;
        char *room = scratch(piece);
        auto partOf = [&](int32_t m) { return input + (m * part + begin) * size; };
        eachOther([&](int32_t m) {
          pump.send(m, partOf(m), static_cast<size_t>(bytes));
          pump.receive(m, room + m * bytes, static_cast<size_t>(bytes));
        });
        std::memcpy(room + me * bytes, partOf(me), static_cast<size_t>(bytes));
        if (dsrt_status status = receiveSoFar(); status != DSRT_OK)
          return status;
        reduce(room, bytes, bytes / size, output + begin * size);
      }
    }
    return DSRT_OK;
  }

  /// Large data goes from the root in shares, which their receivers pass on.
  dsrt_status broadcast() {
    const Sequence data(call);
    const int32_t root = call.root;
    const bool whole = n == 2 || data.elements() * size * n <= wholeBytes;
    auto shareOfMember = [&](int32_t m) { return data.share(m < root ? m : m - 1, n - 1); };
    const Range all = {0, data.elements()};
    if (n == 1)
      return DSRT_OK;
    if (me == root) {
      eachOther([&](int32_t m) { sendRange(data, whole ? all : shareOfMember(m), m); });
      return DSRT_OK;
    }
    receiveRange(data, whole ? all : shareOfMember(me), root);
    if (whole)
      return DSRT_OK;
    if (dsrt_status status = receiveSoFar(); status != DSRT_OK)
      return status;
    eachOther([&](int32_t m) {
      if (m == root)
        return;
      sendRange(data, shareOfMember(me), m);
      receiveRange(data, shareOfMember(m), m);
    });
    return DSRT_OK;
  }

  void allGather() {
    for (int64_t b = 0; b < call.n_buffers; ++b) {
      const auto bytes = static_cast<size_t>(call.elements[b] * size);
      char *output = static_cast<char *>(call.outputs[b]);
      char *own = output + static_cast<size_t>(me) * bytes;
      if (bytes && own != call.inputs[b])
        std::memmove(own, call.inputs[b], bytes);
      eachOther([&](int32_t m) {
        pump.send(m, own, bytes);
        pump.receive(m, output + static_cast<size_t>(m) * bytes, bytes);
      });
    }
  }

  void allToAll() {
    for (int64_t b = 0; b < call.n_buffers; ++b) {
      const auto bytes = static_cast<size_t>(call.elements[b] * size);
      const char *input = static_cast<const char *>(call.inputs[b]);
      char *output = static_cast<char *>(call.outputs[b]);
      auto at = [&](int32_t m) { return static_cast<size_t>(m) * bytes; };
      eachOther([&](int32_t m) {
        pump.send(m, input + at(m), bytes);
        pump.receive(m, output + at(m), bytes);
      });
      if (bytes)
        std::memcpy(output + at(me), input + at(me), bytes);
    }
  }

  void permute() {
    for (int64_t b = 0; b < call.n_buffers; ++b) {
      const auto bytes = static_cast<size_t>(call.elements[b] * size);
      if (call.destination >= 0 && call.destination != me)
        pump.send(call.destination, call.inputs[b], bytes);
      if (call.source >= 0 && call.source != me)
        pump.receive(call.source, call.outputs[b], bytes);
      else if (bytes && call.source == me)
        std::memcpy(call.outputs[b], call.inputs[b], bytes);
      else if (bytes)
        std::memset(call.outputs[b], 0, bytes);
    }
  }

  Rank &rank;
  const Members &members;
  const dsrt_call &call;
  Pump pump;
  const int64_t size;
  const int32_t n, me;
};

} // namespace

dsrt_status runCollective(Rank &rank, const Members &members, const dsrt_call &call,
                          dsrt_error *error) {
  return Collective(rank, members, call, error).run();
}

} // namespace dsrt::tcp
