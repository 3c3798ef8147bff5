//===- ChannelModel.h - what a message takes on a channel -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times are whole numbers of picoseconds and rates of picoseconds per KiB, so that all ranks and
// machines plan alike. Between, times are counted in 1/1024 ps, so that bytes times a rate is a
// whole number too, and a sum of messages is exactly the message of a sum.
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
  /// Latency in ps and rate in ps per KiB (Hockney 1994).
  static ChannelModel affine(int64_t start, int64_t rate);
  /// Empty, and `why` says what is wrong, unless the pieces cover all sizes from 0 in their order
  /// and no longer message takes less time than a shorter one.
  static ChannelModel fromPieces(std::vector<CostPiece> pieces, std::string &why);

  bool empty() const { return parts.empty(); }
  const std::vector<CostPiece> &pieces() const { return parts; }
  Ticks time(int64_t bytes) const;

  /// Lines that nowhere in [least, most] lie above T: those of its lower convex hull with a start
  /// of at least 0. Rates are rounded down.
  std::vector<CostPiece> linesBelow(int64_t least, int64_t most) const;
  /// The least time of a byte in a message of [least, most] bytes, rounded down.
  int64_t leastRate(int64_t least, int64_t most) const;

private:
  std::vector<CostPiece> parts;
};

} // namespace ds

#endif // DS_PLAN_CHANNELMODEL_H
