//===- BatchFeed.h - What each step gets anew -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_BATCHFEED_H
#define DS_LIB_TARGET_GPU_BATCHFEED_H

#include "CudaQueue.h"

#include <array>
#include <optional>

namespace ds::gpu {

/// Two pinned buffers by turns. A step waits for its device, so what was copied from a buffer
/// before the step has left it.
class PinnedPair {
public:
  PinnedPair(CudaQueue &queue, size_t bytes);
  ~PinnedPair();
  PinnedPair(const PinnedPair &) = delete;
  /// The one to fill; null where there is no memory.
  char *next() const { return buffers[turn]; }
  /// The one that was filled last.
  const char *last() const { return buffers[turn ^ 1]; }
  void flip() { turn ^= 1; }

private:
  CudaQueue &queue;
  std::array<char *, 2> buffers = {};
  unsigned turn = 0;
};

/// One argument of a rank, written in front of a step on its stream.
class ArgumentFeed {
public:
  ArgumentFeed(CudaQueue &queue, DevicePointer slot, size_t bytes)
      : queue(queue), slot(slot), bytes(bytes), pinned(queue, bytes) {}
  /// Returns as soon as `fill` has.
  void write(llvm::function_ref<void(char *)> fill);
  /// A step has ended.
  void stepEnded() { copies = 0; }
  /// Whether what was written last is what the slot is to have. It is in host memory still: to
  /// compare takes reading it, up to the first byte that differs, and no bus.
  bool holds(llvm::function_ref<bool(const char *)> matches) const {
    return isKnown && matches(pinned.last());
  }
  /// Somebody else writes the slot.
  void forget() { isKnown = false; }

private:
  CudaQueue &queue;
  const DevicePointer slot;
  const size_t bytes;
  PinnedPair pinned;
  unsigned copies = 0;  // that may not have left their buffer
  bool isKnown = false; // what the slot has: the last of the buffers
};

/// The batch of the next step, which travels on a stream of its own while this one computes. The
/// step's graph reads the slot, so the device has a second buffer in front of it.
///
/// A thread beside the rank's may fill and send; whoever has it do that orders the calls.
class BatchFeed {
public:
  BatchFeed(CudaQueue &queue, EventPool &events, void *copies, DevicePointer slot, size_t bytes);
  ~BatchFeed();
  BatchFeed(const BatchFeed &) = delete;
  /// Null where there is no memory for it.
  char *spare();
  /// Of the thread that has filled the spare buffer.
  void send();
  /// Of the rank's thread: what was sent becomes the argument's value.
  void take();

private:
  CudaQueue &queue;
  EventPool &events;
  void *const copies;
  const DevicePointer slot;
  const size_t bytes;
  PinnedPair pinned;
  DevicePointer staged = 0;
  void *arrived = nullptr, *taken = nullptr; // events: staged holds a batch; it may be overwritten
  bool isSent = false;                       // and not taken
  std::optional<std::pair<int, const char *>> mistake; // of the other thread
};

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_BATCHFEED_H
