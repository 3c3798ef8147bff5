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

  /// Nonblocking and closed on exec; not open: errno says why.
  static Socket open(int family);
  /// A listening socket; port 0 takes a free one, written back. On the address if it is a number of
  /// this machine, or localhost; else on all addresses of the machine: what a name means here is
  /// often not what it means elsewhere. `onAll` says which.
  static dsrt_status listen(const std::string &address, int32_t &port, Socket &outSocket,
                            bool &onAll, dsrt_error *error);
  /// A listening socket for this machine alone, without a file: its name, which the system gives,
  /// is gone with it. Not open: errno says why.
  static Socket listenOnMachine(std::string &outName);
  /// A connection to one. Not open: errno says why.
  static Socket connectOnMachine(const std::string &name);
  Socket accept() const;
  /// For messages between ranks: small ones are sent at once, and a machine that vanishes without a
  /// word is found by the system's own questions.
  void prepare() const;

  /// The number of this machine that the other side sees; "" if there is none.
  std::string ownAddress() const;

  /// All of it until the deadline; false: the other side has gone, or it is too late.
  bool write(const std::string &bytes, const Deadline &deadline) const;
  bool read(std::string &out, size_t bytes, const Deadline &deadline) const;

  enum class Event { readable, other, expired };
  /// Waits for bytes, or until `other`, another descriptor, is readable.
  Event waitReadable(int other, const Deadline &deadline) const;

private:
  int descriptor = -1;
};

/// Attempts to connect to all addresses of a name side by side: one of them may lead nowhere, and
/// nobody says so.
class Dial {
public:
  /// What one look at a name gives; none: `why` says the reason.
  Dial(const std::string &address, int32_t port, const Deadline &deadline, std::string &why);
  /// The next connection that is made. Not open: all have failed, or too much time has passed, for
  /// the `why` that is given.
  Socket next(const Deadline &deadline, std::string &why);

private:
  std::vector<Socket> attempts;
  Deadline patience; // with addresses that do not answer
  bool anyFailed = false;
};

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_SOCKET_H
