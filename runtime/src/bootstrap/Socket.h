//===- Socket.h - A TCP socket that owns its descriptor ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_SOCKET_H
#define DSRT_SRC_BOOTSTRAP_SOCKET_H

#include "Lookup.h"
#include "base/Deadline.h"
#include "dsrt/backend.h"

#include <string>
#include <utility>
#include <vector>

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
  /// The caller closes it.
  int release() { return std::exchange(descriptor, -1); }

  /// Returns a socket that is nonblocking and closed on exec; not open: errno is the reason.
  static Socket open(int family);
  /// Makes a listening socket; port 0 takes a free one, written back. On the address if it is a
  /// number of this machine, or localhost; else on all addresses of the machine: what a name means
  /// here is often not what it means elsewhere. `onAll` reports which.
  static dsrt_status listen(const std::string &address, int32_t &port, Socket &outSocket,
                            bool &onAll, dsrt_error *error);
  /// Makes a listening socket for this machine alone, without a file: the system chooses its name,
  /// which disappears with the socket. Not open: errno is the reason.
  static Socket listenOnMachine(std::string &outName);
  /// Connects to such a socket. Not open: errno is the reason.
  static Socket connectOnMachine(const std::string &name);
  Socket accept() const;
  /// Sets up a socket for messages between ranks: small ones are sent at once, and keep-alive
  /// probes of the system find a machine that has vanished.
  void prepare() const;

  /// Returns the number of this machine that the other side sees; "" if there is none.
  std::string ownAddress() const;

  /// Writes all bytes until the deadline; false: the other side has gone, or it is too late.
  bool write(const std::string &bytes, const Deadline &deadline) const;
  bool read(std::string &out, size_t bytes, const Deadline &deadline) const;

  enum class Event { readable, other, expired };
  /// Waits for bytes, or until `other`, another descriptor, is readable.
  Event waitReadable(int other, const Deadline &deadline) const;

private:
  int descriptor = -1;
};

/// Attempts to connect to all addresses of a name side by side: one of them may lead nowhere
/// without an error.
class Dial {
public:
  /// Looks the name up; without addresses `why` is the reason.
  Dial(const std::string &address, int32_t port, const Deadline &deadline, std::string &why);
  /// Returns the next connection that is made. Not open: all have failed, or too much time has
  /// passed; `why` is the reason.
  Socket next(const Deadline &deadline, std::string &why);

private:
  std::vector<Socket> attempts;
  Deadline patience; // with addresses that do not answer
  bool anyFailed = false;
};

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_SOCKET_H
