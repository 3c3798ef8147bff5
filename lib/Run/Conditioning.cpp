//===- Conditioning.cpp - How far rounding moves a value --------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements are judged one by one: in a fused projection the bias of the keys is rounding and that
// of the values beside it is not. What all of an array typically move is allowed to each, though:
// it is far below the digits of the values in that projection, and takes digits only where
// decisions by rounding (ReLU, maximum) reach the whole array. A parameter is moved by what an
// optimizer makes of its gradient, which for most elements is the same for all values of one sign:
// elements whose sign is open may be updated as differently as any of them.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Conditioning.h"

#include "ds/Data/Convert.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace ds {

/// The distance from 1 to the next number; 1 for what does not round.
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
  double squares = 0, largest = 0;
  for (size_t i = 0; i < low.size(); ++i) {
    widths[i] = width(i);
    squares += widths[i] * widths[i];
    largest = std::max(largest, widths[i]);
  }
  double typical =
      std::isfinite(squares) ? std::sqrt(squares / std::max<size_t>(low.size(), 1)) : 0;
  for (size_t i = 0; i < low.size(); ++i)
    widths[i] = std::max(widths[i], !open.empty() && open[i] ? largest : typical);
  return widths;
}

void Spread::leaveSignsOpen(const Array &gradient, const Spread &ofGradient) {
  std::vector<double> values = toDoubles(gradient), moves = ofGradient.moves();
  if (values.size() != low.size())
    return; // of several parameters, or reshaped before it is used
  open.resize(low.size());
  for (size_t i = 0; i < low.size(); ++i)
    open[i] = moves[i] > 0 && std::fabs(values[i]) <= rangesApart * moves[i];
}

/// Equal, both NaN, or the same infinity.
static bool agree(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

Explanation explain(const Array &got, const Array &expected, const Spread &spread,
                    const Tolerance &tolerance) {
  Explanation result;
  std::vector<double> a = toDoubles(got), b = toDoubles(expected), allMoves = spread.moves();
  bool rounds = isFloat(expected.type);
  double digits = rounds ? std::pow(epsilonOf(got.type), 2.0 / 3) : 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (agree(a[i], b[i]))
      continue;
    double difference = std::fabs(a[i] - b[i]), moves = allMoves[i];
    double allowed = rounds ? tolerance.atol + tolerance.rtol * std::fabs(b[i]) : 0;
    if (difference <= allowed)
      continue;
    ++result.beyond;
    bool illConditioned = moves > digits * std::fabs(b[i]);
    if (!illConditioned || !(difference <= allowed + rangesApart * moves)) {
      ++result.unexplained;
    } else if (difference > result.difference) {
      result.difference = difference;
      result.moves = moves;
    }
  }
  return result;
}

RoundingCheck checkRounding(const Array &got, const Array &expected, const Spread &spread,
                            double rtol) {
  RoundingCheck result;
  std::vector<double> a = toDoubles(got), b = toDoubles(expected), allMoves = spread.moves();
  // Steps flush what is smaller to zero, other frameworks need not.
  constexpr double smallest = std::numeric_limits<float>::min();
  double largest = 0;
  for (double value : b)
    largest = std::max(largest, std::isfinite(value) ? std::fabs(value) : 0);
  for (size_t i = 0; i < a.size(); ++i) {
    if (agree(a[i], b[i]))
      continue;
    double moves = allMoves[i];
    double allowed = rtol * std::fabs(b[i]) + rangesApart * moves + epsilonOf(got.type) * largest;
    double scaled = std::fabs(a[i] - b[i]) / std::max(allowed, smallest);
    if (!std::isfinite(scaled))
      scaled = std::numeric_limits<double>::infinity();
    if (scaled > result.scaled)
      result = {scaled, a[i], b[i], moves};
  }
  return result;
}

} // namespace ds
