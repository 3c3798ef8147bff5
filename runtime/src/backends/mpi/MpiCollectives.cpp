//===- MpiCollectives.cpp - Collectives over MPI, after the rendezvous -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of all buffers of a call form one stream, which travels in chunks: a chunk is given
// to MPI where it lies if it lies in one piece, else through a staging buffer. Chunk borders depend
// on the call and the options alone, never on the addresses of one rank, so all ranks agree on
// them; they also keep every count below MPI's 2^31.
//
//===----------------------------------------------------------------------===//
#include "MpiState.h"
#include "backends/HostChain.h"

#include <algorithm>
#include <cstring>

namespace dsrt::mpi {
namespace {

constexpr int64_t defaultChunkBytes = int64_t(1) << 25;
/// The chunk of a reduction between ranks that share memory: the memory it reads and writes stays
/// in the cache. Of 128 KiB to 32 MiB it is the quickest with both MPIs, 1.6 times the longest (16
/// and 64 MiB).
constexpr int64_t cachedChunkBytes = int64_t(1) << 20;
constexpr int64_t largestChunkBytes = int64_t(1) << 30;

class Stream {
public:
  Stream(Communicator &communicator, const dsrt_call &call, bool oneSpan)
      : runs(communicator.runs), staging(communicator.staging), size(dsrt_dtype_size(call.dtype)) {
    runs.clear();
    for (int64_t b = 0; b < call.n_buffers; ++b) {
      char *data = static_cast<char *>(call.outputs[b]);
      const int64_t elements = call.elements[b];
      if (elements == 0)
        continue;
      if (!runs.empty() && (oneSpan || endOf(runs.back()) == data)) {
        // In a span the padding counts as elements.
        runs.back().elements = (data - runs.back().data) / size + elements;
      } else {
        runs.push_back({data, total, elements});
      }
      total = runs.back().begin + runs.back().elements;
    }
  }

  int64_t elements() const { return total; }

  /// Returns the chunk [begin, begin + n) in one piece; valid until close().
  char *open(int64_t begin, int64_t n) {
    for (const Run &run : runs)
      if (run.begin <= begin && begin + n <= run.begin + run.elements)
        return run.data + (begin - run.begin) * size;
    if (staging.size() < static_cast<size_t>(n * size))
      staging.resize(n * size);
    eachPiece(begin, n,
              [&](char *user, char *staged, size_t bytes) { std::memcpy(staged, user, bytes); });
    return staging.data();
  }
  void close(int64_t begin, int64_t n, const char *opened) {
    if (opened == staging.data())
      eachPiece(begin, n,
                [&](char *user, char *staged, size_t bytes) { std::memcpy(user, staged, bytes); });
  }

private:
  char *endOf(const Run &run) const { return run.data + run.elements * size; }

  template <typename Function> void eachPiece(int64_t begin, int64_t n, Function function) {
    for (const Run &run : runs) {
      const int64_t from = std::max(begin, run.begin),
                    to = std::min(begin + n, run.begin + run.elements);
      if (from < to)
        function(run.data + (from - run.begin) * size, staging.data() + (from - begin) * size,
                 static_cast<size_t>((to - from) * size));
    }
  }

  std::vector<Run> &runs;
  std::vector<char> &staging;
  const int64_t size;
  int64_t total = 0;
};

dsrt_status allReduceChunk(Process &process, Communicator &communicator, const dsrt_call &call,
                           char *data, int64_t n, dsrt_error *error) {
  const bool byHosts = isForChain(call, communicator.hosts, n * dsrt_dtype_size(call.dtype));
  return (byHosts ? allReduceByHosts : allReduceInRankOrder)(process, communicator, call, data, n,
                                                             error);
}

dsrt_status broadcastChunk(Process &process, Communicator &communicator, const dsrt_call &call,
                           char *data, int64_t n, dsrt_error *error) {
  communicator.requests.assign(1, MPI_REQUEST_NULL);
  int code = MPI_Ibcast(data, static_cast<int>(n * dsrt_dtype_size(call.dtype)), MPI_BYTE,
                        call.root, communicator.comm, &communicator.requests[0]);
  if (code != MPI_SUCCESS)
    return checkMpi(code, "MPI_Ibcast", error);
  return waitForData(process, communicator, call.timeout_ms, error);
}

template <typename Chunk>
dsrt_status inChunks(Process &process, Communicator &communicator, const dsrt_call &call,
                     bool oneSpan, int64_t chunkElements, Chunk moveChunk, dsrt_error *error) {
  Stream stream(communicator, call, oneSpan);
  for (int64_t begin = 0; begin < stream.elements(); begin += chunkElements) {
    const int64_t n = std::min(chunkElements, stream.elements() - begin);
    char *data = stream.open(begin, n);
    dsrt_status status = moveChunk(process, communicator, call, data, n, error);
    if (status != DSRT_OK)
      return status;
    stream.close(begin, n, data);
  }
  return DSRT_OK;
}

} // namespace

dsrt_status moveData(Process &process, Communicator &communicator, const dsrt_call &call,
                     bool oneSpan, dsrt_error *error) {
  const bool reduces = call.op == DSRT_OP_ALL_REDUCE || call.op == DSRT_OP_REDUCE_SCATTER;
  const int64_t usual = process.oneHost && reduces ? cachedChunkBytes : defaultChunkBytes;
  const int64_t bytes = process.options.chunk_bytes
                            ? std::min(process.options.chunk_bytes, largestChunkBytes)
                            : usual;
  const int64_t chunk = std::max<int64_t>(1, bytes / dsrt_dtype_size(call.dtype));
  switch (call.op) {
  case DSRT_OP_ALL_REDUCE:
    return inChunks(process, communicator, call, oneSpan, chunk, allReduceChunk, error);
  case DSRT_OP_BROADCAST:
    if (communicator.size() == 1)
      return DSRT_OK;
    return inChunks(process, communicator, call, oneSpan, chunk, broadcastChunk, error);
  case DSRT_OP_REDUCE_SCATTER:
    return reduceScatter(process, communicator, call, chunk, error);
  case DSRT_OP_ALL_GATHER:
    return allGather(process, communicator, call, chunk, error);
  case DSRT_OP_ALL_TO_ALL:
    return allToAll(process, communicator, call, chunk, error);
  case DSRT_OP_COLLECTIVE_PERMUTE:
    return permute(process, communicator, call, chunk, error);
  case DSRT_OP_BARRIER:
    return DSRT_OK; // the rendezvous was the whole barrier
  }
  return DSRT_OK;
}

} // namespace dsrt::mpi
