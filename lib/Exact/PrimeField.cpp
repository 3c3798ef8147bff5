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

int64_t PrimeField::read(const llvm::APFloat &value, int64_t ranks) const {
  if (value.isNaN())
    return reduce(mixBits(modulus) >> 1);
  if (value.isInfinity())
    return value.isNegative() ? -largest() : largest();
  if (value.isZero())
    return 0;
  llvm::APFloat share(value.getSemantics(), 1);
  llvm::APFloat divisor(value.getSemantics(), static_cast<uint64_t>(ranks));
  share.divide(divisor, llvm::APFloat::rmNearestTiesToEven);
  if (value == share)
    return inverse(ranks);
  int exponent = ilogb(value);
  int fraction = llvm::APFloat::semanticsPrecision(value.getSemantics()) - 1;
  llvm::APFloat scaled = scalbn(value, fraction - exponent, llvm::APFloat::rmNearestTiesToEven);
  llvm::APSInt integer(64, /*isUnsigned=*/false);
  bool isExact = false;
  scaled.convertToInteger(integer, llvm::APFloat::rmTowardZero, &isExact);
  int64_t two = exponent < fraction ? inverse(2) : 2;
  return multiply(reduce(integer.getExtValue()), power(two, std::abs(exponent - fraction)));
}

uint64_t mixBits(uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
  return word ^ (word >> 31);
}

} // namespace ds
