//===- HostOrder.cpp - Reductions over hosts of several ranks ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MpiPump.h"
#include "backends/HostChain.h"

namespace dsrt::mpi {
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
