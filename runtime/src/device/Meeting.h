//===- Meeting.h - Members of a call meet before data moves -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_DEVICE_MEETING_H
#define DSRT_SRC_DEVICE_MEETING_H

#include "DeviceState.h"
#include "base/Messages.h"

namespace dsrt::device {

/// A member's message to the others before a call.
struct Arrival {
  CallSignature signature;
  int64_t onDevice = 0; // 1: its buffers are device memory
};

[[nodiscard]] dsrt_status meet(Rank &rank, Group &group, const Arrival &mine, int64_t timeoutMs,
                               dsrt_error *error);

/// True if the call is gatherByStore's, which makes the members meet as well.
bool isCarried(const dsrt_call &call, bool onDevice);
[[nodiscard]] dsrt_status gatherByStore(Rank &rank, Group &group, const dsrt_call &call,
                                        const Arrival &mine, int64_t timeoutMs, dsrt_error *error);

/// Called after a timeout while data moved: members that are in the same call answer when their own
/// timeout expires, which began when they all met.
[[nodiscard]] dsrt_status probeLiveness(Rank &rank, Group &group, const dsrt_call &call,
                                        int64_t timeoutMs, dsrt_error *error);

} // namespace dsrt::device

#endif // DSRT_SRC_DEVICE_MEETING_H
