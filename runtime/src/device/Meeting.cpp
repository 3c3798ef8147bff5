//===- Meeting.cpp - Members of a call meet before data moves ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The members meet in the store and compare their calls, because a vendor library that is called
// differently on two ranks hangs or adds up the wrong numbers, and cannot name the late ranks. A
// call that still times out ends with a liveness probe, which names ranks that do not answer.
//
// A few bytes of host memory travel with that message: they need no device, which may be busy with
// earlier queued work, in collectives that other ranks would have to join first.
//
//===----------------------------------------------------------------------===//
#include "Meeting.h"

#include <algorithm>
#include <cinttypes>
#include <cstring>

namespace dsrt::device {

template <typename Value> static std::string bytesOf(const Value &value) {
  return std::string(reinterpret_cast<const char *>(&value), sizeof value);
}

/// Every member compares all arrivals with the first one's, so all fail alike. An arrival may be
/// followed by the member's data, which has the same length on all members that agree.
static dsrt_status compare(const Group &group, const std::vector<std::string> &values,
                           dsrt_error *error) {
  Arrival first, other;
  for (int32_t m = 0; m < group.size(); ++m) {
    if (values[m].size() < sizeof other)
      return failWith(error, DSRT_MISMATCH, "rank %d speaks another version of the runtime",
                      group.ranks[m]);
    std::memcpy(&other, values[m].data(), sizeof other);
    if (m == 0)
      first = other;
    if (!agree(group.ranks[0], first.signature, nullptr, group.ranks[m], other.signature, nullptr,
               error))
      return DSRT_MISMATCH;
    if (first.onDevice != other.onDevice)
      return failWith(error, DSRT_MISMATCH,
                      "ranks disagree on the memory of the buffers: rank %d has %s, rank %d has %s",
                      group.ranks[0], first.onDevice ? "device memory" : "host memory",
                      group.ranks[m], other.onDevice ? "device memory" : "host memory");
  }
  return DSRT_OK;
}

dsrt_status meet(Rank &rank, Group &group, const Arrival &mine, int64_t timeoutMs,
                 dsrt_error *error) {
  std::vector<std::string> values;
  dsrt_status status = rank.store.exchange("call/" + group.name, group.ranks, group.index,
                                           bytesOf(mine), timeoutMs, values, error);
  return status == DSRT_OK ? compare(group, values, error) : status;
}

/// An all_gather of host memory of at most so many bytes per rank bypasses the device.
static constexpr int64_t mostCarried = 4096;

bool isCarried(const dsrt_call &call, bool onDevice) {
  int64_t bytes = 0;
  for (int64_t b = 0; b < call.n_buffers && bytes <= mostCarried; ++b)
    bytes += std::min(call.elements[b], mostCarried + 1) * dsrt_dtype_size(call.dtype);
  return call.op == DSRT_OP_ALL_GATHER && !onDevice && bytes <= mostCarried;
}

dsrt_status gatherByStore(Rank &rank, Group &group, const dsrt_call &call, const Arrival &mine,
                          int64_t timeoutMs, dsrt_error *error) {
  const int64_t size = dsrt_dtype_size(call.dtype);
  std::string given = bytesOf(mine);
  for (int64_t b = 0; b < call.n_buffers; ++b)
    if (call.elements[b] > 0)
      given.append(static_cast<const char *>(call.inputs[b]), call.elements[b] * size);
  std::vector<std::string> values;
  dsrt_status status = rank.store.exchange("call/" + group.name, group.ranks, group.index, given,
                                           timeoutMs, values, error);
  if (status == DSRT_OK)
    status = compare(group, values, error);
  for (int32_t m = 0; m < group.size() && status == DSRT_OK; ++m) {
    const char *from = values[m].data() + sizeof mine;
    for (int64_t b = 0; b < call.n_buffers; ++b) {
      const int64_t bytes = call.elements[b] * size;
      if (bytes > 0)
        std::memcpy(static_cast<char *>(call.outputs[b]) + m * bytes, from, bytes);
      from += bytes;
    }
  }
  return status;
}

dsrt_status probeLiveness(Rank &rank, Group &group, const dsrt_call &call, int64_t timeoutMs,
                          dsrt_error *error) {
  const int64_t graceMs = std::clamp<int64_t>(timeoutMs, 500, 5000);
  dsrt_error absent = {};
  std::vector<std::string> ignored;
  dsrt_status status =
      rank.store.exchange("alive/" + group.name + '/' + std::to_string(call.sequence), group.ranks,
                          group.index, "", graceMs, ignored, &absent);
  if (status == DSRT_TIMEOUT && absent.num_late > 0) {
    std::vector<int32_t> late(absent.late, absent.late + absent.num_late);
    setLate(error, timeoutMs, late);
    const size_t used = std::strlen(error->text);
    std::snprintf(error->text + used, sizeof error->text - used,
                  ", which came to the call but did not finish it");
    return DSRT_TIMEOUT;
  }
  if (status != DSRT_OK && status != DSRT_TIMEOUT) { // another rank has reported a failure first
    *error = absent;
    return status;
  }
  return failWith(error, DSRT_TIMEOUT,
                  "timed out after %" PRId64
                  " ms: all ranks are in the call, but its data does not move",
                  timeoutMs);
}

} // namespace dsrt::device
