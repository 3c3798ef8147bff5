//===- CompleteMarks.h - What an unmarked step means ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_FUZZ_COMPLETEMARKS_H
#define DS_FUZZ_COMPLETEMARKS_H

#include "mlir/IR/BuiltinOps.h"

namespace ds::fuzz {

/// Turns a `local` step whose author has marked gradients alone into one whose marks say all that
/// ds promises for the step without marks: ranks decide together, and what all of them add alike to
/// a sum counts once. Does nothing in `global`.
void completeMarks(mlir::ModuleOp marked);

} // namespace ds::fuzz

#endif // DS_FUZZ_COMPLETEMARKS_H
