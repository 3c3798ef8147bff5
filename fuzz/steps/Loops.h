//===- Loops.h - Structured control flow in steps ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_FUZZ_LOOPS_H
#define DS_FUZZ_LOOPS_H

#include "Tape.h"

namespace ds::fuzz {

using Values = llvm::SmallVector<mlir::Value>;

/// scf.for over 0 .. count - 1; `body` emits one round and gives the carried values.
Values forLoop(Emitter &e, int64_t count, mlir::ValueRange carried,
               llvm::function_ref<Values(Emitter &, mlir::Value, mlir::ValueRange)> body);
/// The same as scf.while whose condition counts.
Values whileLoop(Emitter &e, int64_t count, mlir::ValueRange carried,
                 llvm::function_ref<Values(Emitter &, mlir::Value, mlir::ValueRange)> body);
/// scf.if, or scf.index_switch where the form says so.
Values branch(Emitter &e, mlir::Value condition, mlir::TypeRange types,
              llvm::function_ref<Values(Emitter &)> yes, llvm::function_ref<Values(Emitter &)> no);

using Cell = std::function<Var(Tape &, Var x, Var h, llvm::ArrayRef<Var> weights)>;
/// h after walking over dimension 1 of x[b,t,d], with its gradients as a second loop that computes
/// each round again from the h it started with.
Var scan(Tape &tape, Var x, Var first, llvm::ArrayRef<Var> weights, Cell cell);

} // namespace ds::fuzz

#endif // DS_FUZZ_LOOPS_H
