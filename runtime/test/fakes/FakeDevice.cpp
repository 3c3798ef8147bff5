//===- FakeDevice.cpp - What the fake vendor libraries share ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeDevice.h"
#include "ptx/Region.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace fake {

//===----------------------------------------------------------------------===//
// Memory.
//===----------------------------------------------------------------------===//

namespace {
struct Block {
  size_t bytes, mapped;
  char *alias;                         // where the device's threads see it; null for pinned memory
  std::unique_ptr<ptx::Region> region; // of device memory
  int32_t owner = -1;
};
struct Memory {
  std::mutex mutex;
  std::map<uintptr_t, Block> device, pinned; // by first address
  size_t allocated = 0;

  static const std::pair<const uintptr_t, Block> *find(const std::map<uintptr_t, Block> &blocks,
                                                       const void *data, size_t bytes) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(data);
    auto after = blocks.upper_bound(address);
    if (after == blocks.begin())
      return nullptr;
    auto &entry = *std::prev(after);
    const uintptr_t offset = address - entry.first;
    return offset < entry.second.bytes && bytes <= entry.second.bytes - offset ? &entry : nullptr;
  }
};
// Never destroyed: threads of a device may outlive main.
Memory &memory() {
  static Memory *instance = new Memory;
  return *instance;
}
} // namespace

void *allocateDevice(size_t bytes, int32_t owner) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t mapped = (bytes + page - 1) / page * page;
  if (bytes == 0 || mapped < bytes)
    return nullptr;
  const int file = memfd_create("fake-device", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(mapped)) != 0)
    return nullptr;
  void *seen = mmap(nullptr, mapped, PROT_NONE, MAP_SHARED, file, 0);
  void *alias = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (seen == MAP_FAILED || alias == MAP_FAILED)
    return nullptr;
  std::memset(alias, poison, std::min<size_t>(mapped, 1 << 16));
  std::lock_guard<std::mutex> lock(memory().mutex);
  const auto address = reinterpret_cast<uintptr_t>(seen);
  memory().device[address] = {
      bytes, mapped, static_cast<char *>(alias),
      std::make_unique<ptx::Region>(address, bytes, static_cast<char *>(alias)), owner};
  memory().allocated += bytes;
  return seen;
}

bool releaseDevice(void *data) {
  std::lock_guard<std::mutex> lock(memory().mutex);
  auto found = memory().device.find(reinterpret_cast<uintptr_t>(data));
  if (found == memory().device.end())
    return false;
  memory().allocated -= found->second.bytes;
  munmap(data, found->second.mapped);
  munmap(found->second.alias, found->second.mapped);
  memory().device.erase(found);
  return true;
}

char *reach(const void *data, size_t bytes) {
  std::lock_guard<std::mutex> lock(memory().mutex);
  auto *entry = Memory::find(memory().device, data, bytes);
  return entry ? entry->second.alias + (reinterpret_cast<uintptr_t>(data) - entry->first) : nullptr;
}

ptx::Region *regionAt(const void *data) {
  std::lock_guard<std::mutex> lock(memory().mutex);
  auto *entry = Memory::find(memory().device, data, 1);
  return entry ? entry->second.region.get() : nullptr;
}

int32_t ownerOf(const void *data) {
  std::lock_guard<std::mutex> lock(memory().mutex);
  auto *entry = Memory::find(memory().device, data, 1);
  return entry ? entry->second.owner : -1;
}

void markWritten(const void *data, size_t bytes) {
  if (ptx::Region *region = bytes ? regionAt(data) : nullptr)
    region->define(reinterpret_cast<uintptr_t>(data) - region->begin, bytes);
}

size_t allocatedBytes() {
  std::lock_guard<std::mutex> lock(memory().mutex);
  return memory().allocated;
}

void *allocatePinned(size_t bytes) {
  const size_t whole = (std::max<size_t>(bytes, 1) + 63) / 64 * 64;
  void *data = std::aligned_alloc(64, whole);
  if (!data)
    return nullptr;
  std::memset(data, poison, whole);
  std::lock_guard<std::mutex> lock(memory().mutex);
  memory().pinned[reinterpret_cast<uintptr_t>(data)] = {bytes, whole, nullptr, nullptr, -1};
  return data;
}

bool releasePinned(void *data) {
  {
    std::lock_guard<std::mutex> lock(memory().mutex);
    if (memory().pinned.erase(reinterpret_cast<uintptr_t>(data)) == 0)
      return false;
  }
  std::free(data);
  return true;
}

bool isPinned(const void *data, size_t bytes) {
  std::lock_guard<std::mutex> lock(memory().mutex);
  return Memory::find(memory().pinned, data, bytes) != nullptr;
}

//===----------------------------------------------------------------------===//
// Streams and events.
//===----------------------------------------------------------------------===//

void Point::set() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    done = true;
    when = std::chrono::steady_clock::now();
  }
  reached.notify_all();
}

void Point::wait() {
  std::unique_lock<std::mutex> lock(mutex);
  reached.wait(lock, [&] { return done; });
}

bool Point::isDone() {
  std::lock_guard<std::mutex> lock(mutex);
  return done;
}

Stream::Stream() {
  thread = std::thread([this] { run(); });
}

Stream::~Stream() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stop = true;
  }
  changed.notify_all();
  thread.join();
}

void Stream::run() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return stop || !queue.empty(); });
    if (queue.empty())
      return;
    std::function<void()> work = std::move(queue.front());
    queue.pop_front();
    busy = true;
    lock.unlock();
    work();
    work = nullptr;
    lock.lock();
    busy = false;
  }
}

