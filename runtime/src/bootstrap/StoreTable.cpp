//===- StoreTable.cpp - The contents of a store -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StoreTable.h"
#include "base/Messages.h"

namespace dsrt::bootstrap {

// The cost of an entry beside its own bytes, so that many empty ones count too.
static constexpr size_t entryBytes = 128;

bool StoreTable::set(const std::string &key, const std::string &value) {
  auto found = values.find(key);
  const size_t before = found == values.end() ? 0 : key.size() + found->second.size() + entryBytes;
  const size_t after = key.size() + value.size() + entryBytes;
  if (bytes - before + after > maxTableBytes)
    return false;
  bytes = bytes - before + after;
  values[key] = value;
  return true;
}

const std::string *StoreTable::get(const std::string &key) const {
  auto found = values.find(key);
  return found == values.end() ? nullptr : &found->second;
}

int64_t StoreTable::add(const std::string &key, int64_t amount) {
  // Counters wrap: they are computed unsigned.
  int64_t &counter = counters[key];
  counter = static_cast<int64_t>(static_cast<uint64_t>(counter) + static_cast<uint64_t>(amount));
  return counter;
}

void StoreTable::erase(const std::string &key) {
  auto found = values.find(key);
  if (found != values.end()) {
    bytes -= key.size() + found->second.size() + entryBytes;
    values.erase(found);
  }
  counters.erase(key);
}

StoreTable::Exchange StoreTable::exchange(const std::string &round, int32_t members, int32_t index,
                                          const std::string &value,
                                          std::vector<std::string> &outValues) {
  auto [entry, made] = rounds.try_emplace(round);
  Round &current = entry->second;
  if (made) {
    current.values.resize(members);
    current.here.resize(members);
    current.taken.resize(members);
  }
  if (static_cast<int32_t>(current.values.size()) != members || current.taken[index])
    return Exchange::refused;
  if (!current.here[index]) {
    const size_t cost = value.size() + entryBytes;
    if (bytes + cost > maxTableBytes)
      return Exchange::refused;
    bytes += cost;
    current.values[index] = value;
    current.here[index] = true;
    ++current.arrived;
  }
  if (current.arrived < members)
    return Exchange::pending;
  current.taken[index] = true;
  if (++current.left < members) {
    outValues = current.values;
    return Exchange::done;
  }
  outValues = std::move(current.values);
  for (const std::string &one : outValues)
    bytes -= one.size() + entryBytes;
  rounds.erase(entry);
  return Exchange::done;
}

std::vector<int32_t> StoreTable::missing(const std::string &round, int32_t members) const {
  auto found = rounds.find(round);
  std::vector<int32_t> list;
  for (int32_t m = 0; m < members; ++m)
    if (found == rounds.end() || m >= static_cast<int32_t>(found->second.here.size()) ||
        !found->second.here[m])
      list.push_back(m);
  return list;
}

void StoreTable::fail(int32_t rank, dsrt_status status, const std::string &text) {
  if (failed())
    return;
  failedRank = rank;
  failedStatus = status;
  failedText = text;
}

dsrt_status StoreTable::failure(int32_t rank, dsrt_error *error) const {
  if (!failed())
    return DSRT_OK;
  if (failedStatus == DSRT_ABORTED)
    return failWith(error, DSRT_ABORTED, "rank %d aborted: %s", failedRank, failedText.c_str());
  setText(error, "rank %d failed first: %s", failedRank, failedText.c_str());
  if (rank != failedRank) {
    error->num_late = 1;
    error->late[0] = failedRank;
  }
  return DSRT_PEER_FAILED;
}

} // namespace dsrt::bootstrap
