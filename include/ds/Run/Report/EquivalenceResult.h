//===- EquivalenceResult.h - The comparison of two programs -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_REPORT_EQUIVALENCERESULT_H
#define DS_RUN_REPORT_EQUIVALENCERESULT_H

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ds {

/// One run of both programs on elements modulo a prime, drawn by a seed.
struct FieldRun {
  int64_t prime;
  uint64_t seed;
};

struct Equivalence {
  enum class Verdict {
    equal,
    different,
    undecided ///< nothing differs, but a part was not compared: see `reason`
  };
  Verdict verdict = Verdict::equal;
  /// The first difference, as `'w' differs from one device after step 1 on rank 0 of 2, ..`, or the
  /// undecided part, with its place; empty if the verdict is equal.
  std::string reason;
  int64_t ranks = 1, steps = 0;
  int64_t elements = 0; // compared in all runs
  std::vector<FieldRun> runs;
  std::set<std::string> opaque; // operations read as arbitrary functions
  /// The degree of the difference of an element after the first step, as a polynomial in inputs and
  /// in results of these functions; infinite if unbounded.
  double degree = 0;
  /// Returns the share of all draws that do not show an existing difference, if no comparison
  /// decides an element.
  double probability() const;
};

} // namespace ds

#endif // DS_RUN_REPORT_EQUIVALENCERESULT_H
