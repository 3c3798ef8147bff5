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
#ifndef DS_RUN_EXACTCHECK_H
#define DS_RUN_EXACTCHECK_H

#include "ds/Exact/PrimeField.h"
#include "ds/ExecutionEngine/CompiledStep.h"

#include <map>

namespace ds {

struct ExactOptions {
  int64_t prime = PrimeField::firstPrime;
  int64_t replicas = 1; // that share a batch; a mean over them is exact
  uint64_t seed = 0;    // draws elements and functions
  int64_t numSteps = 2; // each starts where the one before ended
  int64_t timeoutMs = 300000;
};

/// A step over a field, and what its arguments and results were before.
struct FieldStep {
  std::unique_ptr<CompiledStep> compiled;
  std::map<std::string, ElementType> floats; // by name, those that were floats
};

/// Reads `module`, a step behind `ds-data-parallel`, over the field and compiles it. The module is
/// consumed. Fails with one located sentence where something has no reading.
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

class Program;
class Report;
class World;
struct RunOptions;
/// How many elements `ranks`, compiled for so many ranks, and `oneDevice` agree in, modulo two
/// primes, each with functions and elements of its own; an error that names what differs.
llvm::Expected<int64_t> compareExactly(Program &ranks, Program &oneDevice, int64_t numRanks,
                                       const RunOptions &options);

/// What `--check=exact` asks for, if it is given: `program` on ranks against itself on one device,
/// on threads of the first process. A line of the report; collective over processes.
llvm::Error checkExactly(Program &program, World &world, int64_t numRanks,
                         const RunOptions &options, Report &report);

} // namespace ds

#endif // DS_RUN_EXACTCHECK_H
