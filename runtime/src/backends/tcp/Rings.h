//===- Rings.h - Memory that two ranks of a host share ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two rings of bytes, one for each direction, with one writer and one reader each. The memory has
// no name: one rank makes it and passes its descriptor on, so the system frees it with the last of
// the two, however they end.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_TCP_RINGS_H
#define DSRT_SRC_BACKENDS_TCP_RINGS_H

#include "bootstrap/Socket.h"

#include <atomic>
#include <sys/types.h>
#include <sys/uio.h>

namespace dsrt::tcp {

class Rings {
public:
  Rings() = default;
  ~Rings();
  Rings(Rings &&other) noexcept { *this = std::move(other); }
  Rings &operator=(Rings &&other) noexcept;
  explicit operator bool() const { return shared != nullptr; }

  /// Makes rings of `capacity` bytes, a power of two, and a descriptor for the other side. False:
  /// the system has no such memory.
  bool make(size_t capacity, bootstrap::Socket &outDescriptor);
  /// Opens the rings of the other side. False: errno is the reason.
  bool open(int descriptor);

  /// Writes, or reads, as many of the bytes as there is room for, or as have arrived.
  size_t write(const iovec *pieces, size_t count);
  size_t read(const iovec *pieces, size_t count);
  bool isReadable() const;
  bool isWritable() const;

  /// Announces that this side sleeps until it is called. False: there is something to do already.
  bool fallAsleep(bool reads, bool writes);
  void wakeUp();
  /// True if the other side sleeps; it is then to be called, once.
  bool mustCall();

private:
  struct Ring {
    alignas(64) std::atomic<uint64_t> written;
    alignas(64) std::atomic<uint64_t> read;
  };
  struct Shared { // begins as zeros
    Ring rings[2];
    alignas(64) std::atomic<uint32_t> asleep[2];
  };
  static_assert(std::atomic<uint64_t>::is_always_lock_free, "two processes use one of them");

  bool map(int descriptor, size_t bytes);
  Ring &out() const { return shared->rings[side]; }
  Ring &in() const { return shared->rings[1 - side]; }
  char *dataOf(int ring) const {
    return reinterpret_cast<char *>(shared) + sizeof(Shared) + static_cast<size_t>(ring) * capacity;
  }

  Shared *shared = nullptr;
  size_t capacity = 0;
  int side = 0; // the side that made them, or the other
};

} // namespace dsrt::tcp

#endif // DSRT_SRC_BACKENDS_TCP_RINGS_H
