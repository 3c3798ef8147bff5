//===- Channel.h - Bytes to and from another rank ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A socket, or, where both ranks are on one host, memory that they share. The socket then shows
// whether the other rank is there, and wakes one that sleeps.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BACKENDS_TCP_CHANNEL_H
#define DSRT_SRC_BACKENDS_TCP_CHANNEL_H

#include "Rings.h"

namespace dsrt::tcp {

class Channel {
public:
  Channel() = default;
  explicit Channel(bootstrap::Socket socket) : socket(std::move(socket)) {}
  explicit operator bool() const { return static_cast<bool>(socket); }
  bool hasRings() const { return static_cast<bool>(rings); }

  /// Called after both sides have greeted: makes rings and passes them to the other side, or a
  /// message that there are none. False: the other side has gone.
  bool giveRings(size_t capacity);
  /// Takes what the other side's giveRings() sent, from a socket that is readable.
  dsrt_status takeRings(int32_t from, dsrt_error *error);

  /// As sendmsg and recvmsg: returns how many bytes, 0 if the other side has ended, or -1 and
  /// errno. Neither waits.
  ssize_t send(const iovec *pieces, size_t count);
  ssize_t receive(const iovec *pieces, size_t count);

  /// Called before poll(): writes the events to poll get() for. False: there is something to do
  /// already.
  bool fallAsleep(bool reads, bool writes, short &outEvents);
  /// Called after poll(), with the events that it found.
  void wakeUp(short found);
  int get() const { return ended ? -1 : socket.get(); }

private:
  void call();
  bootstrap::Socket socket;
  Rings rings;
  bool ended = false; // of a channel with rings
};

} // namespace dsrt::tcp

#endif // DSRT_SRC_BACKENDS_TCP_CHANNEL_H
