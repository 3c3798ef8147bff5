//===- FlightRecorder.cpp - The last collectives of a rank ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times are wall-clock times, so that files of several hosts can be laid side by side.
//
//===----------------------------------------------------------------------===//
#include "FlightRecorder.h"

#include "base/Messages.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>

namespace dsrt {

static int64_t timeOfDay() {
  auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(since).count();
}

void FlightRecorder::begin(const dsrt_call &call, size_t members) {
  entries[count++ % kept] = {call.op,        call.dtype,         call.reduction,
                             call.n_buffers, payloadBytes(call), members,
                             call.sequence,  timeOfDay(),        0,
                             DSRT_OK};
}

void FlightRecorder::end(dsrt_status status) {
  Entry &last = entries[(count - 1) % kept];
  last.ended = timeOfDay();
  last.status = status;
}

void FlightRecorder::write(int32_t rank, int32_t numRanks, const std::string &error) const {
  const char *folder = std::getenv("DS_FLIGHT_RECORDER");
  if (!folder || !*folder)
    return;
  std::ofstream out(std::string(folder) + "/flight-" + std::to_string(rank) + ".jsonl");
  auto line = [&](const nlohmann::ordered_json &object) {
    // Messages may quote bytes that are not text.
    out << object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  };
  line({{"rank", rank}, {"ranks", numRanks}, {"collectives", count}, {"error", error}});
  for (uint64_t number = count - std::min<uint64_t>(count, kept); number < count; ++number) {
    const Entry &entry = entries[number % kept];
    nlohmann::ordered_json object = {{"number", number + 1}, {"op", dsrt_op_name(entry.op)}};
    if (entry.op == DSRT_OP_ALL_REDUCE || entry.op == DSRT_OP_REDUCE_SCATTER)
      object["reduction"] = dsrt_reduction_name(entry.reduction);
    if (entry.op != DSRT_OP_BARRIER) {
      object["dtype"] = dsrt_dtype_name(entry.dtype);
      object["buffers"] = entry.buffers;
      object["bytes"] = entry.bytes;
    }
    object["members"] = entry.members;
    object["number_in_group"] = entry.sequence;
    object["begun_us"] = entry.begun;
    object["ended_us"] = entry.ended;
    object["status"] = dsrt_status_name(entry.status);
    line(object);
  }
}

} // namespace dsrt
