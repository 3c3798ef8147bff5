//===- FakeNccl.h - Communicators of the fake NCCL --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_FAKES_FAKENCCL_H
#define DSRT_TEST_FAKES_FAKENCCL_H

#include "FakeDevice.h"
#include "FakeWire.h"

#include <map>

namespace fake::nccl {

enum Result : int {
  success = 0,
  cudaError = 1,
  systemError = 2,
  internalError = 3,
  invalidArgument = 4,
  invalidUsage = 5,
  remoteError = 6,
  inProgress = 7
};

struct Communicator {
  std::unique_ptr<fake::Wire> wire;
  int32_t device = 0;
  bool blocking = true;
  int busyQueries = 0; // how often the state is still ncclInProgress after a call
  std::shared_ptr<std::atomic<bool>> launched;           // by NCCL's thread; null: no call yet
  std::map<int, std::pair<int, std::string>> scalings;   // operation -> type and factor
  int registrations = 0, calls = 0, callsRegistered = 0; // so far
  fake::Stream *lastStream = nullptr;
};

struct Call {
  Communicator *comm;
  fake::Operation operation;
  fake::Stream *stream;
  std::vector<std::pair<void *, size_t>> received;
};

/// Returns `result`, of which ncclGetLastError tells the text; a group that is open ends with it.
Result fail(Result result, const std::string &text);
/// Runs calls that belong together, on the stream of each. As with NCCL (ncclGroupEndInternal in
/// its group.cc), those of communicators that are not blocking are launched by a thread of its own
/// after the call has returned, also into a capture.
Result launch(std::vector<Call> calls);
/// NCCL joins its thread before it ends a communicator.
void awaitLaunch(const Communicator &comm);

} // namespace fake::nccl

#endif // DSRT_TEST_FAKES_FAKENCCL_H
