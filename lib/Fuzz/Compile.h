//===- Compile.h - Programs and references from modules ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_FUZZ_COMPILE_H
#define DS_LIB_FUZZ_COMPILE_H

#include "ds/Dialect/IR/Config.h"
#include "ds/ExecutionEngine/CompiledStep.h"

#include "mlir/IR/BuiltinOps.h"

namespace ds::fuzz {

struct Compiled {
  std::unique_ptr<CompiledStep> step; // null if it failed
  bool refused = false;               // by a pass that explains itself, else something broke
  std::string message;
  bool bucketsActivations = false; // an all-reduce combines several in the middle of the step
};

/// The program of one of `numRanks` ranks, under `config`. Without `optimize`, LLVM leaves its
/// kernels as they are: most of a seed's time is theirs.
/// The program of n ranks, as users get it.
Compiled compileProgram(mlir::ModuleOp program, const Config &config, int64_t numRanks,
                        Effort effort = Effort::Full);
/// One device: the step itself, or in `local` the step cut at its marks, for the rows of all ranks.
/// The one-device step, which shares no planning, fusion or library calls with the program.
/// `perturbed`: with a last argument that draws its rounding errors (see PerturbRounding.h).
Compiled compileReference(mlir::ModuleOp marked, const Config &config, int64_t numRanks,
                          bool perturbed = false);

} // namespace ds::fuzz

#endif // DS_LIB_FUZZ_COMPILE_H
