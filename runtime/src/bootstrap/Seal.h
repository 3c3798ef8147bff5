//===- Seal.h - Codes of the messages of a connection -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every message between a store and its server carries an HMAC-SHA256 of its number and its body.
// The key is that of one direction of one connection, from the job's secret and both nonces. So a
// message that was made up, changed, left out, repeated, or taken from another connection or from
// the other side does not fit. Messages are not encrypted: an eavesdropper can read them.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_SEAL_H
#define DSRT_SRC_BOOTSTRAP_SEAL_H

#include "Wire.h"

#include <algorithm>

namespace dsrt::bootstrap {

/// Of a frame: the length of the body, and its code.
constexpr size_t frameHeaderBytes = 4 + macBytes;

/// The error for a message whose code does not fit.
constexpr char isNotTheNext[] = "was forged, altered or replayed: its code is not that of the next "
                                "message";

/// One direction of a connection; both ends have one, and count the messages.
class Seal {
public:
  Seal() = default;
  Seal(const std::string &secret, std::string_view direction, const std::string &serverNonce,
       const std::string &rankNonce)
      : key(textOf(hmacSha256(secret, {direction, serverNonce, rankNonce}))) {}

  /// Returns the next message.
  std::string frame(const std::string &body) {
    Writer out;
    out.integer(body.size(), 4);
    return out.out + textOf(codeOf(body)) + body;
  }
  /// True if a code is that of the next message. Messages after one that does not fit are of no
  /// use.
  bool fits(std::string_view code, std::string_view body) {
    Digest given = {};
    std::copy_n(code.begin(), std::min(code.size(), given.size()), given.begin());
    return code.size() == macBytes && equalInConstantTime(given, codeOf(body));
  }

private:
  Digest codeOf(std::string_view body) {
    Writer number;
    number.integer(count++, 8);
    return hmacSha256(key, {number.out, body});
  }
  std::string key;
  uint64_t count = 0;
};

struct Seals {
  Seal ofRank, ofServer; // the messages of each of them
};
inline Seals sealsOf(const std::string &secret, const std::string &serverNonce,
                     const std::string &rankNonce) {
  return {Seal(secret, "from rank", serverNonce, rankNonce),
          Seal(secret, "from server", serverNonce, rankNonce)};
}

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_SEAL_H
