//===- Compare.cpp - The figure that decides whether two results agree --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements are compared as doubles. Two NaNs agree, and so do two equal infinities; any other
// non-finite difference is infinite, so that a NaN can never pass.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Report/Compare.h"

#include "ds/Data/Convert.h"

#include <cassert>
#include <cmath>
#include <limits>

namespace ds {

void Difference::include(const Difference &other) {
  if (other.absolute > absolute)
    absolute = other.absolute;
  if (other.scaled > scaled || name.empty()) {
    scaled = other.scaled;
    name = other.name;
  }
}

Difference compareArrays(const std::string &name, const Array &got, const Array &reference,
                         const Tolerance &tolerance) {
  assert(got.elements() == reference.elements() && "arrays of different sizes");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  bool exact = !isFloat(reference.type);
  std::vector<double> a = toDoubles(got), b = toDoubles(reference);
  Difference result;
  result.name = name;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])))
      continue;
    double difference = std::fabs(a[i] - b[i]);
    double scaled =
        exact ? infinity : difference / (tolerance.atol + tolerance.rtol * std::fabs(b[i]));
    if (!std::isfinite(difference) || std::isnan(scaled))
      difference = scaled = infinity;
    result.absolute = std::max(result.absolute, difference);
    result.scaled = std::max(result.scaled, scaled);
  }
  return result;
}

} // namespace ds
