//===- StepCosts.h - Costs of work and messages -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers, so that a plan is the same on every machine.
//
//===----------------------------------------------------------------------===//
#ifndef DS_PLAN_STEPCOSTS_H
#define DS_PLAN_STEPCOSTS_H

#include "ds/Dialect/IR/Config.h"

#include <algorithm>

namespace ds {

/// Costs are times in nanoseconds: the roofline of one rank (Williams et al. 2009)
/// and the alpha-beta model of a channel (Hockney 1994).
struct StepCosts {
  CostRates rates;

  int64_t ofWork(int64_t flops, int64_t bytes) const {
    return std::max(scaled(flops, rates.flop), scaled(bytes, rates.byte));
  }
  /// Time of `rounds` messages of `bytes` each, one after another.
  int64_t ofMessages(int64_t rounds, int64_t bytes) const {
    return rounds * (rates.message + scaled(bytes, rates.wireByte));
  }

  /// The same for messages that share a bucket, without latency.
  int64_t ofBytes(int64_t rounds, int64_t bytes) const {
    return rounds * scaled(bytes, rates.wireByte);
  }

private:
  static int64_t scaled(int64_t count, int64_t picoseconds) {
    constexpr int64_t most = int64_t(1) << 45; // a step of ten hours is as bad as a longer one
    __int128 cost = static_cast<__int128>(count) * picoseconds / 1000;
    return cost > most ? most : static_cast<int64_t>(cost);
  }
};

} // namespace ds

#endif // DS_PLAN_STEPCOSTS_H
