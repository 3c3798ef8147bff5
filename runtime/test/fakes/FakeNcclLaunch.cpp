//===- FakeNcclLaunch.cpp - Launches of the fake NCCL -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeNccl.h"

#include <algorithm>

namespace fake::nccl {

/// Sends and receives of a group become exchanges among all ranks or permutations of these, the
/// only ones that this fake knows. False if they are neither.
static bool joinMessages(std::vector<Call> &calls) {
  std::vector<Call> joined;
  for (Call &call : calls) {
    auto takes = [&](Call &other) {
      if (other.comm != call.comm || other.stream != call.stream ||
          !other.operation.take(call.operation))
        return false;
      other.received.insert(other.received.end(), call.received.begin(), call.received.end());
      return true;
    };
    if (std::none_of(joined.begin(), joined.end(), takes))
      joined.push_back(call);
  }
  calls = std::move(joined);
  return std::all_of(calls.begin(), calls.end(),
                     [](Call &call) { return call.operation.complete(call.comm->wire->rank()); });
}

Result launch(std::vector<Call> calls) {
  if (!joinMessages(calls))
    return fail(invalidUsage, "this fake sends to and receives from all ranks, or one each");
  auto blocks = [](const Call &call) { return call.comm->blocking; };
  const bool waits = std::all_of(calls.begin(), calls.end(), blocks);
  if (!waits && std::any_of(calls.begin(), calls.end(), blocks))
    return fail(invalidArgument, "communicators that block and others in one group");
  std::vector<std::pair<fake::Stream *, std::function<void()>>> works;
  auto launched = std::make_shared<std::atomic<bool>>(waits);
  for (Call &call : calls) {
    const fake::Fault fault = call.comm->wire->nextFault();
    if (fault.action == fake::Action::error)
      return fail(systemError, "a planned fault of the system");
    fake::Wire *wire = call.comm->wire.get();
    const fake::Operation operation = call.operation;
    works.emplace_back(call.stream, [wire, operation, fault, received = call.received] {
      wire->run(operation, fault);
      for (auto [data, bytes] : received)
        fake::markWritten(data, bytes);
    });
    call.comm->lastStream = call.stream;
    if (!waits) {
      call.comm->busyQueries = 2;
      call.comm->launched = launched;
    }
  }
  auto push = [works = std::move(works)] {
    for (auto &[stream, work] : works)
      stream->push(work);
  };
  if (waits) {
    push();
    return success;
  }
  std::thread([push = std::move(push), launched] {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    push();
    *launched = true;
  }).detach();
  return inProgress;
}

void awaitLaunch(const Communicator &comm) {
  while (comm.launched && !*comm.launched)
    std::this_thread::yield();
}

} // namespace fake::nccl
