//===- FakeMath.cpp - The arithmetic of the fake devices --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Like the vendors' and unlike ours: the order is not that of the ranks, sixteen-bit floats round
// after every step, and max and min lose a NaN.
//
//===----------------------------------------------------------------------===//
#include "FakeWire.h"

#include <cmath>
#include <cstring>
#include <type_traits>

namespace fake {
namespace {

struct Half {
  uint16_t bits;
};
struct Bfloat {
  uint16_t bits;
};

float widen(Bfloat value) {
  const uint32_t bits = uint32_t(value.bits) << 16;
  float result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}
Bfloat narrowBfloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if (std::isnan(value))
    return {static_cast<uint16_t>(bits >> 16 | 0x40)};
  return {static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}
float widen(Half value) {
  const int exponent = value.bits >> 10 & 31, mantissa = value.bits & 1023;
  const float sign = value.bits >> 15 ? -1.0f : 1.0f;
  if (exponent == 31)
    return mantissa ? NAN : sign * INFINITY;
  return sign * (exponent ? std::ldexp(static_cast<float>(mantissa | 1024), exponent - 25)
                          : std::ldexp(static_cast<float>(mantissa), -24));
}
Half narrowHalf(float value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const float size = std::fabs(value);
  if (std::isnan(value))
    return {0x7e00};
  if (size == 0.0f)
    return {sign};
  if (size >= 65520.0f)
    return {static_cast<uint16_t>(sign | 0x7c00)};
  int exponent = 0;
  std::frexp(size, &exponent); // size = m * 2^exponent, m in [0.5, 1)
  const int unit = exponent - 11 < -24 ? -24 : exponent - 11;
  // nearbyint rounds half to even; a carry moves into the exponent by itself.
  const int steps = static_cast<int>(std::nearbyint(std::ldexp(size, -unit)));
  const int biased = unit == -24 ? 0 : unit + 24;
  return {static_cast<uint16_t>(sign | (biased * 1024 + steps))};
}

template <typename Value> struct Step {
  static Value fold(Fold fold, Value a, Value b) {
    if constexpr (std::is_floating_point_v<Value>) {
      switch (fold) {
      case Fold::sum:
      case Fold::mean:
        return a + b;
      case Fold::prod:
        return a * b;
      case Fold::max:
        return std::fmax(a, b);
      case Fold::min:
        return std::fmin(a, b);
      }
    } else {
      using Bits = std::make_unsigned_t<Value>;
      switch (fold) {
      case Fold::sum:
      case Fold::mean:
        return static_cast<Value>(static_cast<uint64_t>(Bits(a)) + Bits(b));
      case Fold::prod:
        return static_cast<Value>(static_cast<uint64_t>(Bits(a)) * Bits(b));
      case Fold::max:
        return a > b ? a : b;
      case Fold::min:
        return a < b ? a : b;
      }
    }
    return a;
  }
};
template <> struct Step<Half> {
  static Half fold(Fold fold, Half a, Half b) {
    return narrowHalf(Step<float>::fold(fold, widen(a), widen(b)));
  }
};
template <> struct Step<Bfloat> {
  static Bfloat fold(Fold fold, Bfloat a, Bfloat b) {
    return narrowBfloat(Step<float>::fold(fold, widen(a), widen(b)));
  }
};

template <typename Visitor> void visit(Element element, Visitor visitor) {
  switch (element) {
  case Element::i8:
    return visitor(int8_t());
  case Element::u8:
    return visitor(uint8_t());
  case Element::i16:
    return visitor(int16_t());
  case Element::u16:
    return visitor(uint16_t());
  case Element::i32:
    return visitor(int32_t());
  case Element::u32:
    return visitor(uint32_t());
  case Element::i64:
    return visitor(int64_t());
  case Element::u64:
    return visitor(uint64_t());
  case Element::f16:
    return visitor(Half());
  case Element::bf16:
    return visitor(Bfloat());
  case Element::f32:
    return visitor(float());
  case Element::f64:
    return visitor(double());
  }
}

} // namespace

size_t sizeOf(Element element) {
  size_t size = 0;
  visit(element, [&](auto value) { size = sizeof value; });
  return size;
}

void scale(Element element, char *data, size_t count, const void *factor) {
  visit(element, [&](auto by) {
    using Value = decltype(by);
    std::memcpy(&by, factor, sizeof by);
    auto *values = reinterpret_cast<Value *>(data);
    for (size_t i = 0; i < count; ++i)
      values[i] = Step<Value>::fold(Fold::prod, values[i], by);
  });
}

void scaleInF32(Element element, char *data, size_t count, float factor) {
  visit(element, [&](auto value) {
    using Value = decltype(value);
    auto *values = reinterpret_cast<Value *>(data);
    for (size_t i = 0; i < count; ++i) {
      if constexpr (std::is_same_v<Value, Half>)
        values[i] = narrowHalf(widen(values[i]) * factor);
      else if constexpr (std::is_same_v<Value, Bfloat>)
        values[i] = narrowBfloat(widen(values[i]) * factor);
      else if constexpr (std::is_same_v<Value, float>)
        values[i] *= factor;
    }
  });
}

// From the last rank to the first: a program that relies on rank order fails.
void Wire::combine(const Operation &operation, size_t offset, size_t count, char *out) {
  visit(operation.element, [&](auto value) {
    using Value = decltype(value);
    for (size_t i = 0; i < count; ++i) {
      auto read = [&](int32_t rank) {
        Value element;
        std::memcpy(&element, lane(rank) + offset + i * sizeof element, sizeof element);
        return element;
      };
      Value sum = read(numRanks - 1);
      for (int32_t r = numRanks - 2; r >= 0; --r)
        sum = Step<Value>::fold(operation.fold, sum, read(r));
      if (operation.fold == Fold::mean) {
        if constexpr (std::is_floating_point_v<Value>)
          sum = sum * (Value(1) / static_cast<Value>(numRanks));
        else if constexpr (std::is_same_v<Value, Half>)
          sum = narrowHalf(widen(sum) * (1.0f / static_cast<float>(numRanks)));
        else if constexpr (std::is_same_v<Value, Bfloat>)
          sum = narrowBfloat(widen(sum) * (1.0f / static_cast<float>(numRanks)));
      }
      std::memcpy(out + i * sizeof sum, &sum, sizeof sum);
    }
  });
}

} // namespace fake
