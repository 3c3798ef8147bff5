//===- Compare.h - The figure that decides whether two results agree --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The figure is max |a - b| / (atol + rtol * |b|), where b is the reference; above 1 results
// differ. Integers and booleans must be equal.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_REPORT_COMPARE_H
#define DS_RUN_REPORT_COMPARE_H

#include "ds/Data/Array.h"

#include <string>

namespace ds {

struct Tolerance {
  double rtol = 2e-4;
  double atol = 2e-5;
};

struct Difference {
  std::string name;    // the worst array so far
  double absolute = 0; // the largest |a - b|
  double scaled =
      0; // the largest |a - b| / (atol + rtol * |b|); infinite if only one of them is NaN

  /// Takes over figures of `other` that are worse; the name follows the scaled figure.
  void include(const Difference &other);
  bool acceptable() const { return scaled <= 1; }
};

/// Compares arrays of the same number of elements.
Difference compareArrays(const std::string &name, const Array &got, const Array &reference,
                         const Tolerance &tolerance);

} // namespace ds

#endif // DS_RUN_REPORT_COMPARE_H
