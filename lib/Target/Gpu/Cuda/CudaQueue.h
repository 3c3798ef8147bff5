//===- CudaQueue.h - One rank's work on a GPU -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_TARGET_GPU_CUDA_CUDAQUEUE_H
#define DS_LIB_TARGET_GPU_CUDA_CUDAQUEUE_H

#include "CudaApi.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"

#include <deque>
#include <functional>
#include <mutex>
#include <vector>

namespace ds::gpu {

/// A device that steps run on.
struct CudaDevice {
  const CudaApi *api = nullptr;
  void *context = nullptr;
  int number = 0, handle = 0;
  std::string name, chip; // "NVIDIA H100", "sm_90"
};

/// Find device `number` without a context, which takes memory; and with one, made current for the
/// calling thread. Fail with one sentence.
llvm::Expected<CudaDevice> findDevice(int number);
llvm::Expected<CudaDevice> openDevice(int number);

/// Returns the numbers of the devices that ranks compute on, rank r on the (r modulo their
/// number)th: those `listed`, as in `0,2`, or that DS_CUDA_DEVICES lists, or all that there are.
/// Fails if one does not exist.
llvm::Expected<std::vector<int>> usedDevices(llvm::StringRef listed);

/// Handles that any thread takes, and gives back for others to take.
template <typename Handle> class FreeList {
public:
  /// Returns a handle that was given back, or else one that `make` makes.
  template <typename Make> Handle take(Make make) {
    std::lock_guard<std::mutex> lock(mutex);
    if (unused.empty())
      return make();
    Handle handle = unused.back();
    unused.pop_back();
    return handle;
  }
  void give(Handle handle) {
    std::lock_guard<std::mutex> lock(mutex);
    unused.push_back(handle);
  }

private:
  std::mutex mutex;
  std::vector<Handle> unused;
};

/// Events of a device, which outlive their users: another thread may still name one.
class EventPool {
public:
  explicit EventPool(const CudaDevice &device) : device(device) {}
  ~EventPool();
  /// Returns an event; null after an error, which `error` has.
  void *take(int &error);
  void give(void *event) { unused.give(event); }

private:
  const CudaDevice &device;
  std::vector<void *> all;
  FreeList<void *> unused;
};

/// Points of an exchange between ranks: this rank's buffers may be touched; its share is done; all
/// shares are.
struct Mark {
  void *ready = nullptr, *done = nullptr, *joined = nullptr;
};

/// Marks of a device's ranks, which outlive the ranks: a rank that waits for another one's share
/// may look at its mark when that rank has ended.
class MarkPool {
public:
  explicit MarkPool(EventPool &events) : events(events) {}
  /// Returns a mark; null after an error, which `error` has.
  Mark *take(int &error);
  void give(Mark *mark) { unused.give(mark); }

private:
  EventPool &events;
  std::deque<Mark> all;
  FreeList<Mark *> unused;
};

/// A stream, and its first error: CUDA's errors are sticky and come late, so that all after the
/// first carry no information.
class CudaQueue {
public:
  explicit CudaQueue(const CudaDevice &device);
  ~CudaQueue();
  CudaQueue(const CudaQueue &) = delete;
  CudaQueue &operator=(const CudaQueue &) = delete;

  /// Makes the calling thread use the device.
  void bind();
  /// Records a failure unless there is one already. Returns true if there is no error.
  bool check(int result, const char *function);
  void fail(const llvm::Twine &why);
  bool hasFailed() const { return !failure.empty(); }
  const std::string &error() const { return failure; }
  /// Sets what the queue does, for failures from here on: "step 3: ". `isNamed`: the text names the
  /// work.
  void doing(std::string what, bool isNamed) {
    during = std::move(what);
    namesWork = isNamed;
  }

  DevicePointer allocate(size_t bytes);
  void release(DevicePointer data);
  void zero(DevicePointer data, size_t bytes);
  void upload(DevicePointer to, const void *from, size_t bytes);
  void download(void *to, DevicePointer from, size_t bytes);
  void copy(DevicePointer to, DevicePointer from, size_t bytes);
  /// Returns when all queued work has ended, or the work queued before an event; abandons it after
  /// `patienceMs`.
  void wait();
  void waitFor(void *event);
  /// True if all queued work, on side streams as well, ends or fails within so many milliseconds.
  bool drain(int64_t ms) const;
  /// Records a point of the stream, and makes the stream wait for one.
  void record(void *event, void *on = nullptr);
  void follow(void *event, void *on = nullptr);

  /// Called when queued work may never end: from here on the queue waits for nothing and frees
  /// nothing.
  void abandon(const llvm::Twine &why);
  bool isAbandoned() const { return abandoned; }

  const CudaDevice &device;
  void *stream = nullptr;
  std::vector<void *> sides;   // other streams whose work is this queue's
  int64_t patienceMs = 300000; // outside of steps
  /// Returns the device's work, as doing() describes it, when an error comes from work that was
  /// queued before; empty: not known.
  std::function<std::string()> whereLate;

private:
  void fail(const std::string &where, const llvm::Twine &why);
  static bool ends(llvm::function_ref<int()> query, int64_t ms);
  std::string failure, during;
  bool namesWork = false;
  bool abandoned = false;
};

/// A stream beside a queue's own, of the highest priority.
class SideStream {
public:
  explicit SideStream(CudaQueue &queue);
  ~SideStream();
  SideStream(const SideStream &) = delete;
  void *get() const { return stream; }

private:
  CudaQueue &queue;
  void *stream = nullptr;
};

} // namespace ds::gpu

#endif // DS_LIB_TARGET_GPU_CUDA_CUDAQUEUE_H
