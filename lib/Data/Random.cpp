//===- Random.cpp - Random numbers that are the same everywhere --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normal values by Marsaglia's polar method, with our own logarithm: libm's may differ in the last
// bit between machines. Only +, -, *, / and sqrt, which IEEE 754 rounds correctly, are used; the
// file is compiled without contraction to fused multiply-adds.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Random.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace ds {

RandomStream::RandomStream(uint64_t seed, llvm::StringRef name) {
  uint64_t hash = 0xcbf29ce484222325; // FNV-1a
  for (unsigned char c : name)
    hash = (hash ^ c) * 0x100000001b3;
  state = mix(seed) ^ mix(hash);
}

uint64_t RandomStream::below(uint64_t bound) {
  // Values of the last, incomplete run of `bound` would make small results likelier, so they are
  // drawn again.
  uint64_t incomplete = (UINT64_MAX % bound + 1) % bound;
  while (true) {
    uint64_t value = next();
    if (value <= UINT64_MAX - incomplete)
      return value % bound;
  }
}

/// Computes the natural logarithm of 0 < x < 1: x = m * 2^e with m in [sqrt(1/2), sqrt(2)), log m =
/// 2 atanh((m-1)/(m+1)) as a series.
static double portableLog(double x) {
  int exponent;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  double z = (m - 1) / (m + 1), square = z * z, sum = 0;
  for (int k = 23; k >= 1; k -= 2) // |z| < 0.172, so z^25 is below the last bit
    sum = sum * square + 1.0 / k;
  return 2 * z * sum + exponent * 0.69314718055994531;
}

double RandomStream::normal() {
  if (hasSpare) {
    hasSpare = false;
    return spare;
  }
  while (true) {
    double u = 2 * uniform() - 1, v = 2 * uniform() - 1, s = u * u + v * v;
    if (s >= 1 || s == 0)
      continue;
    double factor = std::sqrt(-2 * portableLog(s) / s);
    spare = v * factor;
    hasSpare = true;
    return u * factor;
  }
}

std::vector<int64_t> epochPermutation(uint64_t seed, int64_t epoch, int64_t count) {
  std::vector<int64_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  RandomStream random(seed, static_cast<uint64_t>(epoch));
  for (int64_t i = count - 1; i > 0; --i)
    std::swap(order[i], order[random.below(i + 1)]);
  return order;
}

KeyedPermutation::KeyedPermutation(uint64_t seed, int64_t epoch, int64_t count) : count(count) {
  RandomStream random(seed, static_cast<uint64_t>(epoch));
  for (uint64_t &key : keys)
    key = random.next();
  unsigned bits = std::max(2u, llvm::Log2_64_Ceil(count));
  lowBits = bits / 2;
  highBits = bits - lowBits;
}

int64_t KeyedPermutation::operator[](int64_t position) const {
  const uint64_t lowMask = (uint64_t(1) << lowBits) - 1, highMask = (uint64_t(1) << highBits) - 1;
  uint64_t number = position;
  do { // fewer than two rounds on average
    uint64_t low = number & lowMask, high = number >> lowBits;
    for (unsigned round = 0; round < rounds; round += 2) {
      low ^= RandomStream::mix(high ^ keys[round]) & lowMask;
      high ^= RandomStream::mix(low ^ keys[round + 1]) & highMask;
    }
    number = high << lowBits | low;
  } while (number >= count);
  return number;
}

EpochOrder::EpochOrder(uint64_t seed, int64_t epoch, int64_t count, bool shuffle) {
  if (shuffle && count <= mostListed)
    list = epochPermutation(seed, epoch, count);
  else if (shuffle)
    keyed.emplace(seed, epoch, count);
}

} // namespace ds
