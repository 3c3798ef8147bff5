//===- Finite.cpp - Are all values finite -----------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without their signs, floats are ordered as the integers with the same bits, infinity above all
// numbers and NaN above infinity. Blocks have no branch inside, so that the compiler vectorises
// them.
//
//===----------------------------------------------------------------------===//
#include "ds/Data/Finite.h"

#include <algorithm>
#include <cstring>

namespace ds {

/// Returns the first element whose magnitude, as an unsigned number, is at least `least`; `count`
/// if there is none.
template <typename Bits> static int64_t findFrom(const uint8_t *bytes, int64_t count, Bits least) {
  constexpr int64_t block = 4096 / sizeof(Bits);
  constexpr Bits magnitude = Bits(-1) >> 1;
  Bits buffer[block]; // elements of a file are not aligned
  for (int64_t at = 0; at < count; at += block) {
    int64_t here = std::min(block, count - at);
    memcpy(buffer, bytes + at * sizeof(Bits), here * sizeof(Bits));
    Bits any = 0;
    for (int64_t i = 0; i < here; ++i)
      any |= Bits(Bits(buffer[i] & magnitude) >= least);
    if (any)
      return at + (std::find_if(buffer, buffer + here,
                                [&](Bits bits) { return Bits(bits & magnitude) >= least; }) -
                   buffer);
  }
  return count;
}

/// `infinity` is given as bits: larger ones are NaN.
template <typename Bits>
static std::string describe(const Array &array, Bits infinity, bool nanAlone) {
  int64_t found =
      findFrom<Bits>(array.data, array.elements(), nanAlone ? Bits(infinity + 1) : infinity);
  if (found == array.elements())
    return "";
  Bits bits;
  memcpy(&bits, array.data + found * sizeof(Bits), sizeof bits);
  if (Bits(bits << 1) != Bits(infinity << 1))
    return "nan";
  return bits == infinity ? "inf" : "-inf";
}

static std::string find(const Array &array, bool nanAlone) {
  switch (array.type) {
  case DataType::f64:
    return describe<uint64_t>(array, 0x7ff0000000000000, nanAlone);
  case DataType::f32:
    return describe<uint32_t>(array, 0x7f800000, nanAlone);
  case DataType::f16:
    return describe<uint16_t>(array, 0x7c00, nanAlone);
  case DataType::bf16:
    return describe<uint16_t>(array, 0x7f80, nanAlone);
  default:
    return "";
  }
}

std::string firstNotFinite(const Array &array) { return find(array, /*nanAlone=*/false); }
std::string firstNan(const Array &array) { return find(array, /*nanAlone=*/true); }

} // namespace ds
