//===- Waiting.cpp - Waiting for a device, never for ever -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Waiting.h"
#include "base/Messages.h"
#include "base/Threads.h"

#include <cinttypes>
#include <sched.h>
#include <unistd.h>

namespace dsrt::device {

Waiting::Waiting(bootstrap::Store &store, int64_t timeoutMs)
    : store(store), timeoutMs(timeoutMs), deadline(Deadline::in(timeoutMs)) {}

dsrt_status Waiting::turn(dsrt_error *error) {
  constexpr uint32_t spins = 50, yields = 200, naps = 500;
  ++turns;
  if (turns <= spins) {
    pauseCore();
    return DSRT_OK;
  }
  if (turns <= yields) {
    sched_yield();
    return DSRT_OK;
  }
  usleep(turns <= naps ? 20 : 200);
  if (dsrt_status status = store.poll(leftMs(), error); status != DSRT_OK)
    return status;
  if (!deadline.passed())
    return DSRT_OK;
  return failWith(error, DSRT_TIMEOUT, "timed out after %" PRId64 " ms", timeoutMs);
}

} // namespace dsrt::device
