//===- Rounding.h - How far rounding moves a value --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two correct programs round differently, and a step may magnify the difference: Adam divides a
// gradient that is zero but for rounding by its own size. Samples of one program with slightly
// different rounding show how far each element may move.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_REPORT_ROUNDING_H
#define DS_RUN_REPORT_ROUNDING_H

#include "ds/Data/Array.h"
#include "ds/Run/Report/Compare.h"

#include <vector>

namespace ds {

/// The range of every element of a value over samples. Needs two doubles for each element.
class Spread {
public:
  void include(const Array &sample);
  /// Returns the size of the range; 0 if a sample was not finite, because that explains nothing.
  double width(size_t element) const { return spoilt[element] ? 0 : high[element] - low[element]; }
  /// Returns how far rounding moves each element: its range, or the root mean square of all ranges
  /// if that is larger. A decision by rounding (the sign of a ReLU's input, or of a gradient) moves
  /// few elements far, and other elements in other samples.
  std::vector<double> moves() const;

private:
  std::vector<double> low, high;
  std::vector<bool> spoilt;
};

/// Two correct programs may differ by this multiple of the range of samples of one of them. Each
/// has errors of its own, so their difference has sqrt(2) of the deviation; another program may sum
/// in longer chains; and a range of 32 samples is 4 deviations, one of 8 is 2.8.
constexpr double rangesApart = 4;
/// A gradient that is zero but for rounding has either sign with even odds. All samples have the
/// same sign with odds of 1 in 2^32.
constexpr int mostSamples = 32;

/// Counts the elements of an array that exceed the tolerance, and those of them that rounding does
/// not explain. Rounding explains an element if it changes more than the last third of its digits,
/// and moves it by a quarter or more of the excess over the tolerance. Every other element keeps
/// the given tolerance.
struct Explanation {
  int64_t beyond = 0;      // elements beyond the tolerance
  int64_t unexplained = 0; // of these
  /// The element that is furthest off; an unexplained one, if there are any.
  double got = 0, expected = 0, moves = 0;
};

Explanation explain(const Array &got, const Array &expected, const Spread &spread,
                    const Tolerance &tolerance);

} // namespace ds

#endif // DS_RUN_REPORT_ROUNDING_H
