//===- Generator.h - A random training step from a seed ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_FUZZ_GENERATOR_H
#define DS_FUZZ_GENERATOR_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace ds::fuzz {

struct GeneratorOptions {
  bool loops = true;    // steps may contain scf operations
  int64_t numRanks = 0; // that the batch is for; 0 for what the seed says
};

/// A step as its author knows it: each gradient carries its `ds.gradient` mark.
struct Step {
  mlir::OwningOpRef<mlir::ModuleOp> marked;
  /// A pipeline of upstream passes that rewrites the step without its marks; may be empty.
  std::string variant;
  int64_t numRanks;
  std::string summary; // one line for people
};

/// The step of a seed; the same on every machine.
Step generateStep(mlir::MLIRContext &context, uint64_t seed, const GeneratorOptions &options);

} // namespace ds::fuzz

#endif // DS_FUZZ_GENERATOR_H
