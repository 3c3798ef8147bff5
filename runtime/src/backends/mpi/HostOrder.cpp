//===- HostOrder.cpp - Reductions over hosts of several ranks ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostChain.h"
#include "MpiState.h"

namespace dsrt::mpi {
namespace {

/// Messages between the members of a communicator. MPI keeps the order of those between two.
class Pump {
public:
  Pump(Process &process, Communicator &communicator, const dsrt_call &call, dsrt_error *error)
      : process(process), communicator(communicator), call(call), error(error) {
    for (auto *each : {&communicator.messagesTo, &communicator.messagesFrom}) {
      each->resize(static_cast<size_t>(communicator.size()));
      for (std::vector<MPI_Request> &requests : *each)
        requests.clear();
    }
  }

  void send(int32_t member, const void *data, size_t bytes) {
    if (bytes)
      keep(MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, member, tagData, communicator.comm,
                     &communicator.messagesTo[member].emplace_back()));
  }
  void receive(int32_t member, void *data, size_t bytes) {
    if (bytes)
      keep(MPI_Irecv(data, static_cast<int>(bytes), MPI_BYTE, member, tagData, communicator.comm,
                     &communicator.messagesFrom[member].emplace_back()));
  }
  void mark(std::vector<uint64_t> &outMarks) const {
    outMarks.clear();
    for (const std::vector<MPI_Request> &requests : communicator.messagesFrom)
      outMarks.push_back(requests.size());
  }
  dsrt_status run(const std::vector<uint64_t> &marks) {
    dsrt_status status = checkMpi(code, "exchange of data", error);
    for (size_t m = 0; m < marks.size() && status == DSRT_OK; ++m)
      status = wait(communicator.messagesFrom[m], marks[m]);
    return status;
  }
  /// Until all has been sent and received.
  dsrt_status finish() {
    dsrt_status status = checkMpi(code, "exchange of data", error);
    for (auto *each : {&communicator.messagesTo, &communicator.messagesFrom})
      for (std::vector<MPI_Request> &requests : *each)
        if (status == DSRT_OK)
          status = wait(requests, requests.size());
    return status;
  }

private:
  void keep(int result) { code = code == MPI_SUCCESS ? result : code; }
  dsrt_status wait(std::vector<MPI_Request> &requests, size_t number) {
    return waitForRequests(process, communicator, requests.data(), number, call.timeout_ms, error);
  }

  Process &process;
  Communicator &communicator;
  const dsrt_call &call;
  dsrt_error *error;
  int code = MPI_SUCCESS;
};

} // namespace

dsrt_status allReduceByHosts(Process &process, Communicator &communicator, const dsrt_call &call,
                             char *data, int64_t elements, dsrt_error *error) {
  const int64_t size = dsrt_dtype_size(call.dtype);
  const Sequence sequence(data, elements, size);
  Pump pump(process, communicator, call, error);
  HostChain<Pump> chain(pump, call, sequence, communicator.hosts, communicator.index,
                        chainPieceBytes / size);
  if (communicator.scratch.size() < static_cast<size_t>(chain.scratchBytes()))
    communicator.scratch.resize(static_cast<size_t>(chain.scratchBytes()));
  dsrt_status status = chain.run(communicator.scratch.data());
  return status == DSRT_OK ? pump.finish() : status;
}

} // namespace dsrt::mpi
