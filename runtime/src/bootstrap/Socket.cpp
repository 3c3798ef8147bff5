//===- Socket.cpp - A TCP socket that owns its descriptor -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Socket.h"
#include "Wire.h"
#include "base/Messages.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace dsrt::bootstrap {

std::string randomBytes(size_t count) {
  std::string bytes(count, 0);
  for (size_t have = 0; have < count;) {
    const ssize_t got = getrandom(bytes.data() + have, count - have, 0);
    if (got < 0 && errno != EINTR)
      return "";
    have += got > 0 ? static_cast<size_t>(got) : 0;
  }
  return bytes;
}

namespace {

/// Waits until the socket is ready; false: the deadline has passed.
bool ready(int descriptor, short events, const Deadline &deadline) {
  while (true) {
    const int slice = deadline.sliceMs();
    if (slice == 0)
      return false;
    pollfd entry = {descriptor, events, 0};
    const int code = ::poll(&entry, 1, slice);
    if (code > 0)
      return true;
    if (code < 0 && errno != EINTR)
      return false;
  }
}

int boundPort(int descriptor) {
  sockaddr_storage bound = {};
  socklen_t length = sizeof bound;
  getsockname(descriptor, reinterpret_cast<sockaddr *>(&bound), &length);
  return ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6 *>(&bound)->sin6_port
                                           : reinterpret_cast<sockaddr_in *>(&bound)->sin_port);
}

/// Returns 0, or the error of the last attempt.
int listenOn(const std::vector<Address> &addresses, Socket &outSocket) {
  int last = EADDRNOTAVAIL;
  for (const Address &where : addresses) {
    Socket socket = Socket::open(where.family());
    if (!socket) {
      last = errno;
      continue;
    }
    const int on = 1, off = 0;
    setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (where.family() == AF_INET6) // listen on the addresses of the other family, too
      setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    if (bind(socket.get(), where.get(), where.length) == 0 && ::listen(socket.get(), 1024) == 0) {
      outSocket = std::move(socket);
      return 0;
    }
    last = errno;
    if (last == EADDRINUSE)
      break;
  }
  return last;
}

} // namespace

Socket::~Socket() {
  if (descriptor >= 0)
    close(descriptor);
}

std::string Socket::ownAddress() const {
  sockaddr_storage bound = {};
  socklen_t length = sizeof bound;
  char text[NI_MAXHOST] = "";
  if (getsockname(descriptor, reinterpret_cast<sockaddr *>(&bound), &length) != 0 ||
      getnameinfo(reinterpret_cast<sockaddr *>(&bound), length, text, sizeof text, nullptr, 0,
                  NI_NUMERICHOST) != 0)
    return "";
  return text;
}

