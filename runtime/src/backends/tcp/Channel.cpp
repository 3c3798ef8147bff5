//===- Channel.cpp - Bytes to and from another rank -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Channel.h"
#include "base/Messages.h"

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>

using dsrt::bootstrap::Socket;

namespace dsrt::tcp {
namespace {

constexpr char withRings = 'r', without = '-', bell = '!';

/// Room for one descriptor beside a message.
union Control {
  cmsghdr header;
  char room[CMSG_SPACE(sizeof(int))];
};

} // namespace

bool Channel::giveRings(size_t capacity) {
  Socket descriptor;
  Rings made;
  char word = made.make(capacity, descriptor) ? withRings : without;
  iovec piece = {&word, 1};
  msghdr message = {};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  Control control = {};
  if (word == withRings) {
    message.msg_control = control.room;
    message.msg_controllen = sizeof control.room;
    cmsghdr *first = CMSG_FIRSTHDR(&message);
    first->cmsg_level = SOL_SOCKET;
    first->cmsg_type = SCM_RIGHTS;
    first->cmsg_len = CMSG_LEN(sizeof(int));
    const int number = descriptor.get();
    std::memcpy(CMSG_DATA(first), &number, sizeof number);
    rings = std::move(made);
  }
  // The first byte after the greeting: there is room for it.
  return sendmsg(socket.get(), &message, MSG_NOSIGNAL) == 1;
}

dsrt_status Channel::takeRings(int32_t from, dsrt_error *error) {
  char word = 0;
  iovec piece = {&word, 1};
  Control control = {};
  msghdr message = {};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control.room;
  message.msg_controllen = sizeof control.room;
  ssize_t n = 0;
  while ((n = recvmsg(socket.get(), &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
    ;
  if (n == 1 && word == without)
    return DSRT_OK;
  cmsghdr *first = CMSG_FIRSTHDR(&message);
  if (n != 1 || word != withRings || !first || first->cmsg_type != SCM_RIGHTS ||
      first->cmsg_len != CMSG_LEN(sizeof(int))) {
    setText(error, "rank %d has left while it connected", from);
    error->num_late = 1;
    error->late[0] = from;
    return DSRT_PEER_FAILED;
  }
  int number = -1;
  std::memcpy(&number, CMSG_DATA(first), sizeof number);
  const Socket descriptor(number);
  if (!rings.open(descriptor.get()))
    return failWith(error, DSRT_OUT_OF_MEMORY, "cannot map the memory that rank %d shares: %s",
                    from, std::strerror(errno));
  return DSRT_OK;
}

ssize_t Channel::send(const iovec *pieces, size_t count) {
  if (!rings) {
    msghdr message = {};
    message.msg_iov = const_cast<iovec *>(pieces);
    message.msg_iovlen = count;
    return sendmsg(socket.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  }
  const size_t bytes = ended ? 0 : rings.write(pieces, count);
  if (bytes == 0) {
    errno = ended ? EPIPE : EAGAIN;
    return -1;
  }
  call();
  return static_cast<ssize_t>(bytes);
}

ssize_t Channel::receive(const iovec *pieces, size_t count) {
  if (!rings) {
    msghdr message = {};
    message.msg_iov = const_cast<iovec *>(pieces);
    message.msg_iovlen = count;
    return recvmsg(socket.get(), &message, MSG_DONTWAIT);
  }
  const size_t bytes = rings.read(pieces, count);
  if (bytes == 0 && !ended) {
    errno = EAGAIN;
    return -1;
  }
  if (bytes > 0)
    call();
  return static_cast<ssize_t>(bytes);
}

/// Wakes the other side. A full socket holds enough wake-ups.
void Channel::call() {
  if (rings.mustCall())
    (void)::send(socket.get(), &bell, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool Channel::fallAsleep(bool reads, bool writes, short &outEvents) {
  outEvents = static_cast<short>((reads ? POLLIN : 0) | (writes ? POLLOUT : 0));
  if (!rings)
    return true;
  outEvents = POLLIN;
  return !ended && rings.fallAsleep(reads, writes);
}

void Channel::wakeUp(short found) {
  if (!rings)
    return;
  rings.wakeUp();
  char calls[64];
  while (found && !ended) {
    const ssize_t n = recv(socket.get(), calls, sizeof calls, MSG_DONTWAIT);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
      break;
    ended = n <= 0; // everything that it wrote before has arrived
  }
}

} // namespace dsrt::tcp
