//===- Ulp.h - Errors in units in the last place ----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References are computed in long double, which has 11 bits more than f64 where tests run.
//
//===----------------------------------------------------------------------===//
#ifndef DS_UNITTESTS_TARGET_ULP_H
#define DS_UNITTESTS_TARGET_ULP_H

#include <algorithm>
#include <cmath>
#include <limits>

namespace ds {

/// A binary floating-point type by its precision and exponents (as in std::numeric_limits).
struct FloatFormat {
  const char *name;
  int digits, minExponent, maxExponent;

  long double smallestNormal() const { return std::ldexp(1.0L, minExponent - 1); }
};
inline constexpr FloatFormat f32Format{"f32", 24, -125, 128};
inline constexpr FloatFormat f64Format{"f64", 53, -1021, 1024};
inline constexpr FloatFormat bf16Format{"bf16", 8, -125, 128};
inline constexpr FloatFormat f16Format{"f16", 11, -13, 16};

/// |got - expected| in units in the last place of `expected`; infinity where one is NaN alone, or a
/// zero has the wrong sign. Infinity counts as the power of two that follows the largest number.
inline long double ulpError(const FloatFormat &format, long double got, long double expected) {
  constexpr long double wrong = std::numeric_limits<long double>::infinity();
  if (std::isnan(got) || std::isnan(expected))
    return std::isnan(got) && std::isnan(expected) ? 0 : wrong;
  if (got == 0 && expected == 0)
    return std::signbit(got) == std::signbit(expected) ? 0 : wrong;
  long double limit = std::ldexp(1.0L, format.maxExponent);
  got = std::clamp(got, -limit, limit);
  expected = std::clamp(expected, -limit, limit);
  int exponent = format.minExponent - 1;
  if (expected != 0)
    exponent = std::clamp(std::ilogb(expected), exponent, format.maxExponent - 1);
  return std::ldexp(std::abs(got - expected), format.digits - 1 - exponent);
}

} // namespace ds

#endif // DS_UNITTESTS_TARGET_ULP_H
