//===- Link.cpp - A link that is only modelled ------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Link.h"
#include "Context.h"
#include "base/Deadline.h"
#include "base/Threads.h"

#include <algorithm>
#include <ctime>
#include <sys/prctl.h>

namespace dsrt {

int64_t wireBytes(const dsrt_call &call, size_t members) {
  const int64_t others = static_cast<int64_t>(members) - 1, bytes = payloadBytes(call);
  switch (call.op) {
  case DSRT_OP_ALL_REDUCE: // (n-1)/n of it each for the reduce-scatter and the all-gather
    return static_cast<int64_t>(static_cast<__int128>(bytes) * 2 * others / (others + 1));
  case DSRT_OP_REDUCE_SCATTER: // the payload of these is one member's part
  case DSRT_OP_ALL_GATHER:
  case DSRT_OP_ALL_TO_ALL:
    return bytes * others;
  case DSRT_OP_BROADCAST:
  case DSRT_OP_COLLECTIVE_PERMUTE:
    return bytes;
  case DSRT_OP_BARRIER:
    return 0;
  }
  return 0;
}

uint64_t linkTime(const dsrt_options &options, const dsrt_call &call, size_t members) {
  if (options.link_bytes_per_s == 0 || members < 2)
    return 0;
  constexpr int64_t nsPerSecond = 1000000000;
  const auto carried =
      static_cast<__int128>(wireBytes(call, members)) * nsPerSecond / options.link_bytes_per_s;
  constexpr int64_t most = int64_t(1) << 60; // longer than any job
  return static_cast<uint64_t>(options.link_latency_ns +
                               static_cast<int64_t>(std::min<__int128>(carried, most)));
}

} // namespace dsrt

dsrt_status dsrt_context::waitForLink(uint64_t linkEnds) const {
  if (linkEnds <= dsrt::now())
    return DSRT_OK;
  prctl(PR_SET_TIMERSLACK, 1UL); // else a sleep takes 50 us longer
  constexpr uint64_t sliceNs = uint64_t(dsrt::waitSliceMs) * 1000000, second = 1000000000;
  for (uint64_t time = dsrt::now(); time < linkEnds; time = dsrt::now()) {
    if (dsrt_status status = check(); status != DSRT_OK)
      return status;
    const uint64_t until = std::min(linkEnds, time + sliceNs);
    const timespec at = {static_cast<time_t>(until / second), static_cast<long>(until % second)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr);
  }
  return DSRT_OK;
}
