//===- AddressTables.cpp - Arrays of addresses on a GPU ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DevicePlan.h"

#include "llvm/Support/MathExtras.h"

using namespace ds::gpu;

/// Memory is taken in chunks of so many bytes: a device rounds each allocation up to that or more.
static constexpr size_t chunkBytes = size_t(64) << 10;
static constexpr size_t tableAlignment = 64;

AddressTables::~AddressTables() {
  if (!queue.isAbandoned())
    for (DevicePointer chunk : memory)
      queue.release(chunk);
}

DevicePointer AddressTables::find(const std::vector<DevicePointer> &addresses) {
  auto [table, isNew] = known.try_emplace(addresses, 0);
  if (!isNew)
    return table->second;
  const size_t bytes = llvm::alignTo(addresses.size() * sizeof(DevicePointer), tableAlignment);
  if (next + bytes > end) {
    const size_t taken = std::max(bytes, chunkBytes);
    next = queue.allocate(taken);
    if (!next)
      return 0;
    memory.push_back(next);
    end = next + taken;
  }
  table->second = next;
  next += bytes;
  // The key outlives the copy, and a graph that repeats it.
  queue.upload(table->second, table->first.data(), addresses.size() * sizeof(DevicePointer));
  return table->second;
}
