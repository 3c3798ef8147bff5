//===- StepRoles.h - The step of a module, and its results -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_STEPROLES_H
#define DS_ANALYSIS_STEPROLES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace ds {

/// A result of the step and its attributes.
struct StepResult {
  mlir::OpOperand *operand; // of the return
  unsigned index;
  mlir::StringRef updates; // empty: none
  mlir::StringRef metric;  // empty: none
  bool perSample;
  mlir::BlockArgument parameter, state; // the argument that it updates; null: not one of these
};
llvm::SmallVector<StepResult> getStepResults(mlir::func::FuncOp step);

/// Returns the step of a module: the function called `entry`, or the only public one. Emits an
/// error and returns null otherwise.
mlir::func::FuncOp getStep(mlir::ModuleOp module, mlir::StringRef entry);

} // namespace ds

#endif // DS_ANALYSIS_STEPROLES_H
