//===- Convert.h - Elements of a file as elements of an argument --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An integer converts if the result is exact or an explicit scale marks it as a quantity; a float
// may round to a narrower float but not overflow. Values decide, not types alone: int64 labels 0..9
// are valid i32 labels.
//
//===----------------------------------------------------------------------===//
#ifndef DS_DATA_CONVERT_H
#define DS_DATA_CONVERT_H

#include "ds/Data/Array.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace ds {

/// Multiplies by numerator / denominator in double precision: 1/255 is not a binary fraction, so it
/// stays a pair.
struct Scale {
  double numerator = 1;
  double denominator = 1;
};

class Converter {
public:
  /// Checks every element of `source` once, or leaves it to firstUnfit when they are used;
  /// afterwards no conversion can fail. `isUnsigned` is for the bits of unsigned integers: element
  /// types have no sign, and hold signed ones otherwise.
  static llvm::Expected<Converter> create(const Array &source, ElementType target,
                                          std::optional<Scale> scale = std::nullopt,
                                          bool isUnsigned = false, bool checksLater = false);

  /// Converts `count` elements from element `first` of the source on.
  void convert(int64_t first, int64_t count, void *target) const;
  /// Returns the first of `count` elements from `first` on that the target cannot hold.
  std::optional<int64_t> firstUnfit(int64_t first, int64_t count) const;
  /// Describes why an element that firstUnfit has found does not fit.
  std::string describeUnfit(int64_t element) const;
  /// True if the bytes of the source are already those of the target type.
  bool keepsBytes() const { return identical; }
  bool makesFloats() const { return isFloat(toDataType(target)); }
  const std::optional<Scale> &scaling() const { return scale; }

private:
  Array source;
  ElementType target = ElementType::f32;
  bool isUnsigned = false;
  std::optional<Scale> scale;
  bool identical = false;
  std::vector<uint8_t> table; // for one-byte sources: the result of each of the 256 values
  std::vector<bool> fits;     // whether the result exists
};

/// Returns the whole array in the target type; the source itself, sharing its bytes, if it has that
/// type.
llvm::Expected<Array> convertArray(const Array &source, ElementType target,
                                   std::optional<Scale> scale = std::nullopt);
/// Returns every element as double, for comparisons; 64-bit integers beyond 2^53 are rounded.
std::vector<double> toDoubles(const Array &source);

} // namespace ds

#endif // DS_DATA_CONVERT_H
