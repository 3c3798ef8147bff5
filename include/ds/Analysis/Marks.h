//===- Marks.h - Where the ranks of a step meet -----------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_MARKS_H
#define DS_ANALYSIS_MARKS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ds {

/// `ds.gradient` or `ds.combine`: one operand, and one result that is the operand reduced.
bool isMark(mlir::Operation *op);

/// Whether a front end, a user or detection has said where a `local` step combines.
bool hasMarks(mlir::func::FuncOp step);

/// Whether the operation is `ds.replicated_to_partial` or holds one: then it computes something
/// else on each rank.
bool holdsOnce(mlir::Operation *op);

} // namespace ds

#endif // DS_ANALYSIS_MARKS_H
