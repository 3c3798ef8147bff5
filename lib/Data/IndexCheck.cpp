//===- IndexCheck.cpp - Labels and tokens that a step cannot index with ---===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Data/IndexCheck.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

namespace ds {

/// Per block, takes the minimum and the maximum first, which a compiler vectorises.
template <typename T>
static std::optional<OutOfRange> findAmong(const Converter &array, int64_t begin, int64_t elements,
                                           const IntegerRange &range) {
  constexpr int64_t size = 16384;
  std::vector<T> block(std::min(size, elements));
  std::optional<OutOfRange> found;
  for (int64_t first = begin; first < begin + elements; first += size) {
    int64_t count = std::min(size, begin + elements - first);
    array.convert(first, count, block.data());
    T least = block[0], greatest = block[0];
    for (int64_t i = 1; i < count; ++i) {
      least = std::min(least, block[i]);
      greatest = std::max(greatest, block[i]);
    }
    if (least >= range.low && greatest < range.high)
      continue;
    for (int64_t i = 0; i < count; ++i) {
      int64_t value = block[i];
      if ((value >= range.low && value < range.high) || llvm::is_contained(range.others, value))
        continue;
      if (!found)
        found = OutOfRange{first + i, value};
      ++found->count;
    }
  }
  return found;
}

std::optional<OutOfRange> findOutOfRange(const Converter &array, int64_t begin, int64_t elements,
                                         const ArgumentSpec &argument) {
  // Unsigned values from 2^63 on are below any range as signed ones.
  bool isUnsigned = argument.isUnsigned && argument.type != ElementType::i64;
  return dispatch(toDataType(argument.type, isUnsigned),
                  [&](auto zero) -> std::optional<OutOfRange> {
                    using Element = decltype(zero);
                    if constexpr (std::is_integral_v<Element> && !std::is_same_v<Element, uint64_t>)
                      return findAmong<Element>(array, begin, elements, *argument.indexRange);
                    else
                      return std::nullopt;
                  });
}

std::string describeOutOfRange(const OutOfRange &found, int64_t elements,
                               const IntegerRange &range) {
  std::string text = std::to_string(found.value) + ", expected an index ";
  bool isOpen = range.low == std::numeric_limits<int64_t>::min();
  text += isOpen ? "below " + std::to_string(range.high)
                 : "from " + std::to_string(range.low) + " to " + std::to_string(range.high - 1);
  for (int64_t other : range.others)
    text += " or " + std::to_string(other);
  if (found.count > 1)
    text += "; " + std::to_string(found.count) + " of " + std::to_string(elements) +
            " are out of range";
  return text;
}

} // namespace ds
