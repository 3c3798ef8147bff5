//===- Rounding.cpp - How far rounding moves a value ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements are judged one by one: in a fused projection the bias of the keys is rounding, but that
// of the values beside it is not. Each element may still move by the typical range of the whole
// array: that is far below the digits of the values in that projection.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Report/Rounding.h"

#include "ds/Data/Convert.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace ds {

void Spread::include(const Array &sample) {
  std::vector<double> values = toDoubles(sample);
  if (low.empty()) {
    low = high = values;
    spoilt.assign(values.size(), false);
  }
  assert(low.size() == values.size() && "samples of different sizes");
  for (size_t i = 0; i < values.size(); ++i) {
    spoilt[i] = spoilt[i] || !std::isfinite(values[i]);
    low[i] = std::min(low[i], values[i]);
    high[i] = std::max(high[i], values[i]);
  }
}

std::vector<double> Spread::moves() const {
  std::vector<double> widths(low.size());
  double squares = 0;
  for (size_t i = 0; i < low.size(); ++i) {
    widths[i] = width(i);
    squares += widths[i] * widths[i];
  }
  double typical =
      std::isfinite(squares) ? std::sqrt(squares / std::max<size_t>(low.size(), 1)) : 0;
  for (double &each : widths)
    each = std::max(each, typical);
  return widths;
}

/// Returns the distance from 1 to the next number; 1 for types that do not round.
static double epsilonOf(DataType type) {
  switch (type) {
  case DataType::f64:
    return 0x1p-52;
  case DataType::f32:
    return 0x1p-23;
  case DataType::f16:
    return 0x1p-10;
  case DataType::bf16:
    return 0x1p-7;
  default:
    return 1;
  }
}

Explanation explain(const Array &got, const Array &expected, const Spread &spread,
                    const Tolerance &tolerance) {
  Explanation result;
  std::vector<double> a = toDoubles(got), b = toDoubles(expected), moves = spread.moves();
  bool rounds = isFloat(expected.type);
  double digits = rounds ? std::pow(epsilonOf(got.type), 2.0 / 3) : 0, furthest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])))
      continue;
    double difference = std::fabs(a[i] - b[i]);
    double allowed = rounds ? tolerance.atol + tolerance.rtol * std::fabs(b[i]) : 0;
    if (difference <= allowed)
      continue;
    ++result.beyond;
    bool isFirst = false;
    bool isMoved = moves[i] > digits * std::fabs(b[i]); // a NaN exceeds every limit
    if (!isMoved || !(difference <= allowed + rangesApart * moves[i]))
      isFirst = ++result.unexplained == 1;
    else if (result.unexplained)
      continue;
    if (isFirst || result.beyond == 1 || difference > furthest) {
      furthest = difference;
      result.got = a[i];
      result.expected = b[i];
      result.moves = moves[i];
    }
  }
  return result;
}

} // namespace ds
