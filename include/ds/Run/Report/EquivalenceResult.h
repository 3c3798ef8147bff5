//===- EquivalenceResult.h - What was found of two programs ----*- C++ -*-===//
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

/// One run of both programs: of elements modulo a prime, drawn by a seed.
struct FieldRun {
  int64_t prime;
  uint64_t seed;
};

struct Equivalence {
  enum class Verdict {
    equal,
    different,
    undecided ///< nothing differs, but something that could was kept from it: see `reason`
  };
  Verdict verdict = Verdict::equal;
  /// What differs first, as `'w' differs from one device after step 1 on rank 0 of 2, ..`, or what
  /// is undecided, with its place; empty if the verdict is equal.
  std::string reason;
  int64_t ranks = 1, steps = 0;
  int64_t elements = 0; // that were compared, in all runs
  std::vector<FieldRun> runs;
  std::set<std::string> opaque; // operations that were read as arbitrary functions
  /// Of the difference of an element after the first step, as a polynomial in inputs and in what
  /// these functions return; infinite where it has no bound.
  double degree = 0;
  /// Where no comparison decides an element, the share of all draws that do not show a difference.
  double probability() const;
};

} // namespace ds

#endif // DS_RUN_REPORT_EQUIVALENCERESULT_H
