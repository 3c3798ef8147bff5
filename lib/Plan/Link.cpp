//===- Link.cpp - a link between ranks, as users write it -----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Plan/Link.h"

#include "llvm/ADT/ArrayRef.h"

#include <cmath>

namespace ds {

namespace {
struct Unit {
  llvm::StringRef name;
  double size;
};
} // namespace

/// Parses a number with one of the units as an integer of the smallest; none outside [0, most].
static std::optional<int64_t> measure(llvm::StringRef text, llvm::ArrayRef<Unit> units,
                                      double most) {
  for (const Unit &unit : units) {
    llvm::StringRef number = text;
    double value;
    if (!number.consume_back(unit.name) || number.trim().getAsDouble(value))
      continue;
    value *= unit.size;
    if (!(value >= 0 && value <= most))
      return std::nullopt;
    return std::llround(value);
  }
  return std::nullopt;
}

std::optional<Link> Link::parse(llvm::StringRef text) {
  auto [latency, rate] = text.split(':');
  // Longer names first: "ms" also ends in "s".
  std::optional<int64_t> ns =
      measure(latency.trim(), {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}, 3.6e12);
  std::optional<int64_t> bytes = measure(rate.trim(),
                                         {{"kbit", 1e3 / 8},
                                          {"Mbit", 1e6 / 8},
                                          {"Gbit", 1e9 / 8},
                                          {"kB", 1e3},
                                          {"MB", 1e6},
                                          {"GB", 1e9}},
                                         1e15);
  if (!ns || !bytes || *bytes == 0)
    return std::nullopt;
  return Link{*ns, *bytes};
}

ChannelModel Link::allReduce(int64_t numRanks) const {
  if (numRanks < 2)
    return ChannelModel::affine(0, 0);
  constexpr __int128 psPerSecond = 1000000000000;
  __int128 rate = psPerSecond * 1024 * 2 * (numRanks - 1) / numRanks / bytesPerSecond;
  return ChannelModel::affine(latencyNs * 1000, static_cast<int64_t>(rate));
}

} // namespace ds
