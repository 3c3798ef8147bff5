//===- Hello.h - What ranks say when one connects to another ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rank has told all others a random token of this world. Who calls says its rank and an HMAC
// of both tokens; who is called answers with another one, of the same tokens. So a hello that was
// heard elsewhere, earlier or on the other side is of no use, and no token is said on a connection.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_HELLO_H
#define DSRT_SRC_BOOTSTRAP_HELLO_H

#include "Socket.h"
#include "Wire.h"

#include <functional>

namespace dsrt::bootstrap {

constexpr size_t tokenBytes = 32, helloBytes = 4 + macBytes;
constexpr int64_t helloMs = 2000; // that a stranger may take to say who it is

class Hello {
public:
  Hello() = default;
  /// `key`: of the job (Store::keyFor). Without one, who has read the tokens is believed.
  Hello(std::string key, int32_t rank, std::vector<std::string> tokens)
      : key(std::move(key)), rank(rank), tokens(std::move(tokens)) {}

  std::string call(int32_t other) const { return say("call", rank, other); }
  std::string answer(int32_t other) const { return say("answer", rank, other); }
  bool isAnswer(const std::string &said, int32_t other) const {
    return said == say("answer", other, rank);
  }
  /// The rank that calls this one; -1: somebody else.
  int32_t callerOf(const std::string &said) const;

private:
  std::string say(const char *what, int32_t from, int32_t to) const;
  std::string key;
  int32_t rank = 0;
  std::vector<std::string> tokens; // by rank
};

/// Takes calls on the listeners until each of the `awaited` ranks has called, and answers them.
/// Who is none of these is not talked to. `lookAround`, asked at least every 50 ms with the ranks
/// that are missing, ends it otherwise.
dsrt_status acceptRanks(const std::vector<const Socket *> &listeners, const Hello &hello,
                        std::vector<int32_t> awaited, const Deadline &deadline,
                        std::vector<Socket> &sockets,
                        const std::function<dsrt_status(const std::vector<int32_t> &)> &lookAround);

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_HELLO_H
