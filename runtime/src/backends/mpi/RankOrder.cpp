//===- RankOrder.cpp - Reductions in rank order over MPI, and moves -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// all_reduce goes in shares (ShareExchange.h). Small chunks are gathered whole and reduced by every
// member: one exchange instead of two.
//
// Parts of one buffer may lie more than 2^31 elements apart, so they are addressed by a type of
// that extent, not by MPI's int displacements.
//
//===----------------------------------------------------------------------===//
#include "MpiPump.h"
#include "backends/ShareExchange.h"
#include "base/Kernels.h"

#include <algorithm>
#include <cstring>

namespace dsrt::mpi {
namespace {

constexpr int64_t wholeBytes = 1 << 16; // all members' chunks together

char *scratch(Communicator &communicator, int64_t bytes) {
  if (communicator.scratch.size() < static_cast<size_t>(bytes))
    communicator.scratch.resize(bytes);
  return communicator.scratch.data();
}

/// Reduces scratch, which holds `elements` of each member, one after the other, to `output`.
void reduceScratch(Communicator &communicator, const dsrt_call &call, int64_t elements,
                   void *output) {
  const int64_t bytes = elements * dsrt_dtype_size(call.dtype);
  communicator.sources.resize(communicator.size());
  for (int32_t m = 0; m < communicator.size(); ++m)
    communicator.sources[m] = communicator.scratch.data() + m * bytes;
  reduceInRankOrder(call.dtype, call.reduction, communicator.size(), communicator.sources.data(),
                    elements, 1, &output);
}

/// A type of `bytes` bytes that repeat every `extent` bytes.
class Part {
public:
  Part(int64_t bytes, int64_t extent) {
    MPI_Datatype piece;
    MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &piece);
    MPI_Type_create_resized(piece, 0, extent, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&piece);
  }
  ~Part() { MPI_Type_free(&type); } // MPI keeps it until operations that use it are over
  Part(const Part &) = delete;
  Part &operator=(const Part &) = delete;

  MPI_Datatype type;
};

dsrt_status finish(Process &process, Communicator &communicator, int code, const char *what,
                   const dsrt_call &call, dsrt_error *error) {
  if (code != MPI_SUCCESS)
    return checkMpi(code, what, error);
  return waitForData(process, communicator, call.timeout_ms, error);
}

} // namespace

dsrt_status allReduceInRankOrder(Process &process, Communicator &communicator,
                                 const dsrt_call &call, char *data, int64_t elements,
                                 dsrt_error *error) {
  const int64_t size = dsrt_dtype_size(call.dtype);
  const int64_t members = communicator.size();
  if (members == 1) {
    void *output = data;
    const void *source = data;
    reduceInRankOrder(call.dtype, call.reduction, 1, &source, elements, 1, &output);
    return DSRT_OK;
  }
  communicator.requests.assign(1, MPI_REQUEST_NULL);
  if (elements * size * members <= wholeBytes) {
    const int bytes = static_cast<int>(elements * size);
    char *all = scratch(communicator, bytes * members);
    int code = MPI_Iallgather(data, bytes, MPI_BYTE, all, bytes, MPI_BYTE, communicator.comm,
                              &communicator.requests[0]);
    dsrt_status status = finish(process, communicator, code, "MPI_Iallgather", call, error);
    if (status == DSRT_OK)
      reduceScratch(communicator, call, elements, data);
    return status;
  }

  const Sequence sequence(data, elements, size);
  Pump pump(process, communicator, call, error);
  ShareExchange<Pump> exchange(pump, call, sequence, communicator.size(), communicator.index,
                               sharePieceBytes(communicator.size()) / size);
  dsrt_status status = exchange.run(scratch(communicator, exchange.scratchBytes()));
  return status == DSRT_OK ? pump.finish() : status;
}

dsrt_status reduceScatter(Process &process, Communicator &communicator, const dsrt_call &call,
                          int64_t chunkElements, dsrt_error *error) {
  const int64_t size = dsrt_dtype_size(call.dtype);
  const int64_t chunk = std::max<int64_t>(1, chunkElements / communicator.size());
  for (int64_t b = 0; b < call.n_buffers; ++b) {
    const int64_t part = call.elements[b];
    for (int64_t begin = 0; begin < part; begin += chunk) {
      const int64_t n = std::min(chunk, part - begin);
      const char *input = static_cast<const char *>(call.inputs[b]) + begin * size;
      char *parts = scratch(communicator, n * size * communicator.size());
      if (communicator.size() == 1) {
        std::memcpy(parts, input, static_cast<size_t>(n * size));
      } else {
        Part type(n * size, part * size);
        communicator.requests.assign(1, MPI_REQUEST_NULL);
        int code = MPI_Ialltoall(input, 1, type.type, parts, static_cast<int>(n * size), MPI_BYTE,
                                 communicator.comm, &communicator.requests[0]);
        dsrt_status status = finish(process, communicator, code, "MPI_Ialltoall", call, error);
        if (status != DSRT_OK)
          return status;
      }
      reduceScratch(communicator, call, n, static_cast<char *>(call.outputs[b]) + begin * size);
    }
  }
  return DSRT_OK;
}

