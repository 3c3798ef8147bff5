//===- Random.h - Random numbers that are the same everywhere ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SplitMix64 (Steele, Lea, Flood 2014) as a stream: state += 0x9e3779b97f4a7c15, output =
// mix(state). The standard library's distributions and std::shuffle differ between implementations;
// these do not, so ranks on different machines draw the same permutation and the same initial
// values.
//
//===----------------------------------------------------------------------===//
#ifndef DS_DATA_RANDOM_H
#define DS_DATA_RANDOM_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ds {

class RandomStream {
public:
  /// A bijection of 64-bit words that looks random.
  static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  explicit RandomStream(uint64_t seed) : state(mix(seed)) {}
  /// Independent streams of one run: by epoch, by parameter name.
  RandomStream(uint64_t seed, uint64_t number) : state(mix(seed) ^ mix(~number)) {}
  RandomStream(uint64_t seed, llvm::StringRef name);

  uint64_t next() {
    state += 0x9e3779b97f4a7c15;
    return mix(state);
  }
  /// Draws uniformly from [0, bound), bound > 0, without bias.
  uint64_t below(uint64_t bound);
  /// Draws uniformly from [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  /// Draws from the standard normal distribution.
  double normal();

private:
  uint64_t state;
  double spare = 0;
  bool hasSpare = false;
};

/// Returns a permutation of 0..count-1 (Fisher-Yates), the same on every rank for a given seed and
/// epoch.
std::vector<int64_t> epochPermutation(uint64_t seed, int64_t epoch, int64_t count);

/// The same without a list, which would take long to make for large data: a Feistel network over
/// the next power of two, applied until the number is below `count` (Black and Rogaway 2002).
class KeyedPermutation {
public:
  KeyedPermutation(uint64_t seed, int64_t epoch, int64_t count);
  int64_t operator[](int64_t position) const;

private:
  static constexpr unsigned rounds = 8;
  uint64_t keys[rounds];
  uint64_t count;
  unsigned lowBits, highBits;
};

/// The order of the samples of an epoch.
class EpochOrder {
public:
  /// Data with more samples uses the keyed permutation.
  static constexpr int64_t mostListed = int64_t(1) << 24;

  EpochOrder(uint64_t seed, int64_t epoch, int64_t count, bool shuffle);
  int64_t operator[](int64_t position) const {
    return !list.empty() ? list[position] : keyed ? (*keyed)[position] : position;
  }

private:
  std::vector<int64_t> list;
  std::optional<KeyedPermutation> keyed; // without either, samples keep their order
};

} // namespace ds

#endif // DS_DATA_RANDOM_H
