//===- FieldFacts.h - What a reading over a field leaves out ----*- C++ -*-===//
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

/// Of a quotient of two polynomials.
struct Degree {
  double numerator = 0, denominator = 0;
};

struct FieldFacts {
  /// Operations that are read as arbitrary functions, by name.
  std::set<std::string> opaque;
  /// Where equal results prove nothing, each as one located phrase: a loop that floats end, an
  /// index that was a float.
  std::vector<std::string> undecided;
  /// The largest of any result of a step.
  Degree degree;
  /// Operations on scalars in a step.
  double work = 0;
};

/// The pass, which also tells what it finds.
std::unique_ptr<mlir::Pass> createToFieldPass(const ToFieldPassOptions &options, FieldFacts &facts);

} // namespace ds

#endif // DS_EXACT_FIELDFACTS_H
