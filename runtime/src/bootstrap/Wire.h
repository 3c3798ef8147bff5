//===- Wire.h - The messages between a TCP store and its server -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joining, once per connection, with fixed lengths:
//   server: magic, nonce S
//   rank:   magic, rank, size of the world, job, nonce C, HMAC(secret, "rank" S C rank size job)
//   server: one byte of Greeting, HMAC(secret, "server" S C) if it is `welcome`
// Both sides show that they know the secret and neither sends it. Then frames (Seal.h): length of
// the body (u32), its code, body; integers are little-endian, strings carry a length. Nothing is
// encrypted. Requests are answered in order, one at a time; only `pollNow` may be sent before the
// answer.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_BOOTSTRAP_WIRE_H
#define DSRT_SRC_BOOTSTRAP_WIRE_H

#include "Sha256.h"

#include <cstring>
#include <string>

namespace dsrt::bootstrap {

constexpr char magic[9] = "dsrt-st3";
constexpr size_t magicBytes = 8, nonceBytes = 32, macBytes = 32, jobBytes = 32;
constexpr size_t challengeBytes = magicBytes + nonceBytes;
constexpr size_t joinBytes = magicBytes + 4 + 4 + jobBytes + nonceBytes + macBytes;
constexpr size_t welcomeBytes = 1 + macBytes;
/// A member of a roster may claim any free number.
constexpr uint32_t anyRank = UINT32_MAX;

enum class Greeting : uint8_t {
  welcome = 0,
  wrongSecret = 1,
  wrongSize = 2,
  rankTaken = 3,
  wrongJob = 4
};

enum class Request : uint8_t {
  set = 1,
  get = 2,
  add = 3,
  erase = 4,
  exchange = 5,
  fail = 6,
  poll = 7,
  leave = 8,
  pollNow = 9, // has no answer of its own: a request that waits gets `notYet` now
  // of members of a roster
  arrive = 10,
  look = 11
};

/// The first byte of an answer.
enum class Answer : uint8_t {
  done = 0,
  notYet = 1,  // exchange: followed by the members that are missing
  failed = 2,  // followed by status, text and the rank at fault
  refused = 3, // the table is full, or members disagree
};

class Writer {
public:
  void byte(uint8_t value) { out.push_back(static_cast<char>(value)); }
  void integer(uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i)
      out.push_back(static_cast<char>(value >> (8 * i)));
  }
  void number(int64_t value) { integer(static_cast<uint64_t>(value), 8); }
  void string(const std::string &value) {
    integer(value.size(), 4);
    out += value;
  }
  std::string out;
};

/// Reads untrusted bytes: after the first value that does not fit, `ok` is false and every value
/// empty.
class Reader {
public:
  explicit Reader(const std::string &body) : body(body) {}
  uint8_t byte() { return static_cast<uint8_t>(integer(1)); }
  uint64_t integer(int bytes) {
    if (!has(static_cast<size_t>(bytes)))
      return 0;
    uint64_t value = 0;
    for (int i = 0; i < bytes; ++i)
      value |= static_cast<uint64_t>(static_cast<uint8_t>(body[at + i])) << (8 * i);
    at += bytes;
    return value;
  }
  int64_t number() { return static_cast<int64_t>(integer(8)); }
  std::string string() {
    const size_t length = integer(4);
    if (!has(length))
      return "";
    at += length;
    return body.substr(at - length, length);
  }
  bool atEnd() const { return good && at == body.size(); }
  bool ok() const { return good; }

private:
  bool has(size_t bytes) {
    good = good && bytes <= body.size() - at;
    return good;
  }
  const std::string &body;
  size_t at = 0;
  bool good = true;
};

inline std::string textOf(const Digest &digest) { return {digest.begin(), digest.end()}; }

/// Returns a rank's claim: its number, the size of its world, and a hash of its job's name.
inline std::string claimOfRank(uint32_t rank, uint32_t size, const std::string &job) {
  Writer claim;
  claim.integer(rank, 4);
  claim.integer(size, 4);
  return claim.out + textOf(sha256(job));
}
inline Digest proofOfRank(const std::string &secret, const std::string &serverNonce,
                          const std::string &rankNonce, const std::string &claim) {
  return hmacSha256(secret, {"rank", serverNonce, rankNonce, claim});
}
inline Digest proofOfServer(const std::string &secret, const std::string &serverNonce,
                            const std::string &rankNonce) {
  return hmacSha256(secret, {"server", serverNonce, rankNonce});
}

/// Returns a key of the job that differs from its secret and from the keys of other purposes.
inline std::string keyOf(const std::string &secret, const std::string &job,
                         const std::string &purpose) {
  const Digest hash = sha256(job), key = hmacSha256(secret, {"key", textOf(hash), purpose});
  return textOf(key);
}

/// Returns random bytes from the system; empty if it has none.
std::string randomBytes(size_t count);

} // namespace dsrt::bootstrap

#endif // DSRT_SRC_BOOTSTRAP_WIRE_H
