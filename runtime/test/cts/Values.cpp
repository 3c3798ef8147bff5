//===- Values.cpp - Test data, and an independent reference reduction -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Values.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace dsrt::cts {
namespace {

uint64_t mix(uint64_t x) { // the finaliser of splitmix64
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

template <typename T> T load(const char *data, int64_t i) {
  T value;
  std::memcpy(&value, data + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return value;
}
template <typename T> void store(char *data, int64_t i, T value) {
  std::memcpy(data + i * static_cast<int64_t>(sizeof(T)), &value, sizeof(T));
}

/// A sixteen-bit float with `mantissaBits` and `exponentBits`, by arithmetic.
double decode(uint16_t bits, int mantissaBits, int exponentBits) {
  const int bias = (1 << (exponentBits - 1)) - 1;
  const int exponent = (bits >> mantissaBits) & ((1 << exponentBits) - 1);
  const int mantissa = bits & ((1 << mantissaBits) - 1);
  const double sign = bits & 0x8000 ? -1.0 : 1.0;
  if (exponent == (1 << exponentBits) - 1)
    return mantissa ? NAN : sign * INFINITY;
  if (exponent == 0)
    return sign * std::ldexp(mantissa, 1 - bias - mantissaBits);
  return sign * std::ldexp((1 << mantissaBits) + mantissa, exponent - bias - mantissaBits);
}

uint16_t encode(double value, int mantissaBits, int exponentBits) {
  const int bias = (1 << (exponentBits - 1)) - 1;
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const uint16_t infinity = static_cast<uint16_t>(((1 << exponentBits) - 1) << mantissaBits);
  if (std::isnan(value))
    return static_cast<uint16_t>(infinity | (1 << (mantissaBits - 1)));
  value = std::fabs(value);
  if (value == 0)
    return sign;
  int exponent =
      std::max(std::ilogb(value), 1 - bias); // of the unit in the last place, plus mantissaBits
  // nearbyint rounds to even; a carry into the next exponent comes out right in the sum below.
  const double units = std::nearbyint(std::ldexp(value, mantissaBits - exponent));
  const double encoded = units + std::ldexp(exponent + bias - 1, mantissaBits);
  return encoded >= infinity ? static_cast<uint16_t>(sign | infinity)
                             : static_cast<uint16_t>(sign | static_cast<uint16_t>(encoded));
}

template <typename T> T wrap(dsrt_reduction reduction, T a, T b) {
  const uint64_t x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  switch (reduction) {
  case DSRT_SUM:
    return static_cast<T>(x + y);
  case DSRT_PROD:
    return static_cast<T>(x * y);
  case DSRT_MAX:
    return std::max(a, b);
  case DSRT_MIN:
    return std::min(a, b);
  case DSRT_AND:
    return static_cast<T>(x & y);
  case DSRT_OR:
    return static_cast<T>(x | y);
  case DSRT_MEAN:
    break;
  }
  return T(0);
}

template <typename T> T combineFloat(dsrt_reduction reduction, T a, T b) {
  switch (reduction) {
  case DSRT_SUM:
  case DSRT_MEAN:
    return a + b;
  case DSRT_PROD:
    return a * b;
  case DSRT_MAX:
    return std::max(a, b);
  case DSRT_MIN:
    return std::min(a, b);
  case DSRT_AND:
  case DSRT_OR:
    break;
  }
  return T(0);
}

template <typename T>
void reduceIntegers(dsrt_reduction reduction, const std::vector<Bytes> &parts, int64_t elements,
                    Bytes &out) {
  for (int64_t i = 0; i < elements; ++i) {
    T value = load<T>(parts[0].data(), i);
    for (size_t r = 1; r < parts.size(); ++r)
      value = wrap(reduction, value, load<T>(parts[r].data(), i));
    store(out.data(), i, value);
  }
}

/// Accumulates in Carrier; `read` and `write` convert.
template <typename Carrier, typename T, typename Read, typename Write>
void reduceFloats(dsrt_reduction reduction, const std::vector<Bytes> &parts, int64_t elements,
                  Bytes &out, Read read, Write write) {
  const Carrier factor = static_cast<Carrier>(1.0 / static_cast<double>(parts.size()));
  for (int64_t i = 0; i < elements; ++i) {
    Carrier value = static_cast<Carrier>(read(load<T>(parts[0].data(), i)));
    for (size_t r = 1; r < parts.size(); ++r)
      value =
          combineFloat(reduction, value, static_cast<Carrier>(read(load<T>(parts[r].data(), i))));
    if (reduction == DSRT_MEAN)
      value *= factor;
    store<T>(out.data(), i, static_cast<T>(write(value)));
  }
}

double asDouble(dsrt_dtype dtype, const char *data, int64_t i) {
  switch (dtype) {
  case DSRT_F64:
    return load<double>(data, i);
  case DSRT_F32:
    return load<float>(data, i);
  case DSRT_F16:
    return halfToDouble(load<uint16_t>(data, i));
  case DSRT_BF16:
    return bfloatToDouble(load<uint16_t>(data, i));
  case DSRT_I64:
  case DSRT_I32:
  case DSRT_I16:
  case DSRT_I8:
  case DSRT_I1:
  case DSRT_U64:
  case DSRT_U32:
  case DSRT_U16:
  case DSRT_U8:
    break;
  }
  return 0;
}

} // namespace

/// decode() of every value, since tests convert millions.
static std::vector<double> decodeAll(int mantissaBits, int exponentBits) {
  std::vector<double> values;
  for (uint32_t bits = 0; bits < 65536; ++bits)
    values.push_back(decode(static_cast<uint16_t>(bits), mantissaBits, exponentBits));
  return values;
}

double halfToDouble(uint16_t bits) {
  static const std::vector<double> values = decodeAll(10, 5);
  return values[bits];
}
uint16_t doubleToHalf(double value) { return encode(value, 10, 5); }
double bfloatToDouble(uint16_t bits) {
  static const std::vector<double> values = decodeAll(7, 8);
  return values[bits];
}
uint16_t doubleToBfloat(double value) { return encode(value, 7, 8); }

bool isFloat(dsrt_dtype dtype) {
  return dtype == DSRT_F64 || dtype == DSRT_F32 || dtype == DSRT_F16 || dtype == DSRT_BF16;
}

Bytes contribution(dsrt_dtype dtype, int32_t rank, int64_t elements, uint32_t salt) {
  const int64_t size = dsrt_dtype_size(dtype);
  Bytes data(static_cast<size_t>(elements * size));
  for (int64_t i = 0; i < elements; ++i) {
    const uint64_t random = mix((static_cast<uint64_t>(rank) << 48) ^
                                (static_cast<uint64_t>(salt) << 40) ^ static_cast<uint64_t>(i));
    // Between 0.5 and 1.5 with either sign.
    const double real = (0.5 + static_cast<double>(random >> 11) * 0x1p-53) * (random & 1 ? -1 : 1);
    if (dtype == DSRT_F64)
      store(data.data(), i, real);
    else if (dtype == DSRT_F32)
      store(data.data(), i, static_cast<float>(real));
    else if (dtype == DSRT_F16) // a random sign and mantissa, between 0.5 and 1
      store(data.data(), i, static_cast<uint16_t>((random & 0x83ff) | (14 << 10)));
    else if (dtype == DSRT_BF16)
      store(data.data(), i, static_cast<uint16_t>((random & 0x807f) | (126 << 7)));
    else if (dtype == DSRT_I1)
      store(data.data(), i, static_cast<uint8_t>((random >> 7) & 1));
    else
      std::memcpy(data.data() + i * size, &random, static_cast<size_t>(size));
  }
  return data;
}

Bytes reduced(dsrt_dtype dtype, dsrt_reduction reduction, const std::vector<int32_t> &ranks,
              int64_t elements, uint32_t salt) {
  std::vector<Bytes> parts;
  for (int32_t rank : ranks)
    parts.push_back(contribution(dtype, rank, elements, salt));
  Bytes out(static_cast<size_t>(elements * dsrt_dtype_size(dtype)));
  auto same = [](auto value) { return value; };
  switch (dtype) {
  case DSRT_F64:
    reduceFloats<double, double>(reduction, parts, elements, out, same, same);
    break;
  case DSRT_F32:
    reduceFloats<float, float>(reduction, parts, elements, out, same, same);
    break;
  case DSRT_F16:
    reduceFloats<float, uint16_t>(reduction, parts, elements, out, halfToDouble, doubleToHalf);
    break;
  case DSRT_BF16:
    reduceFloats<float, uint16_t>(reduction, parts, elements, out, bfloatToDouble, doubleToBfloat);
    break;
  case DSRT_I64:
    reduceIntegers<int64_t>(reduction, parts, elements, out);
    break;
  case DSRT_I32:
    reduceIntegers<int32_t>(reduction, parts, elements, out);
    break;
  case DSRT_I16:
    reduceIntegers<int16_t>(reduction, parts, elements, out);
    break;
  case DSRT_I8:
    reduceIntegers<int8_t>(reduction, parts, elements, out);
    break;
  case DSRT_U64:
    reduceIntegers<uint64_t>(reduction, parts, elements, out);
    break;
  case DSRT_U32:
    reduceIntegers<uint32_t>(reduction, parts, elements, out);
    break;
  case DSRT_U16:
    reduceIntegers<uint16_t>(reduction, parts, elements, out);
    break;
  case DSRT_I1:
  case DSRT_U8:
    reduceIntegers<uint8_t>(reduction, parts, elements, out);
    break;
  }
  return out;
}

std::string compare(dsrt_dtype dtype, const char *got, const char *expected, int64_t elements,
                    bool exact, int32_t numRanks) {
  const int64_t size = dsrt_dtype_size(dtype);
  if (elements == 0 || std::memcmp(got, expected, static_cast<size_t>(elements * size)) == 0)
    return "";
  // Inputs are at most 1.5 in size, so partial sums are at most 1.5 n, and partial products 1.5^n.
  double unit = 0;
  if (dtype == DSRT_F64)
    unit = 0x1p-52;
  if (dtype == DSRT_F32)
    unit = 0x1p-23;
  if (dtype == DSRT_F16)
    unit = 0x1p-10;
  if (dtype == DSRT_BF16)
    unit = 0x1p-7;
  const double largest = std::max(1.5 * numRanks, std::pow(1.5, numRanks));
  for (int64_t i = 0; i < elements; ++i) {
    if (std::memcmp(got + i * size, expected + i * size, static_cast<size_t>(size)) == 0)
      continue;
    const double a = asDouble(dtype, got, i), b = asDouble(dtype, expected, i);
    if (!exact && isFloat(dtype) && std::fabs(a - b) <= unit * largest * numRanks)
      continue;
    std::string hex;
    for (const char *from : {got, expected}) {
      hex += from == got ? "got 0x" : ", expected 0x";
      for (int64_t k = size - 1; k >= 0; --k) {
        char two[3];
        std::snprintf(two, sizeof two, "%02x", static_cast<unsigned char>(from[i * size + k]));
        hex += two;
      }
    }
    return "element " + std::to_string(i) + " of " + std::to_string(elements) + ": " + hex;
  }
  return "";
}

} // namespace dsrt::cts
