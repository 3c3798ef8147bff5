//===- ChannelModel.h - the time of a message on a channel ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times are integers in picoseconds and rates in picoseconds per KiB, so that all ranks and
// machines plan alike. Intermediate times are counted in 1/1024 ps, so that bytes times a rate is
// an integer too, and the time of several messages sums up exactly.
//
//===----------------------------------------------------------------------===//
#ifndef DS_PLAN_CHANNELMODEL_H
#define DS_PLAN_CHANNELMODEL_H

#include <cstdint>
#include <string>
#include <vector>

namespace ds {

/// 1/1024 ps; a day of the largest messages fits many times.
using Ticks = __int128;
constexpr Ticks ticksPerPicosecond = 1024;

/// T(S) = start + S * rate for low <= S < high bytes.
struct CostPiece {
  static constexpr int64_t unbounded = INT64_MAX;
  int64_t low = 0, high = unbounded;
  int64_t start = 0; // ps; the piece of long messages may start below zero
  int64_t rate = 0;  // ps per KiB

  bool holds(int64_t bytes) const { return low <= bytes && bytes < high; }
  Ticks at(Ticks bytes) const { return start * ticksPerPicosecond + bytes * rate; }
};

/// The time of one message by its bytes.
class ChannelModel {
public:
  /// Makes a model from a latency in ps and a rate in ps per KiB (Hockney 1994).
  static ChannelModel affine(int64_t start, int64_t rate);
  /// Returns an empty model, with the reason in `why`, unless the pieces cover all sizes from 0 in
  /// order and no longer message takes less time than a shorter one.
  static ChannelModel fromPieces(std::vector<CostPiece> pieces, std::string &why);

  bool empty() const { return parts.empty(); }
  const std::vector<CostPiece> &pieces() const { return parts; }
  Ticks time(int64_t bytes) const;

  /// Returns lines that are nowhere in [least, most] above T: those of its lower convex hull with a
  /// start of at least 0. Rates are rounded down.
  std::vector<CostPiece> linesBelow(int64_t least, int64_t most) const;
  /// Returns the least time per byte in a message of [least, most] bytes, rounded down.
  int64_t leastRate(int64_t least, int64_t most) const;

private:
  std::vector<CostPiece> parts;
};

} // namespace ds

#endif // DS_PLAN_CHANNELMODEL_H
