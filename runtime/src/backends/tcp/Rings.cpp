//===- Rings.cpp - Memory that two ranks of a host share --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positions count all bytes ever written or read; a reader copies the bytes between the two. A side
// that is about to sleep sets a flag and checks once more, and the other side moves a position and
// then checks the flag: with a fence between the two halves of each, one of them sees the other.
//
//===----------------------------------------------------------------------===//
#include "Rings.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dsrt::tcp {
namespace {

constexpr size_t atOnce = size_t(1) << 15; // bytes, after which the other side may begin with them

size_t bytesOf(const iovec *pieces, size_t count) {
  size_t bytes = 0;
  for (size_t i = 0; i < count; ++i)
    bytes += pieces[i].iov_len;
  return bytes;
}

/// Walks through pieces of memory.
class Cursor {
public:
  explicit Cursor(const iovec *piece) : piece(piece) {}
  /// Calls copy(memory, bytes) for the next `bytes`.
  template <typename Copy> void next(size_t bytes, Copy copy) {
    while (bytes > 0) {
      const size_t part = std::min(bytes, piece->iov_len - at);
      copy(static_cast<char *>(piece->iov_base) + at, part);
      bytes -= part;
      at += part;
      if (at == piece->iov_len) {
        ++piece;
        at = 0;
      }
    }
  }

private:
  const iovec *piece;
  size_t at = 0;
};

} // namespace

Rings::~Rings() {
  if (shared)
    munmap(shared, sizeof(Shared) + 2 * capacity);
}

Rings &Rings::operator=(Rings &&other) noexcept {
  std::swap(shared, other.shared);
  std::swap(capacity, other.capacity);
  std::swap(side, other.side);
  return *this;
}

bool Rings::map(int descriptor, size_t bytes) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED)
    return false;
  shared = static_cast<Shared *>(memory);
  capacity = (bytes - sizeof(Shared)) / 2;
  return true;
}

bool Rings::make(size_t bytes, bootstrap::Socket &outDescriptor) {
  bootstrap::Socket descriptor(memfd_create("dsrt-rings", MFD_CLOEXEC));
  const size_t all = sizeof(Shared) + 2 * bytes;
  if (!descriptor || ftruncate(descriptor.get(), static_cast<off_t>(all)) != 0 ||
      !map(descriptor.get(), all))
    return false;
  side = 0;
  outDescriptor = std::move(descriptor);
  return true;
}

bool Rings::open(int descriptor) {
  struct stat status = {};
  if (fstat(descriptor, &status) != 0)
    return false;
  const auto all = static_cast<size_t>(status.st_size);
  const size_t bytes = all > sizeof(Shared) ? (all - sizeof(Shared)) / 2 : 0;
  if (bytes == 0 || (bytes & (bytes - 1)) != 0 || all != sizeof(Shared) + 2 * bytes) {
    errno = EINVAL;
    return false;
  }
  side = 1;
  return map(descriptor, all);
}

bool Rings::isReadable() const {
  return in().written.load(std::memory_order_acquire) != in().read.load(std::memory_order_relaxed);
}

bool Rings::isWritable() const {
  return out().written.load(std::memory_order_relaxed) -
             out().read.load(std::memory_order_acquire) <
         capacity;
}

size_t Rings::write(const iovec *pieces, size_t count) {
  Ring &ring = out();
  char *data = dataOf(side);
  Cursor from(pieces);
  const size_t wanted = bytesOf(pieces, count);
  uint64_t written = ring.written.load(std::memory_order_relaxed);
  size_t done = 0;
  while (done < wanted) {
    const uint64_t filled = written - ring.read.load(std::memory_order_acquire);
    const size_t at = written % capacity;
    const size_t part = std::min(
        {wanted - done, capacity - std::min<size_t>(filled, capacity), capacity - at, atOnce});
    if (part == 0)
      break;
    char *to = data + at;
    from.next(part, [&](const char *memory, size_t bytes) {
      std::memcpy(to, memory, bytes);
      to += bytes;
    });
    done += part;
    ring.written.store(written += part, std::memory_order_release);
  }
  return done;
}

size_t Rings::read(const iovec *pieces, size_t count) {
  Ring &ring = in();
  const char *data = dataOf(1 - side);
  Cursor into(pieces);
  const size_t wanted = bytesOf(pieces, count);
  uint64_t position = ring.read.load(std::memory_order_relaxed);
  size_t done = 0;
  while (done < wanted) {
    const uint64_t there = ring.written.load(std::memory_order_acquire) - position;
    const size_t at = position % capacity;
    const size_t part =
        std::min({wanted - done, std::min<size_t>(there, capacity), capacity - at, atOnce});
    if (part == 0)
      break;
    const char *from = data + at;
    into.next(part, [&](char *memory, size_t bytes) {
      std::memcpy(memory, from, bytes);
      from += bytes;
    });
    done += part;
    ring.read.store(position += part, std::memory_order_release);
  }
  return done;
}

bool Rings::fallAsleep(bool reads, bool writes) {
  shared->asleep[side].store(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if ((reads && isReadable()) || (writes && isWritable())) {
    wakeUp();
    return false;
  }
  return true;
}

void Rings::wakeUp() { shared->asleep[side].store(0, std::memory_order_relaxed); }

bool Rings::mustCall() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  std::atomic<uint32_t> &other = shared->asleep[1 - side];
  return other.load(std::memory_order_relaxed) != 0 && other.exchange(0) != 0;
}

} // namespace dsrt::tcp
