//===- ExactCheck.h - n ranks equal one device, without a tolerance -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two programs are read over a finite field (ds-to-field), compiled like any step, and run from the
// same random elements: parameters, states, samples and results must agree bit for bit.
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
  int64_t replicas = 1; // of the batch; a mean over them is exact
  uint64_t seed = 0;    // draws elements and functions
  int64_t numSteps = 2; // each continues from the step before
  int64_t timeoutMs = 300000;
  /// Called with the seconds of each step on one device; an error ends the comparison.
  std::function<llvm::Error(double)> onReferenceStep;
};

/// A step over a field, and the original types of its arguments and results.
struct FieldStep {
  std::unique_ptr<CompiledStep> compiled;
  std::map<std::string, ElementType> floats; // arguments and results that were floats, by name
  FieldFacts facts;
};

/// Reads `module`, a step after `ds-data-parallel`, over the field, in place. Fails with one
/// located sentence if an operation has no reading.
llvm::Error readOverField(mlir::ModuleOp module, const ExactOptions &exact, llvm::StringRef entry,
                          FieldStep &step);
/// Compiles the step that was read. The module is consumed.
llvm::Error compileField(mlir::ModuleOp module, const CompileOptions &options, FieldStep &step);
/// Reads and compiles.
llvm::Expected<FieldStep> compileOverField(mlir::ModuleOp module, const ExactOptions &exact,
                                           const CompileOptions &options);

struct ExactResult {
  bool equal = false;
  /// The first difference, as 'w' in step 1 on rank 0; empty if there is none.
  std::string difference;
  int64_t elements = 0; // elements compared
};

/// Runs `reference` on one device and `program` on `numRanks` threads. Arguments and results are
/// matched by name; rank-local states have no counterpart.
llvm::Expected<ExactResult> compareOverField(const FieldStep &program, int64_t numRanks,
                                             const FieldStep &reference, const ExactOptions &exact);

} // namespace ds

#endif // DS_RUN_EXACT_EXACTCHECK_H
