//===- Socket.cpp - A TCP socket that owns its descriptor -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Socket.h"
#include "Messages.h"
#include "Wire.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
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

using Addresses = std::unique_ptr<addrinfo, void (*)(addrinfo *)>;

/// Null: `why` says the reason.
Addresses resolve(const std::string &address, int32_t port, int flags, std::string &why) {
  addrinfo hints = {}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  const int code = getaddrinfo(address.empty() ? nullptr : address.c_str(),
                               std::to_string(port).c_str(), &hints, &found);
  if (code != 0)
    why = gai_strerror(code);
  return Addresses(code == 0 ? found : nullptr, freeaddrinfo);
}

int openFor(const addrinfo &where) {
  return ::socket(where.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

// Small messages are sent at once, and a machine that vanishes without a word is found by the
// system's own questions.
void prepare(int descriptor) {
  const int on = 1, idle = 10, interval = 5, count = 3;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
}

/// Waits until the socket is ready; false: the deadline.
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

/// 0, or the error of the last attempt.
int listenOn(const addrinfo *where, Socket &outSocket) {
  int last = EADDRNOTAVAIL;
  for (; where; where = where->ai_next) {
    Socket socket(openFor(*where));
    if (!socket) {
      last = errno;
      continue;
    }
    const int on = 1;
    setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(socket.get(), where->ai_addr, where->ai_addrlen) == 0 &&
        ::listen(socket.get(), 1024) == 0) {
      outSocket = std::move(socket);
      return 0;
    }
    last = errno;
  }
  return last;
}

} // namespace

Socket::~Socket() {
  if (descriptor >= 0)
    close(descriptor);
}

dsrt_status Socket::listen(const std::string &address, int32_t &port, Socket &outSocket,
                           dsrt_error *error) {
  std::string why;
  Addresses found = resolve(address, port, AI_PASSIVE, why);
  if (!found) {
    setText(error, "cannot find the address '%s': %s", address.c_str(), why.c_str());
    return DSRT_UNAVAILABLE;
  }
  int code = listenOn(found.get(), outSocket);
  if (code == EADDRNOTAVAIL) {
    // Behind a translation of addresses the machine does not know the one by which others reach it.
    found = resolve("", port, AI_PASSIVE, why);
    code = listenOn(found.get(), outSocket);
  }
  if (code != 0) {
    setText(error, "cannot listen on port %d of '%s': %s", port, address.c_str(),
            std::strerror(code));
    return DSRT_UNAVAILABLE;
  }
  port = boundPort(outSocket.get());
  return DSRT_OK;
}

Socket Socket::connect(const std::string &address, int32_t port, const Deadline &deadline,
                       std::string &why) {
  Addresses found = resolve(address, port, 0, why);
  for (const addrinfo *where = found.get(); where; where = where->ai_next) {
    Socket socket(openFor(*where));
    if (!socket) {
      why = std::strerror(errno);
      continue;
    }
    int code = ::connect(socket.get(), where->ai_addr, where->ai_addrlen) == 0 ? 0 : errno;
    if (code == EINPROGRESS) {
      socklen_t length = sizeof code;
      if (!ready(socket.get(), POLLOUT, deadline))
        code = ETIMEDOUT;
      else if (getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &code, &length) != 0)
        code = errno;
    }
    if (code == 0) {
      prepare(socket.get());
      return socket;
    }
    why = std::strerror(code);
  }
  return Socket();
}

Socket Socket::accept() const {
  Socket accepted(::accept4(descriptor, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (accepted)
    prepare(accepted.get());
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
      return Event::readable; // the read says what is wrong
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
