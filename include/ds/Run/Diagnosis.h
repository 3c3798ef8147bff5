//===- Diagnosis.h - Whether a difference is rounding, and where it starts --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where results lie beyond the tolerance, the one-device step is run again, each time with other
// rounding errors, until these explain the results or enough was seen. Then the ranks repeat their
// steps and show their gradients, which are compared from equal inputs: what an optimizer makes of
// an error tells little, the gradient before it tells where the error starts.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_DIAGNOSIS_H
#define DS_RUN_DIAGNOSIS_H

#include "ds/Run/Compare.h"
#include "ds/Run/Conditioning.h"
#include "ds/Run/Rank.h"
#include "ds/Transforms/ReturnGradients.h"

#include "llvm/Support/JSON.h"

#include <functional>
#include <mutex>
#include <set>

namespace ds {

/// A result of a step that has differing results, as it is and as it should be.
struct Observation {
  int64_t step; // from 1
  unsigned slot;
  Array got, expected;
};

struct Verdict {
  bool equal = true;
  /// Results that rounding explains, by step and slot.
  std::map<std::pair<int64_t, unsigned>, Explanation> explained;
  /// How the line of the verdict ends, behind "equal" or "DIFFERENT"; may be empty.
  std::string reason;
  llvm::json::Object json;
};

/// A step that returns its gradients behind its results.
struct GradientStep {
  std::unique_ptr<CompiledStep> step;
  ReturnedGradients gradients;
};

class Diagnosis {
public:
  /// Compiles the step of one of the ranks, or the one-device step with its perturbation (see
  /// Program.h).
  using Compile = std::function<llvm::Expected<GradientStep>()>;
  /// Sets the inputs of step `number`, from 1: all arguments for the first one, samples and keys
  /// for the others. Argument slots are those of the step.
  using Feed = std::function<void(Rank &rank, int64_t number)>;
  /// Whether any rank says so. Collective.
  using Any = std::function<llvm::Expected<bool>(bool)>;

  Diagnosis(Compile ranks, Compile reference, int64_t numRanks, const Tolerance &tolerance)
      : compileRanks(std::move(ranks)), compileReference(std::move(reference)), numRanks(numRanks),
        tolerance(tolerance) {}

  /// Collective. Rank 0 gives what it saw in the steps with differing results, and gets the
  /// verdict; the others get one that says nothing.
  llvm::Expected<Verdict> run(int64_t rank, dsrt_context *context,
                              llvm::ArrayRef<Observation> observations, const Feed &feed,
                              const Any &any);

private:
  struct Samples;
  struct Walk;
  llvm::Expected<const GradientStep *> gradientStep();

  Compile compileRanks, compileReference;
  int64_t numRanks;
  Tolerance tolerance;
  std::mutex compiling; // ranks of one process share the program
  std::optional<GradientStep> ranksStep;
  std::string refused; // why there is none
};

} // namespace ds

#endif // DS_RUN_DIAGNOSIS_H
