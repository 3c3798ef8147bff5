//===- BatchFeed.h - New values of each step's arguments --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_BATCHFEED_H
#define DS_LIB_TARGET_GPU_BATCHFEED_H

#include "Cuda/CudaQueue.h"

#include <optional>
#include <utility>

namespace ds::gpu {

/// Pinned buffers used in turn. One step may run while a value is filled in, so the copies queued
/// before the step ahead of that one have left their buffer.
class PinnedRing {
public:
  PinnedRing(CudaQueue &queue, size_t bytes, size_t count);
  ~PinnedRing();
  PinnedRing(const PinnedRing &) = delete;
  /// Returns the buffer to fill; null if there is no memory.
  char *next() const { return buffers[turn]; }
  /// Returns the buffer that was filled last.
  const char *last() const { return buffers[(turn + buffers.size() - 1) % buffers.size()]; }
  void flip() { turn = (turn + 1) % buffers.size(); }

private:
  CudaQueue &queue;
  std::vector<char *> buffers;
  size_t turn = 0;
};

/// One argument of a rank, written before a step on the step's stream.
class ArgumentFeed {
public:
  ArgumentFeed(CudaQueue &queue, DevicePointer slot, size_t bytes)
      : queue(queue), slot(slot), bytes(bytes), pinned(queue, bytes, numBuffers) {}
  /// Returns as soon as `fill` has returned.
  void write(llvm::function_ref<void(char *)> fill);
  /// The first: a step is queued, and the one before it ends before the next value comes. The
  /// second: all steps have ended.
  void stepBegun() { underWay = std::exchange(copies, 0); }
  void stepsEnded() { underWay = copies = 0; }
  /// True if the last written value is the one that the slot is to have. The value is still in host
  /// memory: comparing reads it there, up to the first byte that differs, and uses no bus.
  bool holds(llvm::function_ref<bool(const char *)> matches) const {
    return isKnown && matches(pinned.last());
  }
  /// Called when other code writes the slot.
  void forget() { isKnown = false; }

private:
  CudaQueue &queue;
  const DevicePointer slot;
  const size_t bytes;
  static constexpr size_t numBuffers = 2;
  PinnedRing pinned;
  size_t copies = 0, underWay = 0; // that may not have left their buffer: of the next step; of one
  bool isKnown = false;            // the slot holds the last of the buffers
};

/// The batch of the next step, which travels on a stream of its own while this one computes. The
/// step's graph reads the slot, so on the device the batch waits in a second buffer until that
/// step.
///
/// A thread beside the rank's may fill and send; the code that uses two threads orders the calls.
class BatchFeed {
public:
  BatchFeed(CudaQueue &queue, EventPool &events, void *copies, DevicePointer slot, size_t bytes);
  ~BatchFeed();
  BatchFeed(const BatchFeed &) = delete;
  /// Returns the buffer to fill; null if there is no memory for it.
  char *spare();
  /// Called by the thread that has filled the spare buffer.
  void send();
  /// Called by the rank's thread: makes the sent batch the argument's value.
  void take();

private:
  CudaQueue &queue;
  EventPool &events;
  void *const copies;
  const DevicePointer slot;
  const size_t bytes;
  // One buffer is filled for step k+1 while step k-1 runs, whose own batch has left another, and
  // that of step k may be on its way from the third.
  static constexpr size_t numBuffers = 3;
  PinnedRing pinned;
  DevicePointer staged = 0;
  void *arrived = nullptr, *taken = nullptr; // events: staged holds a batch; it may be overwritten
  bool isSent = false;                       // and not taken yet
  std::optional<std::pair<int, const char *>> mistake; // of the other thread
};

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_BATCHFEED_H
