//===- Conditioning.h - How far rounding moves a value ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two right programs round differently, and a step may make much of that: Adam divides a gradient
// that is zero but for rounding by its own size. Samples of one program that rounds a little
// differently each time show how far each element may move. What they explain is no difference;
// values that rounding hardly moves keep the tolerance.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_CONDITIONING_H
#define DS_RUN_CONDITIONING_H

#include "ds/Data/Array.h"
#include "ds/Run/Compare.h"

#include <vector>

namespace ds {

/// The range of every element of a value over samples. Memory: two doubles for each.
class Spread {
public:
  void include(const Array &sample);
  /// The size of the range; 0 where a sample was not finite: that explains nothing.
  double width(size_t element) const { return spoilt[element] ? 0 : high[element] - low[element]; }
  /// How far rounding moves each element: its range, or the root mean square of all ranges if that
  /// is more. A decision that rounding makes (the sign of what a ReLU reads) moves few elements
  /// far, others in other samples: the range of one element need not show it.
  std::vector<double> moves() const;
  /// For the range of a parameter: where rounding decides the sign of the gradient, what an
  /// optimizer makes of it (Adam a whole step either way) need not show in the samples of each
  /// element, so that element moves as far as any.
  void leaveSignsOpen(const Array &gradient, const Spread &ofGradient);

private:
  std::vector<double> low, high;
  std::vector<bool> spoilt, open;
};

/// Two programs that are right may differ by this multiple of the range that samples of one of them
/// have. Each has errors of its own, so the difference of two has sqrt(2) of the deviation; another
/// program may sum in longer chains; and a range of 32 samples is 4 deviations, one of 8 is 2.8.
constexpr double rangesApart = 4;
/// A gradient that is zero but for rounding has either sign with even odds. That this many samples
/// all have one has the odds 1 in 2^32.
constexpr int fewestSamples = 8, mostSamples = 32;

/// Where an array exceeds its tolerance, and whether rounding explains it.
struct Explanation {
  int64_t beyond = 0;      // elements beyond the tolerance
  int64_t unexplained = 0; // of these
  double difference = 0;   // the largest that rounding explains
  double moves = 0;        // how far rounding moves that element
};

/// An element beyond the tolerance is explained if it is ill-conditioned (rounding takes more than
/// a third of its digits) and differs by no more than `rangesApart` ranges beside the tolerance.
Explanation explain(const Array &got, const Array &expected, const Spread &spread,
                    const Tolerance &tolerance);

/// The element that is furthest beyond what its rounding allows.
struct RoundingCheck {
  double scaled = 0; // the difference in units of what is allowed; above 1 is more than rounding
  double got = 0, expected = 0, moves = 0;

  bool acceptable() const { return scaled <= 1; }
};

/// Compares without an absolute tolerance, which would hide errors as large as what an optimizer
/// divides by: allowed are rtol * |b|, `rangesApart` ranges, and one ulp of the array's largest
/// element.
RoundingCheck checkRounding(const Array &got, const Array &expected, const Spread &spread,
                            double rtol);

} // namespace ds

#endif // DS_RUN_CONDITIONING_H
