//===- Mutator.h - Changes sound input into input nobody meant --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits that know a little of what they change: numbers, in text and in binary, become the ones at
// the edges; words become other words of their kind; stretches are cut, doubled, moved or taken
// from elsewhere. All follows from the seed.
//
//===----------------------------------------------------------------------===//
#ifndef DS_UNITTESTS_MUTATIONS_MUTATOR_H
#define DS_UNITTESTS_MUTATIONS_MUTATOR_H

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace ds {

class Mutator {
public:
  explicit Mutator(uint64_t seed) : random(seed) {}

  /// A number below n; 0 for n = 0.
  size_t below(size_t n) { return n ? random() % n : 0; }
  template <typename T> const T &oneOf(const std::vector<T> &all) { return all[below(all.size())]; }

  /// One to four edits of bytes, some of them from `other`.
  std::string bytes(std::string sound, const std::string &other);
  /// One to four edits of words and numbers, some of them from `other`.
  std::string text(std::string sound, const std::string &other);

private:
  void editBytes(std::string &bytes, const std::string &other);
  void editText(std::string &text, const std::string &other);

  std::mt19937_64 random;
};

} // namespace ds

#endif // DS_UNITTESTS_MUTATIONS_MUTATOR_H
