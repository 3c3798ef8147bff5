//===- Sha256.cpp - SHA-256 and HMAC ----------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Straight from the standards; the constants are the fractional parts of the square and cube roots
// of the first primes and are computed here as such, in integers.
//
//===----------------------------------------------------------------------===//
#include "Sha256.h"

#include <algorithm>
#include <cstring>

namespace dsrt::bootstrap {
namespace {

/// Returns floor(2^32 * frac(p^(1/root))): the largest x with x^root <= p * 2^(32 root), without
/// its high part. 128 bits hold (8 + 32 bits)^3.
constexpr uint32_t fractionOfRoot(uint32_t prime, int root) {
  using Wide = unsigned __int128;
  const Wide target = static_cast<Wide>(prime) << (32 * root);
  Wide found = 0;
  for (int bit = 36; bit >= 0; --bit) {
    const Wide candidate = found | (static_cast<Wide>(1) << bit);
    Wide power = candidate;
    for (int i = 1; i < root; ++i)
      power *= candidate;
    if (power <= target)
      found = candidate;
  }
  return static_cast<uint32_t>(found);
}

template <size_t count> constexpr std::array<uint32_t, count> fractionsOfPrimeRoots(int root) {
  std::array<uint32_t, count> table{};
  uint32_t candidate = 2;
  for (size_t i = 0; i < count; ++candidate) {
    bool prime = true;
    for (uint32_t d = 2; d * d <= candidate; ++d)
      prime &= candidate % d != 0;
    if (prime)
      table[i++] = fractionOfRoot(candidate, root);
  }
  return table;
}

constexpr auto initial = fractionsOfPrimeRoots<8>(2);
constexpr auto constants = fractionsOfPrimeRoots<64>(3);

uint32_t rotate(uint32_t x, int n) { return (x >> n) | (x << (32 - n)); }

void compress(std::array<uint32_t, 8> &state, const uint8_t *block) {
  uint32_t w[64];
  for (int t = 0; t < 16; ++t)
    w[t] = uint32_t(block[4 * t]) << 24 | uint32_t(block[4 * t + 1]) << 16 |
           uint32_t(block[4 * t + 2]) << 8 | block[4 * t + 3];
  for (int t = 16; t < 64; ++t) {
    const uint32_t s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ (w[t - 15] >> 3);
    const uint32_t s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (int t = 0; t < 64; ++t) {
    const uint32_t s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + constants[t] + w[t];
    const uint32_t s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1;
    d = c, c = b, b = a, a = t1 + t2;
  }
  const uint32_t add[8] = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i)
    state[i] += add[i];
}

class Hash {
public:
  void update(std::string_view bytes) {
    length += bytes.size();
    while (!bytes.empty()) {
      if (filled == 0 && bytes.size() >= sizeof block) { // without a copy
        compress(state, reinterpret_cast<const uint8_t *>(bytes.data()));
        bytes.remove_prefix(sizeof block);
        continue;
      }
      const size_t part = std::min(bytes.size(), sizeof block - filled);
      std::memcpy(block + filled, bytes.data(), part);
      bytes.remove_prefix(part);
      filled += part;
      if (filled == sizeof block) {
        compress(state, block);
        filled = 0;
      }
    }
  }

  Digest finish() {
    const uint64_t bits = length * 8;
    std::string padding(1, static_cast<char>(0x80));
    padding.resize(1 + (sizeof block + 55 - filled) % sizeof block);
    for (int i = 7; i >= 0; --i)
      padding.push_back(static_cast<char>(bits >> (8 * i)));
    update(padding);
    Digest digest;
    for (size_t i = 0; i < digest.size(); ++i)
      digest[i] = static_cast<uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
    return digest;
  }

private:
  std::array<uint32_t, 8> state = initial;
  uint8_t block[64];
  size_t filled = 0;
  uint64_t length = 0;
};

std::string_view viewOf(const Digest &digest) {
  return {reinterpret_cast<const char *>(digest.data()), digest.size()};
}

} // namespace

Digest sha256(std::string_view message) {
  Hash hash;
  hash.update(message);
  return hash.finish();
}

Digest hmacSha256(std::string_view key, std::initializer_list<std::string_view> parts) {
  std::string block(key.size() > 64 ? std::string(viewOf(sha256(key))) : std::string(key));
  block.resize(64);
  std::string inner = block, outer = block;
  for (size_t i = 0; i < block.size(); ++i) {
    inner[i] = static_cast<char>(block[i] ^ 0x36);
    outer[i] = static_cast<char>(block[i] ^ 0x5c);
  }
  Hash within;
  within.update(inner);
  for (std::string_view part : parts)
    within.update(part);
  const Digest digest = within.finish();
  Hash around;
  around.update(outer);
  around.update(viewOf(digest));
  return around.finish();
}

bool equalInConstantTime(const Digest &a, const Digest &b) {
  unsigned difference = 0;
  for (size_t i = 0; i < a.size(); ++i)
    difference |= a[i] ^ b[i];
  return difference == 0;
}

} // namespace dsrt::bootstrap
