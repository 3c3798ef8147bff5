//===- Socket.h - A TCP socket that owns its descriptor ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_SOCKET_H
#define DSRT_SRC_BOOTSTRAP_SOCKET_H

#include "Deadline.h"
#include "dsrt/backend.h"

#include <string>
#include <utility>

namespace dsrt::bootstrap {

/// Nonblocking, closed on exec, without delay.
class Socket {
public:
  Socket() = default;
  explicit Socket(int descriptor) : descriptor(descriptor) {}
  ~Socket();
  Socket(Socket &&other) noexcept : descriptor(std::exchange(other.descriptor, -1)) {}
  Socket &operator=(Socket &&other) noexcept {
    Socket old(std::exchange(descriptor, std::exchange(other.descriptor, -1)));
    return *this;
  }

  int get() const { return descriptor; }
  explicit operator bool() const { return descriptor >= 0; }

  /// A listening socket; port 0 takes a free one, written back.
  static dsrt_status listen(const std::string &address, int32_t &port, Socket &outSocket,
                            dsrt_error *error);
  /// One attempt, until the deadline. Not open: `why` says the reason.
  static Socket connect(const std::string &address, int32_t port, const Deadline &deadline,
                        std::string &why);
  Socket accept() const;

  /// All of it until the deadline; false: the other side has gone, or it is too late.
  bool write(const std::string &bytes, const Deadline &deadline) const;
  bool read(std::string &out, size_t bytes, const Deadline &deadline) const;

  enum class Event { readable, other, expired };
  /// Waits for bytes, or until `other`, another descriptor, is readable.
  Event waitReadable(int other, const Deadline &deadline) const;

private:
  int descriptor = -1;
};

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_SOCKET_H
