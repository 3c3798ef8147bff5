//===- PrimeField.h - integers modulo a prime -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Over a finite field no operation rounds and sums have no order, so two programs with the same
// identity of sums and products agree bit for bit. An element is the integer of its class nearest
// to zero: -1 stays -1, order is that of integers, and a sum of 4096 elements fits into 64 bits.
//
//===----------------------------------------------------------------------===//
#ifndef DS_EXACT_PRIMEFIELD_H
#define DS_EXACT_PRIMEFIELD_H

#include <cstdint>

namespace llvm {
class APFloat;
} // namespace llvm

namespace ds {

class PrimeField {
public:
  /// 2^31 - 1, modulo which a product is reduced by shifts and additions, and the next smaller
  /// prime.
  static constexpr int64_t firstPrime = 2147483647, secondPrime = 2147483629;

  /// `prime` is odd and below 2^31.
  explicit constexpr PrimeField(int64_t prime) : modulus(prime) {}

  int64_t prime() const { return modulus; }
  /// The largest element, which stands for infinity; its negative is the smallest.
  int64_t largest() const { return (modulus - 1) / 2; }

  int64_t reduce(int64_t number) const;
  int64_t multiply(int64_t x, int64_t y) const { return reduce(x * y); }
  int64_t power(int64_t base, int64_t exponent) const;
  /// Returns 1 / x; that of 0 is 0.
  int64_t inverse(int64_t x) const { return power(x, modulus - 2); }

  /// Reads a float exactly, as an integer times a power of two. Only 1/ranks and its products with
  /// powers of two become the field's 1/ranks: no float equals it unless `ranks` is a power of two,
  /// but the mean over the ranks of a replicated value must be that value. Infinities are the
  /// largest and the smallest element; a NaN is an ordinary element.
  int64_t read(const llvm::APFloat &value, int64_t ranks = 1) const;

private:
  int64_t modulus;
};

/// Maps any word to a 64-bit word without a pattern: the finaliser of splitmix64 (Steele et al.,
/// OOPSLA 2014).
uint64_t mixBits(uint64_t word);

} // namespace ds

#endif // DS_EXACT_PRIMEFIELD_H
