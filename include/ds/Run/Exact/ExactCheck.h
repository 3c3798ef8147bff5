//===- ExactCheck.h - n ranks equal one device, without a tolerance -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two programs are read over a finite field (ds-to-field), compiled as ever, and run from the same
// random elements: parameters, states, samples and results must agree bit for bit.
//
//===----------------------------------------------------------------------===//
#ifndef DS_RUN_EXACT_EXACTCHECK_H
#define DS_RUN_EXACT_EXACTCHECK_H

#include "ds/Exact/FieldFacts.h"
#include "ds/Exact/PrimeField.h"
#include "ds/Target/Target.h"

#include <functional>
#include <map>

namespace ds {

struct ExactOptions {
  int64_t prime = PrimeField::firstPrime;
  int64_t replicas = 1; // that share a batch; a mean over them is exact
  uint64_t seed = 0;    // draws elements and functions
  int64_t numSteps = 2; // each starts where the one before ended
  int64_t timeoutMs = 300000;
  /// Told how many seconds each step on one device took; an error ends the comparison.
  std::function<llvm::Error(double)> onReferenceStep;
};

/// A step over a field, and what its arguments and results were before.
struct FieldStep {
  std::unique_ptr<CompiledStep> compiled;
  std::map<std::string, ElementType> floats; // by name, those that were floats
  FieldFacts facts;
};

/// Reads `module`, a step behind `ds-data-parallel`, over the field, in place. Fails with one
/// located sentence where something has no reading.
llvm::Error readOverField(mlir::ModuleOp module, const ExactOptions &exact, llvm::StringRef entry,
                          FieldStep &step);
/// Compiles what was read. The module is consumed.
llvm::Error compileField(mlir::ModuleOp module, const CompileOptions &options, FieldStep &step);
/// Both.
llvm::Expected<FieldStep> compileOverField(mlir::ModuleOp module, const ExactOptions &exact,
                                           const CompileOptions &options);

struct ExactResult {
  bool equal = false;
  /// What differs first, as 'w' in step 1 on rank 0; empty if nothing does.
  std::string difference;
  int64_t elements = 0; // that were compared
};

/// Runs `reference` on one device and `program` on `numRanks` threads. Arguments and results are
/// matched by name; states that a rank keeps for itself have no counterpart.
llvm::Expected<ExactResult> compareOverField(const FieldStep &program, int64_t numRanks,
                                             const FieldStep &reference, const ExactOptions &exact);

} // namespace ds

#endif // DS_RUN_EXACT_EXACTCHECK_H
