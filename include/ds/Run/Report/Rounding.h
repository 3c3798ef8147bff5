//===- Rounding.h - How far rounding moves a value --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two right programs round differently, and a step may make much of that: Adam divides a gradient
// that is zero but for rounding by its own size. Samples of one program that rounds a little
// differently each time show how far each element may move.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_REPORT_ROUNDING_H
#define DS_RUN_REPORT_ROUNDING_H

#include "ds/Data/Array.h"
#include "ds/Run/Report/Compare.h"

#include <vector>

namespace ds {

/// The range of every element of a value over samples. Memory: two doubles for each.
class Spread {
public:
  void include(const Array &sample);
  /// The size of the range; 0 where a sample was not finite: that explains nothing.
  double width(size_t element) const { return spoilt[element] ? 0 : high[element] - low[element]; }
  /// How far rounding moves each element: its range, or the root mean square of all ranges if that
  /// is more. A decision that rounding makes (the sign of what a ReLU reads, or of a gradient)
  /// moves few elements far, others in other samples.
  std::vector<double> moves() const;

private:
  std::vector<double> low, high;
  std::vector<bool> spoilt;
};

/// Two programs that are right may differ by this multiple of the range that samples of one of them
/// have. Each has errors of its own, so the difference of two has sqrt(2) of the deviation; another
/// program may sum in longer chains; and a range of 32 samples is 4 deviations, one of 8 is 2.8.
constexpr double rangesApart = 4;
/// A gradient that is zero but for rounding has either sign with even odds. That this many samples
/// all have one has the odds 1 in 2^32.
constexpr int mostSamples = 32;

/// Where an array exceeds its tolerance, and whether rounding explains it: it takes more than a
/// third of the element's digits, and moves it by a quarter of what is beyond the tolerance, or
/// more. Every other element keeps the tolerance that was given.
struct Explanation {
  int64_t beyond = 0;      // elements beyond the tolerance
  int64_t unexplained = 0; // of these
  /// The element that is furthest off: of the unexplained ones, if there are any.
  double got = 0, expected = 0, moves = 0;
};

Explanation explain(const Array &got, const Array &expected, const Spread &spread,
                    const Tolerance &tolerance);

} // namespace ds

#endif // DS_RUN_REPORT_ROUNDING_H
