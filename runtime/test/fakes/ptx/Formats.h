//===- Formats.h - Floats of each size --------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the bits of a register become a value and back. Results that are no number have the one
// pattern that a device gives them.
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_TEST_FAKES_PTX_FORMATS_H
#define DSRT_TEST_FAKES_PTX_FORMATS_H

#include <cmath>
#include <cstdint>
#include <cstring>

namespace fake::ptx {

template <typename To, typename From> To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

enum class Rounding : uint8_t { nearest, zero, down, up };

/// A float of `exponent` and `mantissa` bits, rounded once.
uint64_t roundTo(unsigned exponent, unsigned mantissa, double value, Rounding rounding);
/// a * b + c as a double whose last bit says whether it is exact: rounding it to a type of at most
/// 50 bits is the same as rounding the exact result.
double fusedForRounding(double a, double b, double c);
/// The same of a whole number.
double integerForRounding(bool negative, uint64_t magnitude);

inline float flushed(float value) {
  return std::fabs(value) < 1.17549435e-38f ? std::copysign(0.0f, value) : value;
}

template <bool ftz> struct F32 {
  using Bits = uint32_t;
  using Value = float;
  static float load(uint32_t bits) {
    const float value = bitCast<float>(bits);
    return ftz ? flushed(value) : value;
  }
  static uint32_t store(float value) {
    const uint32_t bits = bitCast<uint32_t>(ftz ? flushed(value) : value);
    return value != value ? 0x7fffffffu : bits;
  }
  static uint32_t fused(float a, float b, float c) { return store(std::fma(a, b, c)); }
};

struct F64 {
  using Bits = uint64_t;
  using Value = double;
  static double load(uint64_t bits) { return bitCast<double>(bits); }
  static uint64_t store(double value) {
    return value != value ? 0xfff8000000000000u : bitCast<uint64_t>(value);
  }
  static uint64_t fused(double a, double b, double c) { return store(std::fma(a, b, c)); }
};

/// Operations on 16 bits are made in double, which holds them so well that the second rounding
/// changes nothing.
template <unsigned exponent, unsigned mantissa> struct Narrow {
  using Bits = uint16_t;
  using Value = double;
  static double load(uint16_t bits) {
    const unsigned fraction = bits & ((1u << mantissa) - 1);
    const int scale = bits >> mantissa & ((1 << exponent) - 1);
    constexpr int bias = (1 << (exponent - 1)) - 1;
    double value;
    if (scale == (1 << exponent) - 1)
      value = fraction ? std::nan("") : INFINITY;
    else if (scale == 0)
      value = std::ldexp(fraction, 1 - bias - int(mantissa));
    else
      value = std::ldexp(fraction | 1u << mantissa, scale - bias - int(mantissa));
    return bits & 0x8000 ? -value : value;
  }
  static uint16_t store(double value) {
    return static_cast<uint16_t>(roundTo(exponent, mantissa, value, Rounding::nearest));
  }
  static uint16_t fused(double a, double b, double c) { return store(fusedForRounding(a, b, c)); }
};
using F16 = Narrow<5, 10>;
using BF16 = Narrow<8, 7>;

} // namespace fake::ptx

#endif // DSRT_TEST_FAKES_PTX_FORMATS_H
