//===- Formats.cpp - Floats of each size ------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Formats.h"

#include <algorithm>

namespace fake::ptx {

uint64_t roundTo(unsigned exponent, unsigned mantissa, double value, Rounding rounding) {
  const uint64_t sign = uint64_t(std::signbit(value)) << (exponent + mantissa);
  const uint64_t infinity = ((uint64_t(1) << exponent) - 1) << mantissa;
  if (value != value)
    return (uint64_t(1) << (exponent + mantissa)) - 1;
  if (std::isinf(value))
    return sign | infinity;
  if (value == 0)
    return sign;
  int scale; // value = significand * 2^(scale - 53), the significand of 53 bits
  const auto significand =
      static_cast<uint64_t>(std::ldexp(std::frexp(std::fabs(value), &scale), 53));
  const int lowest = 2 - (1 << (exponent - 1)); // the exponent of the smallest normal number
  const int power = scale - 1;
  const int drop = std::min(52 - int(mantissa) + std::max(0, lowest - power), 60);
  const uint64_t kept = significand >> drop;
  const uint64_t rest = significand & ((uint64_t(1) << drop) - 1), half = uint64_t(1) << (drop - 1);
  bool up = false;
  switch (rounding) {
  case Rounding::nearest:
    up = rest > half || (rest == half && (kept & 1));
    break;
  case Rounding::zero:
    break;
  case Rounding::down:
    up = rest != 0 && sign;
    break;
  case Rounding::up:
    up = rest != 0 && !sign;
    break;
  }
  uint64_t bits = kept + up;
  // The leading bit of a normal number adds one to the exponent, as does a carry.
  if (power >= lowest)
    bits += uint64_t(power - lowest) << mantissa;
  if (bits >= infinity)
    bits = up || rounding == Rounding::nearest ? infinity : infinity - 1;
  return sign | bits;
}

/// Rounds to odd: the last bit is set where `error` says that the sum is not exact.
static double toOdd(double sum, double error) {
  if (error == 0 || !std::isfinite(sum))
    return sum;
  auto bits = bitCast<uint64_t>(sum);
  if (!(bits & 1)) {
    // Towards the error, to the neighbour, which is odd.
    const bool away = std::signbit(sum) == std::signbit(error);
    bits += away ? 1 : uint64_t(-1);
  }
  return bitCast<double>(bits);
}

double fusedForRounding(double a, double b, double c) {
  const double product = a * b; // exact: at most 22 bits
  const double sum = product + c;
  const double part = sum - product;
  return toOdd(sum, (product - (sum - part)) + (c - part));
}

double integerForRounding(bool negative, uint64_t magnitude) {
  auto high = static_cast<double>(magnitude);
  double error = 0;
  if (magnitude >= uint64_t(1) << 53)
    error =
        high >= 18446744073709551616.0
            ? -1.0
            : static_cast<double>(static_cast<int64_t>(magnitude - static_cast<uint64_t>(high)));
  high = toOdd(high, error);
  return negative ? -high : high;
}

} // namespace fake::ptx
