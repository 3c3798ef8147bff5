//===- HostChain.h - all_reduce over hosts that hold several ranks -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks of a host share a fast link, and hosts a slow one. Member c of each host reduces the c-th
// share of the elements: the partial result of the previous host, then the values of its own host's
// ranks. The last host has the result, which goes back the same way and, on each host, to its other
// ranks. So elements are reduced in the order of the ranks, with the bits of `local`, and cross
// each link between two hosts once in each direction; straight from rank to rank they would cross
// it once per rank of a host. The data goes in pieces: while results come back, later pieces are on
// their way.
//
// Reduce-scatter within hosts and an all_reduce between them would move as little, but adds the
// sums of hosts, (a + b) + (c + d), where the order of ranks is ((a + b) + c) + d.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_HOSTCHAIN_H
#define DSRT_SRC_BACKENDS_HOSTCHAIN_H

#include "Hosts.h"
#include "Sequence.h"
#include "base/Kernels.h"

#include <cstring>

namespace dsrt {

/// Bytes of a share that travel at once. Between two hosts of two ranks at 2.5 Gbit/s 16 MB took 72
/// ms over MPI, and 140 in pieces of 256 KiB.
constexpr int64_t chainPieceBytes = int64_t(1) << 20;

/// True if the chain gives the bits of a reduction in rank order, and is faster. Partial results
/// travel between hosts in the call's type, so sixteen-bit floats, which are rounded once from f32,
/// take no chain; small calls are over sooner without it.
inline bool isForChain(const dsrt_call &call, const Hosts &hosts, int64_t bytes) {
  constexpr int64_t fewBytes = int64_t(1) << 16; // for each host
  return hosts.haveTiers() && bytes >= fewBytes * hosts.number && call.dtype != DSRT_F16 &&
         call.dtype != DSRT_BF16;
}

/// `Pump` has send(member, data, bytes), receive(member, data, bytes), mark(marks), which writes
/// for each member how many bytes are to come from it so far, and run(marks), which returns when so
/// many have come. Between two members data arrives in the order of the calls. The caller waits for
/// the transfers that are left when this returns.
template <typename Pump> class HostChain {
public:
  /// `piece`: elements of a share that are reduced at once.
  HostChain(Pump &pump, const dsrt_call &call, const Sequence &data, Hosts hosts, int32_t member,
            int64_t piece)
      : pump(pump), call(call), data(data), size(dsrt_dtype_size(call.dtype)), hosts(hosts),
        column(member % hosts.ranks), first(member - column),
        previous(first == 0 ? -1 : member - hosts.ranks),
        next(first + hosts.ranks == hosts.number * hosts.ranks ? -1 : member + hosts.ranks),
        piece(piece), window(2 * hosts.number),
        rounds((data.share(0, hosts.ranks).elements() + piece - 1) / piece) {}

  /// Returns how much scratch memory run() needs.
  int64_t scratchBytes() const { return (2 * (hosts.ranks + 1) + window) * piece * size; }

  dsrt_status run(char *scratch) {
    rooms[0] = scratch;
    rooms[1] = rooms[0] + (hosts.ranks + 1) * piece * size;
    partial = rooms[1] + (hosts.ranks + 1) * piece * size;
    returned.resize(static_cast<size_t>(window));
    exchange(0);
    for (int64_t round = 0; round < rounds + window; ++round) {
      if (const int64_t done = round - window; next >= 0 && done >= 0 && done < rounds) {
        if (dsrt_status status = pump.run(returned[done % window]); status != DSRT_OK)
          return status;
        passOn(done);
      }
      if (round < rounds) {
        if (round + 1 < rounds)
          exchange(round + 1);
        if (dsrt_status status = forward(round); status != DSRT_OK)
          return status;
      }
    }
    return DSRT_OK;
  }

private:
  Range pieceOf(int32_t ofColumn, int64_t round) const {
    return data.share(ofColumn, hosts.ranks).piece(round, piece);
  }
  char *room(int64_t round, int32_t place) const { return rooms[round % 2] + place * piece * size; }
  template <typename Visit> void eachNeighbour(Visit visit) const {
    for (int32_t k = 1; k < hosts.ranks; ++k)
      visit((column + k) % hosts.ranks);
  }
  void send(Range range, int32_t member) {
    data.each(range, [&](char *memory, int64_t elements, int64_t) {
      pump.send(member, memory, static_cast<size_t>(elements * size));
    });
  }
  void receive(Range range, int32_t member) {
    data.each(range, [&](char *memory, int64_t elements, int64_t) {
      pump.receive(member, memory, static_cast<size_t>(elements * size));
    });
  }

  /// Sends pieces to the members of this host that reduce them; receives this member's from them,
  /// and the partial result of the previous host.
  void exchange(int64_t round) {
    const Range own = pieceOf(column, round);
    const auto bytes = static_cast<size_t>(own.elements() * size);
    eachNeighbour([&](int32_t c) {
      send(pieceOf(c, round), first + c);
      pump.receive(first + c, room(round, c), bytes);
    });
    if (previous >= 0)
      pump.receive(previous, room(round, hosts.ranks), bytes);
    pump.mark(arrived[round % 2]);
    if (next >= 0)
      arrived[round % 2][next] = 0; // no need to wait for results here
  }

  dsrt_status forward(int64_t round) {
    if (dsrt_status status = pump.run(arrived[round % 2]); status != DSRT_OK)
      return status;
    const Range own = pieceOf(column, round);
    data.each(own, [&](char *memory, int64_t elements, int64_t before) {
      std::memcpy(room(round, column) + before * size, memory,
                  static_cast<size_t>(elements * size));
    });
    if (next < 0) {
      data.each(own, [&](char *memory, int64_t elements, int64_t before) {
        reduce(round, before, elements, memory);
        if (call.reduction == DSRT_MEAN)
          scaleToMean(call.dtype, hosts.number * hosts.ranks, elements, memory);
      });
      passOn(round);
      return DSRT_OK;
    }
    char *sum = partial + round % window * piece * size;
    reduce(round, 0, own.elements(), sum);
    pump.send(next, sum, static_cast<size_t>(own.elements() * size));
    receive(own, next);
    std::vector<uint64_t> &marks = returned[round % window];
    pump.mark(marks);
    for (int32_t m = 0; m < static_cast<int32_t>(marks.size()); ++m)
      marks[m] = m == next ? marks[m] : 0;
    return DSRT_OK;
  }

  /// Passes the result of a piece on to the previous host and to the members of this one.
  void passOn(int64_t round) {
    const Range own = pieceOf(column, round);
    if (previous >= 0)
      send(own, previous);
    eachNeighbour([&](int32_t c) {
      send(own, first + c);
      receive(pieceOf(c, round), first + c);
    });
  }

  void reduce(int64_t round, int64_t before, int64_t elements, void *output) {
    sources.clear();
    if (previous >= 0)
      sources.push_back(room(round, hosts.ranks) + before * size);
    for (int32_t c = 0; c < hosts.ranks; ++c)
      sources.push_back(room(round, c) + before * size);
    const dsrt_reduction reduction = call.reduction == DSRT_MEAN ? DSRT_SUM : call.reduction;
    reduceInRankOrder(call.dtype, reduction, static_cast<int64_t>(sources.size()), sources.data(),
                      elements, 1, &output);
  }

  Pump &pump;
  const dsrt_call &call;
  const Sequence &data;
  const int64_t size;
  const Hosts hosts;
  const int32_t column, first;         // of this host's members
  const int32_t previous, next;        // the same column of the neighbouring hosts, -1 at the ends
  const int64_t piece, window, rounds; // window: pieces between forward and back
  char *rooms[2] = {}, *partial = nullptr;
  std::vector<uint64_t> arrived[2];
  std::vector<std::vector<uint64_t>> returned;
  std::vector<const void *> sources;
};

} // namespace dsrt

#endif // DSRT_SRC_BACKENDS_HOSTCHAIN_H
