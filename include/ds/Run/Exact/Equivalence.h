//===- Equivalence.h - Whether n ranks equal one device ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both programs run over finite fields, on random elements, modulo two primes. Their values must
// agree bit for bit; there is no tolerance. For compilers that change a step between or after the
// passes of ds, and for `--check=exact`.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_EXACT_EQUIVALENCE_H
#define DS_RUN_EXACT_EQUIVALENCE_H

#include "ds/Run/Report/EquivalenceResult.h"
#include "ds/Target/TargetCpu.h"

#include "llvm/Support/Error.h"

#include <functional>
#include <string>
#include <vector>

namespace mlir {
class ModuleOp;
class OpPassManager;
} // namespace mlir

namespace ds {

struct EquivalenceOptions {
  std::string entry; // empty: the only public function
  std::string targetCpu = kNativeCpu;
  uint64_t seed = 0;
  std::vector<FieldRun> runs; // empty: one modulo each of two primes, drawn by `seed`
  double seconds = 600;       // the time limit; a longer check is an error that states its time
  int64_t timeoutMs = 300000; // of a collective
  /// The passes that lower operations of other dialects in the step on one device, if it has any
  /// (see Embedding.h).
  std::function<void(mlir::OpPassManager &)> buildLowering;
};

/// Checks whether `distributed`, run on all of its ranks, computes what `step` computes on one
/// device. `distributed` is a step of one rank, on tensors, after `ds-data-parallel` and any other
/// passes; `step` is the input of `ds-data-parallel`. The configuration, including the number of
/// ranks, is that of `distributed`. In `local` semantics one device runs the step cut at its
/// gradients, as configured. Neither module is changed. An error is one sentence: the step has no
/// reading over a field, or takes too long.
llvm::Expected<Equivalence> verifyEquivalence(mlir::ModuleOp step, mlir::ModuleOp distributed,
                                              const EquivalenceOptions &options = {});

/// Compares two steps that are both distributed, the second one for one device.
llvm::Expected<Equivalence> compareDistributed(mlir::ModuleOp ofRanks, mlir::ModuleOp oneDevice,
                                               const EquivalenceOptions &options);

} // namespace ds

#endif // DS_RUN_EXACT_EQUIVALENCE_H
