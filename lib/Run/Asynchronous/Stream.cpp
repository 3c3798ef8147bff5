//===- Stream.cpp - Requests of one rank to another -----------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Stream.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ds {

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

static constexpr int lookEveryMs = 50;

bool Patience::isOver() {
  const Clock::time_point now = Clock::now();
  waited += std::min<Clock::duration>(now - last, std::chrono::milliseconds(100));
  last = now;
  return waited > limit;
}

Stream::~Stream() {
  if (descriptor >= 0)
    ::close(descriptor);
}

void Stream::close() { ::shutdown(descriptor, SHUT_RDWR); }

/// Waits until the socket is ready, or returns the error of `look`.
static Error awaitReady(int descriptor, short events, Stream::Look look) {
  while (true) {
    pollfd entry = {descriptor, events, 0};
    if (::poll(&entry, 1, look ? lookEveryMs : -1) > 0)
      return Error::success();
    if (look)
      if (Error error = look())
        return error;
  }
}

Expected<bool> Stream::send(const Message &message, ArrayRef<ArrayRef<char>> parts, Look look) {
  auto sendAll = [&](ArrayRef<char> bytes, int more) -> Expected<bool> {
    while (!bytes.empty()) {
      ssize_t sent = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL | more);
      if (sent >= 0) {
        bytes = bytes.drop_front(sent);
      } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
        if (Error error = awaitReady(descriptor, POLLOUT, look))
          return error;
      } else if (errno != EINTR) {
        return false;
      }
    }
    return true;
  };
  ArrayRef<char> head(reinterpret_cast<const char *>(&message), sizeof message);
  auto went = sendAll(head, parts.empty() ? 0 : MSG_MORE);
  for (size_t i = 0; i < parts.size() && went && *went; ++i)
    went = sendAll(parts[i], i + 1 < parts.size() ? MSG_MORE : 0);
  return went;
}

Expected<bool> Stream::receive(void *into, size_t bytes, Look look) {
  for (size_t have = 0; have < bytes;) {
    ssize_t came = ::recv(descriptor, static_cast<char *>(into) + have, bytes - have, 0);
    if (came > 0) {
      have += came;
    } else if (came < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      if (Error error = awaitReady(descriptor, POLLIN, look))
        return error;
    } else if (came == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

bool Stream::await(Message &message) {
  auto came = receive(&message, sizeof message, nullptr);
  return llvm::cantFail(std::move(came)); // without `look` there is no error
}

/// Does not block or split the message: a writable socket has room for more than one message.
void Stream::sendWaits() {
  pollfd entry = {descriptor, POLLOUT, 0};
  Message message;
  message.kind = Message::waits;
  if (::poll(&entry, 1, 0) > 0 && (entry.revents & POLLOUT))
    (void)!::send(descriptor, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool Stream::otherEndIsOpen() const {
  char byte;
  ssize_t came = ::recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return came > 0 || (came < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
}

std::string describeLost(int64_t rank) {
  return "update=asynchronous: rank " + std::to_string(rank) +
         " has left the world, or the connection to it was lost";
}

} // namespace ds
