//===- DeviceState.h - A rank of a device backend ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_DEVICE_DEVICESTATE_H
#define DSRT_SRC_DEVICE_DEVICESTATE_H

#include "Device.h"

#include <map>
#include <vector>

namespace dsrt::device {

/// Stages host buffers on their way into device memory: two places, each of pinned host memory and
/// as much device memory, so that one is packed while the device works on the other.
class Staging {
public:
  explicit Staging(Device &device) : device(device) {}
  ~Staging();
  Staging(const Staging &) = delete;

  /// Makes both places at least this large; their contents are lost if they grow.
  [[nodiscard]] dsrt_status reserve(int64_t bytes, dsrt_error *error);
  char *host(int place) const { return hostMemory + place * capacity; }
  char *onDevice(int place) const { return deviceMemory + place * capacity; }
  /// The device may still write here: never free it.
  void abandon() { hostMemory = deviceMemory = nullptr; }

private:
  void release();

  Device &device;
  char *hostMemory = nullptr, *deviceMemory = nullptr;
  int64_t capacity = 0;
};

/// A group of this rank.
struct Group {
  std::vector<int32_t> ranks; // of the world
  int32_t index = 0;
  std::string name; // the same on all members, and different from every other group's of the job
  std::unique_ptr<Communicator> communicator;

  int32_t size() const { return static_cast<int32_t>(ranks.size()); }
};

struct Span {
  void *data;
  int64_t bytes;
};

/// The backend state of a rank.
struct Rank {
  Rank(Vendor &vendor, const dsrt_options &options, const dsrt_place &place)
      : vendor(vendor), options(options), place(place),
        store(*static_cast<bootstrap::Store *>(place.store)) {}

  Vendor &vendor;
  const dsrt_options options;
  const dsrt_place place;
  bootstrap::Store &store;
  std::unique_ptr<Device> device;
  std::unique_ptr<Staging> staging;
  void *callersStream = nullptr;
  bool queues = false, meetsToQueue = true; // collectives of device buffers; queue.h
  uint32_t probes = 0;
  std::map<std::vector<int32_t>, int64_t> madeGroups; // how often each was made
  std::vector<Group *> groups;
  std::vector<Span> registered;
  bool broken = false; // queued work may never end
};

/// Runs a call whose members have met (DeviceCollectives.cpp).
[[nodiscard]] dsrt_status moveData(Rank &rank, Group &group, const dsrt_call &call, bool staged,
                                   Waiting &waiting, dsrt_error *error);

/// Waits for a mark of the device, or for an error of the communicator (null: none is checked).
[[nodiscard]] dsrt_status waitForMark(Rank &rank, Communicator *communicator, int index,
                                      Waiting &waiting, dsrt_error *error);

/// dsrt_memory_copy.
[[nodiscard]] dsrt_status copyNow(Rank &rank, void *to, const void *from, int64_t bytes,
                                  Waiting &waiting, dsrt_error *error);

/// The functions of DSRT_CAP_QUEUED.
void addQueue(dsrt_backend &table);

} // namespace dsrt::device

#endif // DSRT_SRC_DEVICE_DEVICESTATE_H
