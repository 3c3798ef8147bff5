//===- Waiting.h - Waiting for a device, never for ever ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_DEVICE_WAITING_H
#define DSRT_SRC_DEVICE_WAITING_H

#include "base/Deadline.h"
#include "bootstrap/Store.h"

namespace dsrt::device {

/// A deadline, and what a thread does between two polls of a device: it spins, yields, then sleeps
/// for short whiles, and asks the store now and then whether another rank has failed.
class Waiting {
public:
  Waiting(bootstrap::Store &store, int64_t timeoutMs);

  /// DSRT_OK: poll again. DSRT_TIMEOUT: the deadline has passed; `error` does not name a rank yet.
  [[nodiscard]] dsrt_status turn(dsrt_error *error);
  int64_t leftMs() const { return deadline.leftMs(); }

private:
  bootstrap::Store &store;
  const int64_t timeoutMs;
  Deadline deadline;
  uint32_t turns = 0;
};

} // namespace dsrt::device

#endif // DSRT_SRC_DEVICE_WAITING_H
