//===- Staging.cpp - Host buffers on their way through device memory -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceState.h"

#include <algorithm>
#include <cstring>

namespace dsrt::device {

void Staging::release() {
  if (hostMemory)
    device.releasePinned(hostMemory);
  if (deviceMemory)
    device.release(deviceMemory);
  hostMemory = deviceMemory = nullptr;
  capacity = 0;
}

Staging::~Staging() { release(); }

// Sizes double, so that a job settles after a few calls. The memory is not registered: its size,
// and so the address of its second place, may differ between ranks.
dsrt_status Staging::reserve(int64_t bytes, dsrt_error *error) {
  if (bytes <= capacity)
    return DSRT_OK;
  int64_t wanted = 1 << 16;
  while (wanted < bytes)
    wanted *= 2;
  release();
  void *memory = nullptr;
  dsrt_status status = device.allocatePinned(2 * wanted, &memory, error);
  hostMemory = static_cast<char *>(memory);
  memory = nullptr;
  if (status == DSRT_OK)
    status = device.allocate(2 * wanted, &memory, error);
  deviceMemory = static_cast<char *>(memory);
  if (status != DSRT_OK) {
    release();
    return status;
  }
  capacity = wanted;
  return DSRT_OK;
}

dsrt_status waitForMark(Rank &rank, Communicator *communicator, int index, Waiting &waiting,
                        dsrt_error *error) {
  for (uint32_t turn = 0;; ++turn) {
    bool done = false;
    dsrt_status status = rank.device->reached(index, done, error);
    if (status == DSRT_OK && !done && communicator && turn % 64 == 63)
      status = communicator->health(error);
    if (status == DSRT_OK && !done)
      status = waiting.turn(error);
    if (status != DSRT_OK || done)
      return status;
  }
}

dsrt_status copyNow(Rank &rank, void *to, const void *from, int64_t bytes, Waiting &waiting,
                    dsrt_error *error) {
  Device &device = *rank.device;
  const bool fromDevice = device.isDeviceMemory(from), toDevice = device.isDeviceMemory(to);
  if (!fromDevice && !toDevice) {
    std::memmove(to, from, static_cast<size_t>(bytes));
    return DSRT_OK;
  }
  dsrt_status status = DSRT_OK;
  if (fromDevice && toDevice) {
    status = device.onDevice(to, from, bytes, error);
    if (status == DSRT_OK)
      status = device.mark(0, error);
    return status == DSRT_OK ? waitForMark(rank, nullptr, 0, waiting, error) : status;
  }
  constexpr int64_t pieceBytes = 1 << 22;
  status = rank.staging->reserve(std::min(bytes, pieceBytes), error);
  for (int64_t begin = 0; begin < bytes && status == DSRT_OK; begin += pieceBytes) {
    const int64_t piece = std::min(pieceBytes, bytes - begin);
    char *host = rank.staging->host(0);
    const char *source = static_cast<const char *>(from) + begin;
    char *target = static_cast<char *>(to) + begin;
    if (toDevice)
      std::memcpy(host, source, static_cast<size_t>(piece));
    status = toDevice ? device.toDevice(target, host, piece, error)
                      : device.toHost(host, source, piece, error);
    if (status == DSRT_OK)
      status = device.mark(0, error);
    if (status == DSRT_OK)
      status = waitForMark(rank, nullptr, 0, waiting, error);
    if (status == DSRT_OK && fromDevice)
      std::memcpy(target, host, static_cast<size_t>(piece));
  }
  return status;
}

} // namespace dsrt::device
