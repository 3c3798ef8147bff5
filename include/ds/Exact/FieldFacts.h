//===- FieldFacts.h - Limits of a reading over a field ----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_EXACT_FIELDFACTS_H
#define DS_EXACT_FIELDFACTS_H

#include "ds/Exact/Passes.h"

#include <set>
#include <string>
#include <vector>

namespace ds {

/// The degree of a quotient of two polynomials.
struct Degree {
  double numerator = 0, denominator = 0;
};

struct FieldFacts {
  /// Names of operations that are read as arbitrary functions.
  std::set<std::string> opaque;
  /// Places where equal results prove nothing, each as one located phrase: a loop that floats end,
  /// an index computed from a float.
  std::vector<std::string> undecided;
  /// The largest degree of any result of a step.
  Degree degree;
  /// Scalar operations in a step.
  double work = 0;
};

/// Creates the pass, which also fills `facts`.
std::unique_ptr<mlir::Pass> createToFieldPass(const ToFieldPassOptions &options, FieldFacts &facts);

} // namespace ds

#endif // DS_EXACT_FIELDFACTS_H