Socket Socket::open(int family) {
  return Socket(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

void Socket::prepare() const {
  const int on = 1, idle = 10, interval = 5, count = 3;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
}

dsrt_status Socket::listen(const std::string &address, int32_t &port, Socket &outSocket,
                           bool &onAll, dsrt_error *error) {
  const std::vector<Address> own =
      addressesOfNumber(address == "localhost" ? "127.0.0.1" : address, port);
  int code = listenOn(own, outSocket);
  // Behind a network address translation the machine does not have the address by which others
  // reach it.
  onAll = code == EADDRNOTAVAIL;
  if (onAll)
    code = listenOn(anyAddress(port), outSocket);
  if (code != 0)
    return failWith(error, DSRT_UNAVAILABLE, "cannot listen on port %d of '%s': %s", port,
                    address.c_str(), std::strerror(code));
  port = boundPort(outSocket.get());
  return DSRT_OK;
}

/// A name without a file begins with a zero.
static socklen_t abstractAddress(const std::string &name, sockaddr_un &out) {
  out = {};
  out.sun_family = AF_UNIX;
  const size_t bytes = std::min(name.size(), sizeof out.sun_path - 1);
  std::memcpy(out.sun_path + 1, name.data(), bytes);
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + bytes);
}

Socket Socket::listenOnMachine(std::string &outName) {
  Socket socket = open(AF_UNIX);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  socklen_t length = sizeof address.sun_family; // the system chooses a name
  auto *any = reinterpret_cast<sockaddr *>(&address);
  if (!socket || bind(socket.get(), any, length) != 0 || ::listen(socket.get(), 1024) != 0)
    return Socket();
  length = sizeof address;
  if (getsockname(socket.get(), any, &length) != 0)
    return Socket();
  outName.assign(address.sun_path + 1, length - offsetof(sockaddr_un, sun_path) - 1);
  return socket;
}

Socket Socket::connectOnMachine(const std::string &name) {
  Socket socket = open(AF_UNIX);
  sockaddr_un address;
  const socklen_t length = abstractAddress(name, address);
  if (socket && ::connect(socket.get(), reinterpret_cast<sockaddr *>(&address), length) != 0)
    return Socket();
  return socket;
}

Dial::Dial(const std::string &address, int32_t port, const Deadline &deadline, std::string &why)
    : patience(Deadline::in(5000)) {
  for (const Address &where : lookUp(address, port, deadline, why)) {
    Socket socket = Socket::open(where.family());
    if (socket && (::connect(socket.get(), where.get(), where.length) == 0 || errno == EINPROGRESS))
      attempts.push_back(std::move(socket));
    else
      why = std::strerror(errno);
  }
}

Socket Dial::next(const Deadline &deadline, std::string &why) {
  while (!attempts.empty()) {
    // A server that refuses may not be up yet: the addresses are tried again soon.
    const Deadline end = std::min(deadline, patience);
    const int slice = end.sliceMs();
    if (slice == 0) {
      if (!anyFailed)
        why = std::strerror(ETIMEDOUT);
      return Socket();
    }
    std::vector<pollfd> entries;
    for (const Socket &socket : attempts)
      entries.push_back({socket.get(), POLLOUT, 0});
    if (::poll(entries.data(), entries.size(), slice) < 0 && errno != EINTR) {
      why = std::strerror(errno);
      return Socket();
    }
    for (size_t i = 0; i < entries.size(); ++i) {
      if (!entries[i].revents)
        continue;
      Socket socket = std::move(attempts[i]);
      attempts.erase(attempts.begin() + static_cast<ptrdiff_t>(i));
      int code = 0;
      socklen_t length = sizeof code;
      if (getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &code, &length) != 0)
        code = errno;
      if (code == 0) {
        socket.prepare();
        return socket;
      }
      why = std::strerror(code);
      anyFailed = true;
      patience = std::min(patience, Deadline::in(500));
      break; // the entries are out of date
    }
  }
  return Socket();
}

Socket Socket::accept() const {
  Socket accepted(::accept4(descriptor, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (accepted)
    accepted.prepare();
  return accepted;
}

bool Socket::write(const std::string &bytes, const Deadline &deadline) const {
  for (size_t sent = 0; sent < bytes.size();) {
    const ssize_t n = ::send(descriptor, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n >= 0)
      sent += static_cast<size_t>(n);
    else if (errno == EAGAIN ? !ready(descriptor, POLLOUT, deadline) : errno != EINTR)
      return false;
  }
  return true;
}

Socket::Event Socket::waitReadable(int other, const Deadline &deadline) const {
  while (true) {
    const int slice = deadline.sliceMs();
    if (slice == 0)
      return Event::expired;
    pollfd entries[] = {{descriptor, POLLIN, 0}, {other, POLLIN, 0}};
    const int code = ::poll(entries, 2, slice);
    if (code > 0)
      return entries[0].revents ? Event::readable : Event::other;
    if (code < 0 && errno != EINTR)
      return Event::readable; // the read reports the error
  }
}

bool Socket::read(std::string &out, size_t bytes, const Deadline &deadline) const {
  out.resize(bytes);
  for (size_t have = 0; have < bytes;) {
    const ssize_t n = ::recv(descriptor, out.data() + have, bytes - have, 0);
    if (n == 0)
      return false;
    if (n > 0)
      have += static_cast<size_t>(n);
    else if (errno == EAGAIN ? !ready(descriptor, POLLIN, deadline) : errno != EINTR)
      return false;
  }
  return true;
}

} // namespace dsrt::bootstrap
