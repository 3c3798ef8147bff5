//===- Compile.h - Programs and references from modules ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_FUZZ_COMPILE_H
#define DS_LIB_FUZZ_COMPILE_H

#include "ds/Compiler/RunPasses.h"
#include "ds/Dialect/IR/Config.h"
#include "ds/Run/Exact/ExactCheck.h"
#include "ds/Target/Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace ds::fuzz {

/// A step behind `ds-data-parallel`, or why there is none.
struct Distributed {
  mlir::OwningOpRef<mlir::ModuleOp> module; // null if it failed
  bool refused = false;                     // by a pass that explains itself, else something broke
  std::string message;
};

/// Whether these words of the compiler ask for the annotations that a `local` step lacks.
bool asksForMarks(llvm::StringRef message);

/// The program of one of `numRanks` ranks, under `config`.
Distributed distribute(mlir::ModuleOp program, const Config &config, int64_t numRanks,
                       Verify verify);
/// One device: the step itself, or in `local` the step cut at its marks, for the rows of all ranks.
Distributed makeReference(mlir::ModuleOp marked, const Config &config, int64_t numRanks,
                          Verify verify);

/// The step over a finite field; without its code, `message` says why.
FieldStep compileOverField(Distributed &step, const ExactOptions &exact);
/// The step as it is; what a GPU has no code for is refused. `perturbed`: with a last argument that
/// draws its rounding errors (see PerturbRounding.h).
std::unique_ptr<CompiledStep> compileFloats(Distributed &step, Effort effort,
                                            bool perturbed = false,
                                            const std::string &target = kCpuTarget);

} // namespace ds::fuzz

#endif // DS_LIB_FUZZ_COMPILE_H
