//===- Random.h - Choices of a seed -----------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same seed gives the same choices on every machine: no distribution of the standard library,
// whose results are left to its implementation, is used.
//
//===----------------------------------------------------------------------===//
#ifndef DS_FUZZ_RANDOM_H
#define DS_FUZZ_RANDOM_H

#include <cmath>
#include <cstdint>
#include <initializer_list>

namespace ds::fuzz {

class Random {
public:
  explicit Random(uint64_t seed) : state(mix(seed + 0x2545f4914f6cdd1du)) {}

  uint64_t next() { return mix(state += 0x9e3779b97f4a7c15u); }
  int64_t below(int64_t limit) { return static_cast<int64_t>(next() % limit); }
  /// From `least` to `most`, both included.
  int64_t between(int64_t least, int64_t most) { return least + below(most - least + 1); }
  bool chance(int percent) { return below(100) < percent; }
  template <typename T> T pick(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }
  double uniform() { return (next() >> 11) * 0x1p-53; }
  double normal() {
    double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(6.283185307179586 * uniform());
  }

private:
  static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  uint64_t state;
};

} // namespace ds::fuzz

#endif // DS_FUZZ_RANDOM_H