void Stream::push(std::function<void()> work) {
  if (recorded) {
    recorded->nodes.push_back({std::move(work), last});
    last = {recorded->nodes.size() - 1};
    return;
  }
  {
    std::lock_guard<std::mutex> lock(mutex);
    queue.push_back(std::move(work));
  }
  changed.notify_all();
}

std::shared_ptr<Point> Stream::mark() {
  auto point = std::make_shared<Point>();
  push([point] { point->set(); });
  return point;
}

void Stream::waitFor(std::shared_ptr<Point> point) {
  push([point] { point->wait(); });
}

void Stream::record(std::shared_ptr<Recording> into, const std::vector<size_t> &after) {
  if (recorded != into) {
    recorded = std::move(into);
    recorded->streams.push_back(this);
    last.clear();
  }
  for (size_t node : after)
    if (std::find(last.begin(), last.end(), node) == last.end())
      last.push_back(node);
}

void Stream::stopRecording() {
  recorded = nullptr;
  last.clear();
}

bool Stream::idle() {
  std::lock_guard<std::mutex> lock(mutex);
  return queue.empty() && !busy;
}

void Event::record(Stream &stream) {
  std::lock_guard<std::mutex> lock(mutex);
  recording = stream.recording();
  nodes = stream.lastNodes();
  point = recording ? nullptr : stream.mark();
}

std::shared_ptr<Point> Event::current() {
  std::lock_guard<std::mutex> lock(mutex);
  return point;
}

std::shared_ptr<Recording> Event::capture(std::vector<size_t> &outNodes) {
  std::lock_guard<std::mutex> lock(mutex);
  outNodes = nodes;
  return recording;
}

/// What was written of the source was written of the target.
static void copyWritten(void *to, const void *from, size_t bytes) {
  ptx::Region *target = regionAt(to), *source = regionAt(from);
  if (target && source)
    target->defineLike(reinterpret_cast<uintptr_t>(to) - target->begin, *source,
                       reinterpret_cast<uintptr_t>(from) - source->begin, bytes);
}

namespace {
struct Work {
  std::mutex mutex;
  std::map<std::string, unsigned long long> counts;
};
Work &work() {
  static Work *instance = new Work;
  return *instance;
}
} // namespace

void countWork(const char *kind) {
  std::lock_guard<std::mutex> lock(work().mutex);
  ++work().counts[kind];
}

extern "C" __attribute__((visibility("default"))) unsigned long long fake_work(const char *kind) {
  std::lock_guard<std::mutex> lock(work().mutex);
  return work().counts[kind];
}

static void comeLate(Direction direction) {
  static const char *const late = std::getenv("DS_FAKE_LATE_COPIES");
  const char *name = direction == Direction::toDevice   ? "to-device"
                     : direction == Direction::onDevice ? "on-device"
                                                        : "to-host";
  countWork(name);
  const size_t length = std::strlen(name);
  if (!late || std::strncmp(late, name, length) != 0)
    return;
  std::this_thread::sleep_for(
      std::chrono::milliseconds(late[length] == ':' ? std::atoi(late + length + 1) : 5));
}

bool copy(Stream &stream, void *to, const void *from, size_t bytes, Direction direction,
          std::function<bool()> isDead) {
  char *target = direction == Direction::toHost ? static_cast<char *>(to) : reach(to, bytes);
  const char *source =
      direction == Direction::toDevice ? static_cast<const char *>(from) : reach(from, bytes);
  if (!target || !source)
    return false;
  const void *host = direction == Direction::toHost     ? to
                     : direction == Direction::toDevice ? from
                                                        : nullptr;
  if (host && reach(host, 1))
    return false; // says host and is device memory
  stream.push([=, isDead = std::move(isDead)] {
    comeLate(direction);
    if (isDead && isDead())
      return;
    // A program that does not wait sees what was there before, or poison, or its own later writes
    // in place of those it wanted to send.
    if (direction == Direction::toHost)
      std::memset(target, poison, bytes);
    std::this_thread::yield();
    std::memmove(target, source, bytes);
    if (direction == Direction::toDevice)
      markWritten(to, bytes);
    else if (direction == Direction::onDevice)
      copyWritten(to, from, bytes);
  });
  if (host && !isPinned(host, bytes))
    stream.mark()->wait();
  return true;
}

bool copyRows(Stream &stream, void *to, const void *from, const Rows &rows) {
  if (rows.height == 0 || rows.width > rows.toPitch || rows.width > rows.fromPitch)
    return false;
  const size_t last = rows.height - 1;
  char *target = reach(to, last * rows.toPitch + rows.width);
  const char *source = reach(from, last * rows.fromPitch + rows.width);
  if (!target || !source)
    return false;
  stream.push([=] {
    comeLate(Direction::onDevice);
    for (size_t row = 0; row < rows.height; ++row) {
      const size_t there = row * rows.toPitch, here = row * rows.fromPitch;
      std::memmove(target + there, source + here, rows.width);
      copyWritten(static_cast<char *>(to) + there, static_cast<const char *>(from) + here,
                  rows.width);
    }
  });
  return true;
}

bool fill(Stream &stream, void *data, unsigned char value, size_t bytes) {
  char *target = reach(data, bytes);
  if (target)
    stream.push([=] {
      std::memset(target, value, bytes);
      markWritten(data, bytes);
    });
  return target != nullptr;
}

void Handles::add(void *handle) {
  std::lock_guard<std::mutex> lock(mutex);
  handles.push_back(handle);
}

bool Handles::remove(void *handle) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = std::find(handles.begin(), handles.end(), handle);
  if (found == handles.end())
    return false;
  handles.erase(found);
  return true;
}

bool Handles::has(void *handle) {
  std::lock_guard<std::mutex> lock(mutex);
  return std::find(handles.begin(), handles.end(), handle) != handles.end();
}

} // namespace fake
