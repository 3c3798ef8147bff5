//===- PrimeField.cpp - integers modulo a prime ---------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Exact/PrimeField.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"

namespace ds {

int64_t PrimeField::reduce(int64_t number) const {
  int64_t rest = number % modulus;
  if (rest > largest())
    return rest - modulus;
  return rest < -largest() ? rest + modulus : rest;
}

int64_t PrimeField::power(int64_t base, int64_t exponent) const {
  int64_t result = 1;
  for (base = reduce(base); exponent > 0; exponent /= 2, base = multiply(base, base))
    if (exponent % 2 == 1)
      result = multiply(result, base);
  return result;
}

/// Splits a float into fraction * 2^exponent, where the fraction is an integer of all its bits.
static std::pair<int64_t, int> split(const llvm::APFloat &value) {
  int bits = llvm::APFloat::semanticsPrecision(value.getSemantics()) - 1;
  int exponent = ilogb(value) - bits;
  llvm::APSInt fraction(64, /*isUnsigned=*/false);
  bool isExact = false;
  scalbn(value, -exponent, llvm::APFloat::rmNearestTiesToEven)
      .convertToInteger(fraction, llvm::APFloat::rmTowardZero, &isExact);
  return {fraction.getExtValue(), exponent};
}

int64_t PrimeField::read(const llvm::APFloat &value, int64_t ranks) const {
  if (value.isNaN())
    return reduce(mixBits(modulus) >> 1);
  if (value.isInfinity())
    return value.isNegative() ? -largest() : largest();
  if (value.isZero())
    return 0;
  auto scaled = [&](int64_t element, int exponent) {
    return multiply(element, power(exponent < 0 ? inverse(2) : 2, std::abs(exponent)));
  };
  auto [fraction, exponent] = split(value);
  llvm::APFloat share(value.getSemantics(), 1);
  share.divide(llvm::APFloat(value.getSemantics(), static_cast<uint64_t>(ranks)),
               llvm::APFloat::rmNearestTiesToEven);
  auto [ofShare, exponentOfShare] = split(share);
  if (std::abs(fraction) == ofShare) // 1/ranks, or 1/ranks times a power of two
    return scaled(fraction < 0 ? -inverse(ranks) : inverse(ranks), exponent - exponentOfShare);
  return scaled(reduce(fraction), exponent);
}

uint64_t mixBits(uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
  return word ^ (word >> 31);
}

} // namespace ds
