//===- ShareExchange.h - all_reduce in shares, from member to member -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Member k gets the k-th share from all members, reduces the shares in rank order with the kernels
// of `local`, and sends the result to all: 2 (n-1)/n of the bytes to and from each member, and the
// bits of `local`. The data goes in pieces, so that while one is reduced the next ones are on their
// way: a rank that computes polls only now and then, and the link must not run empty until it does.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_SHAREEXCHANGE_H
#define DSRT_SRC_BACKENDS_SHAREEXCHANGE_H

#include "Sequence.h"
#include "base/Kernels.h"

#include <cstring>

namespace dsrt {

/// Scratch memory of an exchange, about.
constexpr int64_t shareScratchBytes = int64_t(1) << 24;

/// Returns how many bytes of a share travel at once.
inline int64_t sharePieceBytes(int32_t members) {
  return std::clamp<int64_t>(shareScratchBytes / members, 4096, int64_t(1) << 18);
}

/// `Pump` is as for HostChain.h.
template <typename Pump> class ShareExchange {
public:
  /// `piece`: elements of a share that are reduced at once.
  ShareExchange(Pump &pump, const dsrt_call &call, const Sequence &data, int32_t members,
                int32_t me, int64_t piece)
      : pump(pump), call(call), data(data), size(dsrt_dtype_size(call.dtype)), n(members), me(me),
        piece(piece), rounds((data.share(0, n).elements() + piece - 1) / piece),
        window(std::min(rounds, std::clamp<int64_t>(shareScratchBytes / (piece * size * n), 2, 8))),
        arrived(static_cast<size_t>(window)), sources(static_cast<size_t>(n)) {}

  /// Returns how much scratch memory run() needs.
  int64_t scratchBytes() const { return window * piece * n * size; }

  /// The caller waits for the transfers that are left when this returns.
  dsrt_status run(char *scratch) {
    rooms = scratch;
    int64_t begun = 0;
    for (int64_t round = 0; round < rounds; ++round) {
      for (; begun < std::min(rounds, round + window); ++begun)
        exchange(begun);
      if (dsrt_status status = pump.run(arrived[round % window]); status != DSRT_OK)
        return status;
      reduce(round);
      const Range own = pieceOf(me, round);
      eachOther([&](int32_t m) {
        each(own, [&](char *memory, size_t bytes) { pump.send(m, memory, bytes); });
        each(pieceOf(m, round),
             [&](char *memory, size_t bytes) { pump.receive(m, memory, bytes); });
      });
    }
    return DSRT_OK;
  }

private:
  Range pieceOf(int32_t member, int64_t round) const {
    return data.share(member, n).piece(round, piece);
  }
  /// Returns where `member`'s values of this member's piece arrive.
  char *room(int64_t round, int32_t member) const {
    return rooms + (round % window * n + member) * piece * size;
  }
  template <typename Visit> void each(Range range, Visit visit) const {
    data.each(range, [&](char *memory, int64_t elements, int64_t) {
      visit(memory, static_cast<size_t>(elements * size));
    });
  }
  /// Each member begins with its successor, so that not all send to the first one.
  template <typename Visit> void eachOther(Visit visit) const {
    for (int32_t k = 1; k < n; ++k)
      visit((me + k) % n);
  }

  void exchange(int64_t round) {
    const auto bytes = static_cast<size_t>(pieceOf(me, round).elements() * size);
    eachOther([&](int32_t m) {
      each(pieceOf(m, round), [&](char *memory, size_t part) { pump.send(m, memory, part); });
      pump.receive(m, room(round, m), bytes);
    });
    pump.mark(arrived[round % window]);
  }

  void reduce(int64_t round) {
    data.each(pieceOf(me, round), [&](char *memory, int64_t elements, int64_t before) {
      for (int32_t m = 0; m < n; ++m)
        sources[m] = room(round, m) + before * size;
      std::memcpy(room(round, me) + before * size, memory, static_cast<size_t>(elements * size));
      void *output = memory;
      reduceInRankOrder(call.dtype, call.reduction, n, sources.data(), elements, 1, &output);
    });
  }

  Pump &pump;
  const dsrt_call &call;
  const Sequence &data;
  const int64_t size;
  const int32_t n, me;
  const int64_t piece, rounds, window; // window: pieces on their way
  char *rooms = nullptr;
  std::vector<std::vector<uint64_t>> arrived; // by round % window
  std::vector<const void *> sources;
};

} // namespace dsrt

#endif // DSRT_SRC_BACKENDS_SHAREEXCHANGE_H
