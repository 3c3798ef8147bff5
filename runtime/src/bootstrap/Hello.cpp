//===- Hello.cpp - How ranks greet when one connects to another -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Hello.h"

#include <algorithm>
#include <poll.h>

namespace dsrt::bootstrap {

std::string Hello::say(const char *what, int32_t from, int32_t to) const {
  Writer said, ranks;
  said.integer(static_cast<uint64_t>(from), 4);
  ranks.integer(static_cast<uint64_t>(from), 4);
  ranks.integer(static_cast<uint64_t>(to), 4);
  return said.out + textOf(hmacSha256(key, {what, ranks.out, tokens[from], tokens[to]}));
}

int32_t Hello::callerOf(const std::string &said) const {
  Reader in(said);
  const auto from = static_cast<int32_t>(in.integer(4));
  if (from < 0 || from >= static_cast<int32_t>(tokens.size()) || said != say("call", from, rank))
    return -1;
  return from;
}

namespace {

/// Waits for a call on any of the listeners.
bool isCalled(const std::vector<const Socket *> &listeners, const Deadline &deadline) {
  std::vector<pollfd> entries;
  for (const Socket *listener : listeners)
    entries.push_back({listener->get(), POLLIN, 0});
  return ::poll(entries.data(), entries.size(), std::min(deadline.sliceMs(), 50)) > 0;
}

} // namespace

dsrt_status
acceptRanks(const std::vector<const Socket *> &listeners, const Hello &hello,
            std::vector<int32_t> awaited, const Deadline &deadline, std::vector<Socket> &sockets,
            const std::function<dsrt_status(const std::vector<int32_t> &)> &lookAround) {
  while (!awaited.empty()) {
    if (dsrt_status status = lookAround(awaited); status != DSRT_OK)
      return status;
    if (!isCalled(listeners, deadline))
      continue;
    for (const Socket *listener : listeners) {
      Socket caller = listener->accept();
      std::string said;
      if (!caller || !caller.read(said, helloBytes, std::min(deadline, Deadline::in(helloMs))))
        continue;
      const int32_t from = hello.callerOf(said);
      const auto place = std::find(awaited.begin(), awaited.end(), from);
      if (place == awaited.end() || !caller.write(hello.answer(from), deadline))
        continue;
      sockets[from] = std::move(caller);
      awaited.erase(place);
    }
  }
  return DSRT_OK;
}

} // namespace dsrt::bootstrap
