//===- FakeDevice.h - What the fake vendor libraries share ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device made of threads. Its memory has addresses that the host cannot touch: each allocation is
// mapped twice, once without access, which is the address that programs see, and once for the
// device's own threads. A stream is a thread with a queue, so work happens later than it is asked
// for; new memory and targets of copies hold poison. Nothing here may be freed by force:
// like a real device, a stream that hangs hangs its destruction.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_FAKES_FAKEDEVICE_H
#define DSRT_TEST_FAKES_FAKEDEVICE_H

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace fake {

namespace ptx {
struct Region;
}

//===----------------------------------------------------------------------===//
// Memory.
//===----------------------------------------------------------------------===//

constexpr unsigned char poison = 0xa5;

/// Device memory, filled with poison; null if there is none left. `owner`: number of the device.
void *allocateDevice(size_t bytes, int32_t owner = -1);
/// Of the allocation that holds `data`; -1: none, or nobody has said.
int32_t ownerOf(const void *data);
/// False if `data` is no allocation.
bool releaseDevice(void *data);
/// Where the device's threads find [data, data + bytes); null unless that lies in one allocation.
char *reach(const void *data, size_t bytes);
/// The allocation that holds `data`, with what was ever written to it; null if there is none.
ptx::Region *regionAt(const void *data);
/// [data, data + bytes) has been written, for kernels that read it. Copies and fills say so
/// themselves.
void markWritten(const void *data, size_t bytes);
/// Bytes of all allocations.
size_t allocatedBytes();

/// Pinned host memory.
void *allocatePinned(size_t bytes);
bool releasePinned(void *data);
bool isPinned(const void *data, size_t bytes);

//===----------------------------------------------------------------------===//
// Streams and events.
//===----------------------------------------------------------------------===//

class Stream;

/// A point of a stream.
struct Point {
  std::mutex mutex;
  std::condition_variable reached;
  bool done = false;
  std::chrono::steady_clock::time_point when; // once done

  void set();
  void wait();
  bool isDone();
};

/// Work that is recorded in place of being run, and after which other work each comes.
struct Recording {
  struct Node {
    std::function<void()> work;
    std::vector<size_t> after;
  };
  std::vector<Node> nodes;
  std::vector<Stream *> streams; // that record into it, the first one began
  bool invalid = false;          // a call was made that cannot be recorded
  bool ended = false;
};

class Stream {
public:
  Stream();
  ~Stream(); // waits for the queue

  /// `work` runs on the stream's thread after everything before it.
  void push(std::function<void()> work);
  std::shared_ptr<Point> mark();
  void waitFor(std::shared_ptr<Point> point);
  bool idle();

  //===--------------------------------------------------------------------===//
  // Recording: by one thread, between two calls of which nothing runs on the stream.
  //===--------------------------------------------------------------------===//

  /// From now on work goes to `into`, after the nodes `after`, too.
  void record(std::shared_ptr<Recording> into, const std::vector<size_t> &after);
  void stopRecording();
  std::shared_ptr<Recording> recording() const { return recorded; }
  /// What the next node comes after.
  const std::vector<size_t> &lastNodes() const { return last; }

private:
  void run();

  std::shared_ptr<Recording> recorded;
  std::vector<size_t> last;

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> queue;
  bool busy = false, stop = false;
  std::thread thread;
};

/// An event of CUDA or ACL: the point it was recorded at last, if ever.
struct Event {
  std::mutex mutex;
  std::shared_ptr<Point> point;
  // Where the stream was recorded, in place of the point.
  std::shared_ptr<Recording> recording;
  std::vector<size_t> nodes;

  void record(Stream &stream);
  std::shared_ptr<Point> current();
  /// The recording, with the nodes that it is behind; null if it was not captured.
  std::shared_ptr<Recording> capture(std::vector<size_t> &outNodes);
};

/// Counts work that devices of this process have done, replays of graphs included: launch, product,
/// convolution, to-device, to-host, on-device. A test asks by fake_work(kind).
void countWork(const char *kind);

/// Queues a copy. Both pointers are as the program knows them; A copy to or
/// from memory that is not pinned waits for the stream, as real drivers may.
/// DS_FAKE_LATE_COPIES=to-device or on-device: those begin 5 milliseconds later than they could, or
/// as many as behind a colon, so that work that should wait for them and does not comes first;
/// to-host is a direction as well. Nothing is copied once `isDead`.
enum class Direction { toDevice, toHost, onDevice };
bool copy(Stream &stream, void *to, const void *from, size_t bytes, Direction direction,
          std::function<bool()> isDead = nullptr);
/// A copy on the device of so many rows.
struct Rows {
  size_t width, height, toPitch, fromPitch;
};
bool copyRows(Stream &stream, void *to, const void *from, const Rows &rows);
/// Queues the filling of device memory; false if it is none.
bool fill(Stream &stream, void *data, unsigned char value, size_t bytes);

/// Handles that were given out and not taken back: a library must refuse all others.
class Handles {
public:
  void add(void *handle);
  bool remove(void *handle);
  bool has(void *handle);

private:
  std::mutex mutex;
  std::vector<void *> handles;
};

} // namespace fake

#endif // DSRT_TEST_FAKES_FAKEDEVICE_H
