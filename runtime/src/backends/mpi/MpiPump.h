//===- MpiPump.h - Messages to and from all members of a call ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_MPI_MPIPUMP_H
#define DSRT_SRC_BACKENDS_MPI_MPIPUMP_H

#include "MpiState.h"

#include <algorithm>
#include <deque>

namespace dsrt::mpi {

/// The longest message between hosts. Longer ones than some limit (64 KiB with Open MPI over TCP)
/// leave only once the other side has answered that it waits for them, and a rank that computes
/// answers late: on two hosts at 2.5 Gbit/s these hide 14 ms of 27, whole pieces 8.
constexpr size_t networkMessageBytes = size_t(60) << 10;

/// Messages between the members of a communicator. MPI keeps their order between two members.
class Pump {
public:
  Pump(Process &process, Communicator &communicator, const dsrt_call &call, dsrt_error *error)
      : process(process), communicator(communicator), call(call), error(error),
        leaving(static_cast<size_t>(communicator.size())) {
    for (auto *each : {&communicator.messagesTo, &communicator.messagesFrom}) {
      each->resize(static_cast<size_t>(communicator.size()));
      for (std::vector<MPI_Request> &requests : *each)
        requests.clear();
    }
  }

  void send(int32_t member, const void *data, size_t bytes) {
    if (bytes == 0 || status != DSRT_OK)
      return;
    std::vector<MPI_Request> &requests = communicator.messagesTo[member];
    inMessages(member, bytes, [&](size_t begin, int part) {
      requests.push_back(MPI_REQUEST_NULL);
      keep(MPI_Isend(static_cast<const char *>(data) + begin, part, MPI_BYTE, member, tagData,
                     communicator.comm, &requests.back()));
    });
    leaving[member].push_back({static_cast<const char *>(data), bytes, requests.size()});
  }
  /// Waits first for sends to `member` from the same memory: MPI does not allow both to be under
  /// way.
  void receive(int32_t member, void *data, size_t bytes) {
    if (bytes == 0 || status != DSRT_OK)
      return;
    finishSending(member, static_cast<const char *>(data), bytes);
    std::vector<MPI_Request> &requests = communicator.messagesFrom[member];
    inMessages(member, bytes, [&](size_t begin, int part) {
      requests.push_back(MPI_REQUEST_NULL);
      keep(MPI_Irecv(static_cast<char *>(data) + begin, part, MPI_BYTE, member, tagData,
                     communicator.comm, &requests.back()));
    });
  }
  void mark(std::vector<uint64_t> &outMarks) const {
    outMarks.clear();
    for (const std::vector<MPI_Request> &requests : communicator.messagesFrom)
      outMarks.push_back(requests.size());
  }
  dsrt_status run(const std::vector<uint64_t> &marks) {
    for (size_t m = 0; m < marks.size(); ++m)
      wait(communicator.messagesFrom[m], marks[m]);
    return status;
  }
  /// Waits until all messages are sent and received.
  dsrt_status finish() {
    for (auto *each : {&communicator.messagesTo, &communicator.messagesFrom})
      for (std::vector<MPI_Request> &requests : *each)
        wait(requests, requests.size());
    return status;
  }

private:
  struct Sent {
    const char *data;
    size_t bytes;
    size_t requests; // to the member, up to this one
  };

  template <typename Visit> void inMessages(int32_t member, size_t bytes, Visit visit) const {
    const bool near = process.hostOf[communicator.ranks[member]] == process.hostOf[process.rank];
    const size_t most = near ? bytes : networkMessageBytes;
    for (size_t begin = 0; begin < bytes; begin += most)
      visit(begin, static_cast<int>(std::min(most, bytes - begin)));
  }
  void finishSending(int32_t member, const char *data, size_t bytes) {
    std::deque<Sent> &sent = leaving[member];
    auto overlaps = [&](const Sent &one) {
      return one.data < data + bytes && data < one.data + one.bytes;
    };
    const auto last = std::find_if(sent.rbegin(), sent.rend(), overlaps);
    if (last == sent.rend())
      return;
    wait(communicator.messagesTo[member], last->requests);
    sent.erase(sent.begin(), last.base());
  }
  void keep(int code) {
    if (status == DSRT_OK)
      status = checkMpi(code, "exchange of data", error);
  }
  void wait(std::vector<MPI_Request> &requests, size_t number) {
    if (status == DSRT_OK && number > 0)
      status =
          waitForRequests(process, communicator, requests.data(), number, call.timeout_ms, error);
  }

  Process &process;
  Communicator &communicator;
  const dsrt_call &call;
  dsrt_error *error;
  std::vector<std::deque<Sent>> leaving; // by member: sends that may be under way
  dsrt_status status = DSRT_OK;
};

} // namespace dsrt::mpi

#endif // DSRT_SRC_BACKENDS_MPI_MPIPUMP_H
