//===- Equivalence.h - Whether n ranks equal one device ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both programs run over finite fields, on random elements, modulo two primes. What is compared
// must agree bit for bit; there is no tolerance. For compilers that change a step between or behind
// the passes of ds, and for what `--check=exact` asks.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_EQUIVALENCE_H
#define DS_RUN_EQUIVALENCE_H

#include "ds/Target/TargetCpu.h"

#include "llvm/Support/Error.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace mlir {
class ModuleOp;
class OpPassManager;
} // namespace mlir

namespace ds {

/// One run of both programs: of elements modulo a prime, drawn by a seed.
struct FieldRun {
  int64_t prime;
  uint64_t seed;
};

struct EquivalenceOptions {
  std::string entry; // empty: the only public function
  std::string targetCpu = kNativeCpu;
  uint64_t seed = 0;
  std::vector<FieldRun> runs; // empty: one modulo each of two primes, drawn by `seed`
  double seconds = 600;       // that it may take; more is an error that says how long
  int64_t timeoutMs = 300000; // of a collective
  /// The passes that lower operations of other dialects in the step on one device, if it has any
  /// (see Embedding.h).
  std::function<void(mlir::OpPassManager &)> buildLowering;
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

/// Whether `distributed`, a step of one rank behind `ds-data-parallel` and any other passes, on
/// tensors, computes on all of its ranks what `step` does on one device, a step as it goes into
/// `ds-data-parallel`. The configuration, the number of ranks among it, is that of `distributed`.
/// In `local` semantics one device runs the step cut at its gradients, as the configuration says.
/// Neither module is changed. An error is one sentence: a step that has no such reading, or too
/// little time.
llvm::Expected<Equivalence> verifyEquivalence(mlir::ModuleOp step, mlir::ModuleOp distributed,
                                              const EquivalenceOptions &options = {});

/// The same of two steps that are both distributed, the second one for one device.
llvm::Expected<Equivalence> compareDistributed(mlir::ModuleOp ofRanks, mlir::ModuleOp oneDevice,
                                               const EquivalenceOptions &options);

} // namespace ds

#endif // DS_RUN_EQUIVALENCE_H
