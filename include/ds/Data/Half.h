//===- Half.h - Sixteen-bit floats as bits ----------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of f16 and bf16 to and from f32, rounding to nearest even; no hardware or compiler
// support is assumed.
//
//===----------------------------------------------------------------------===//
#ifndef DS_DATA_HALF_H
#define DS_DATA_HALF_H

#include <cmath>
#include <cstdint>
#include <cstring>

namespace ds {

inline float floatFromBits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

inline uint32_t bitsOfFloat(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

inline float bf16ToFloat(uint16_t bits) { return floatFromBits(uint32_t(bits) << 16); }

inline uint16_t floatToBf16(float value) {
  uint32_t bits = bitsOfFloat(value);
  if ((bits & 0x7fffffff) > 0x7f800000) // keep a NaN one when its low bits are cut off
    return uint16_t(bits >> 16) | 0x40;
  return uint16_t((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

inline float f16ToFloat(uint16_t half) {
  uint32_t sign = uint32_t(half & 0x8000) << 16;
  uint32_t exponent = (half >> 10) & 0x1f, mantissa = half & 0x3ff;
  if (exponent == 0x1f)
    return floatFromBits(sign | 0x7f800000 | mantissa << 13);
  if (exponent == 0) { // subnormal: mantissa * 2^-24
    float magnitude = float(mantissa) * floatFromBits(0x33800000);
    return floatFromBits(sign | bitsOfFloat(magnitude));
  }
  return floatFromBits(sign | (exponent + 112) << 23 | mantissa << 13);
}

inline uint16_t floatToF16(float value) {
  uint32_t bits = bitsOfFloat(value);
  uint16_t sign = uint16_t(bits >> 16) & 0x8000;
  bits &= 0x7fffffff;
  if (bits > 0x7f800000)
    return sign | 0x7e00; // NaN
  if (bits >= 0x477ff000)
    return sign | 0x7c00;  // rounds to infinity
  if (bits < 0x38800000) { // subnormal: adding one half aligns the lowest bit and rounds
    float aligned = floatFromBits(bits) + floatFromBits(0x3f000000);
    return sign | uint16_t(bitsOfFloat(aligned) - 0x3f000000);
  }
  uint32_t rounded = bits + 0xfff + ((bits >> 13) & 1);
  return sign | uint16_t((rounded >> 13) - (112u << 10));
}

/// double -> 16 bits through float rounds twice; rounding to odd in between has the effect of one
/// rounding.
inline float toFloatRoundingToOdd(double value) {
  float nearest = static_cast<float>(value);
  if (!std::isfinite(nearest) || static_cast<double>(nearest) == value)
    return nearest;
  uint32_t bits = bitsOfFloat(nearest);
  if (bits & 1)
    return nearest;
  bool awayFromZero = std::fabs(static_cast<double>(nearest)) > std::fabs(value);
  return floatFromBits(awayFromZero ? bits - 1 : bits + 1);
}

/// An element of an array of f16.
struct Float16 {
  uint16_t bits = 0;
  Float16() = default;
  explicit Float16(double value) : bits(floatToF16(toFloatRoundingToOdd(value))) {}
  operator float() const { return f16ToFloat(bits); }
};

/// An element of an array of bf16.
struct BFloat16 {
  uint16_t bits = 0;
  BFloat16() = default;
  explicit BFloat16(double value) : bits(floatToBf16(toFloatRoundingToOdd(value))) {}
  operator float() const { return bf16ToFloat(bits); }
};

} // namespace ds

#endif // DS_DATA_HALF_H
