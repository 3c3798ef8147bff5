//===- Hello.h - How ranks greet when one connects to another ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rank has given all others a random token of this world. The calling rank sends its rank and
// an HMAC of both tokens; the called rank answers with another HMAC of the same tokens. So a hello
// that was overheard elsewhere, earlier or on the other side is of no use, and no token travels on
// a connection.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_HELLO_H
#define DSRT_SRC_BOOTSTRAP_HELLO_H

#include "Socket.h"
#include "Wire.h"

#include <functional>

namespace dsrt::bootstrap {

constexpr size_t tokenBytes = 32, helloBytes = 4 + macBytes;
constexpr int64_t helloMs = 2000; // that a stranger may take to identify itself

class Hello {
public:
  Hello() = default;
  /// `key`: of the job (Store::keyFor). Without one, a peer that has read the tokens is trusted.
  Hello(std::string key, int32_t rank, std::vector<std::string> tokens)
      : key(std::move(key)), rank(rank), tokens(std::move(tokens)) {}

  std::string call(int32_t other) const { return say("call", rank, other); }
  std::string answer(int32_t other) const { return say("answer", rank, other); }
  bool isAnswer(const std::string &said, int32_t other) const {
    return said == say("answer", other, rank);
  }
  /// Returns the rank that calls this one; -1: none of the ranks.
  int32_t callerOf(const std::string &said) const;

private:
  std::string say(const char *what, int32_t from, int32_t to) const;
  std::string key;
  int32_t rank = 0;
  std::vector<std::string> tokens; // by rank
};

/// Accepts calls on the listeners until each of the `awaited` ranks has called, and answers them.
/// Callers that are not awaited get no answer. `lookAround`, called at least every 50 ms with the
/// missing ranks, ends the wait by any status but DSRT_OK.
dsrt_status acceptRanks(const std::vector<const Socket *> &listeners, const Hello &hello,
                        std::vector<int32_t> awaited, const Deadline &deadline,
                        std::vector<Socket> &sockets,
                        const std::function<dsrt_status(const std::vector<int32_t> &)> &lookAround);

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_HELLO_H