dsrt_status allGather(Process &process, Communicator &communicator, const dsrt_call &call,
                      int64_t chunkElements, dsrt_error *error) {
  const int64_t size = dsrt_dtype_size(call.dtype);
  for (int64_t b = 0; b < call.n_buffers; ++b) {
    const int64_t part = call.elements[b];
    if (part == 0)
      continue;
    char *output = static_cast<char *>(call.outputs[b]);
    char *mine = output + communicator.index * part * size;
    if (mine != call.inputs[b])
      std::memcpy(mine, call.inputs[b], static_cast<size_t>(part * size));
    for (int64_t begin = 0; begin < part && communicator.size() > 1; begin += chunkElements) {
      const int64_t n = std::min(chunkElements, part - begin);
      Part type(n * size, part * size);
      communicator.requests.assign(1, MPI_REQUEST_NULL);
      int code = MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, output + begin * size, 1,
                                type.type, communicator.comm, &communicator.requests[0]);
      dsrt_status status = finish(process, communicator, code, "MPI_Iallgather", call, error);
      if (status != DSRT_OK)
        return status;
    }
  }
  return DSRT_OK;
}

dsrt_status allToAll(Process &process, Communicator &communicator, const dsrt_call &call,
                     int64_t chunkElements, dsrt_error *error) {
  const int64_t size = dsrt_dtype_size(call.dtype);
  const int64_t chunk = std::max<int64_t>(1, chunkElements / communicator.size());
  for (int64_t b = 0; b < call.n_buffers; ++b) {
    const int64_t part = call.elements[b];
    for (int64_t begin = 0; begin < part; begin += chunk) {
      const int64_t n = std::min(chunk, part - begin);
      Part type(n * size, part * size);
      communicator.requests.assign(1, MPI_REQUEST_NULL);
      int code = MPI_Ialltoall(static_cast<const char *>(call.inputs[b]) + begin * size, 1,
                               type.type, static_cast<char *>(call.outputs[b]) + begin * size, 1,
                               type.type, communicator.comm, &communicator.requests[0]);
      dsrt_status status = finish(process, communicator, code, "MPI_Ialltoall", call, error);
      if (status != DSRT_OK)
        return status;
    }
  }
  return DSRT_OK;
}

/// Does what MPI_Sendrecv does, which would wait for ever; a member without a partner has nothing
/// to wait for.
static dsrt_status permutePiece(Process &process, Communicator &communicator, const dsrt_call &call,
                                const char *input, char *output, int bytes, dsrt_error *error) {
  communicator.requests.assign(2, MPI_REQUEST_NULL);
  MPI_Request *requests = communicator.requests.data();
  auto peer = [](int32_t member) { return member < 0 ? MPI_PROC_NULL : member; };
  int code = MPI_Irecv(output, bytes, MPI_BYTE, peer(call.source), tagData, communicator.comm,
                       &requests[0]);
  if (code != MPI_SUCCESS)
    return checkMpi(code, "MPI_Irecv", error);
  code = MPI_Isend(input, bytes, MPI_BYTE, peer(call.destination), tagData, communicator.comm,
                   &requests[1]);
  return finish(process, communicator, code, "MPI_Isend", call, error);
}

dsrt_status permute(Process &process, Communicator &communicator, const dsrt_call &call,
                    int64_t chunkElements, dsrt_error *error) {
  const int64_t size = dsrt_dtype_size(call.dtype);
  for (int64_t b = 0; b < call.n_buffers; ++b) {
    const char *input = static_cast<const char *>(call.inputs[b]);
    char *output = static_cast<char *>(call.outputs[b]);
    if (call.source < 0 && call.elements[b] > 0)
      std::memset(output, 0, static_cast<size_t>(call.elements[b] * size));
    for (int64_t begin = 0; begin < call.elements[b]; begin += chunkElements) {
      const int64_t n = std::min(chunkElements, call.elements[b] - begin);
      dsrt_status status = permutePiece(process, communicator, call, input + begin * size,
                                        output + begin * size, static_cast<int>(n * size), error);
      if (status != DSRT_OK)
        return status;
    }
  }
  return DSRT_OK;
}

} // namespace dsrt::mpi
