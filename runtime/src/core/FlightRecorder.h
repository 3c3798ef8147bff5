//===- FlightRecorder.h - The last collectives of a rank --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ring of the last 64 calls, kept always: it costs two clock readings and no allocation per call.
// When a collective fails, the ring is written to the folder DS_FLIGHT_RECORDER, if that is set:
// side by side the ranks' files show which rank made which call, and which ranks did not come.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_CORE_FLIGHTRECORDER_H
#define DSRT_SRC_CORE_FLIGHTRECORDER_H

#include "dsrt/backend.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace dsrt {

class FlightRecorder {
public:
  /// `members` is the number of ranks in the call's group.
  void begin(const dsrt_call &call, size_t members);
  void end(dsrt_status status);
  /// Writes flight-RANK.jsonl: a line about the failure, then one per call, the oldest first.
  /// Reports nothing if the file cannot be written: there is an error already.
  void write(int32_t rank, int32_t numRanks, const std::string &error) const;

private:
  struct Entry {
    dsrt_op op;
    dsrt_dtype dtype;
    dsrt_reduction reduction;
    int64_t buffers, bytes;
    size_t members;
    uint64_t sequence;    // in its group
    int64_t begun, ended; // us since 1970; 0: it has not ended
    dsrt_status status;
  };
  static constexpr size_t kept = 64;

  std::array<Entry, kept> entries = {};
  uint64_t count = 0; // of all calls; the last one is at (count - 1) % kept
};

} // namespace dsrt

#endif // DSRT_SRC_CORE_FLIGHTRECORDER_H
