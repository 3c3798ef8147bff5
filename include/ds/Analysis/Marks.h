//===- Marks.h - Annotations where ranks reduce -----------------*- C++ -*-===//
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

/// True for `ds.gradient` and `ds.combine`: one operand, and one result that is the operand
/// reduced.
bool isMark(mlir::Operation *op);

/// True if a front end, a user or detection has annotated where a `local` step reduces.
bool hasMarks(mlir::func::FuncOp step);

/// True if the operation is `ds.replicated_to_partial` or contains one: then it computes a
/// different value on each rank.
bool holdsOnce(mlir::Operation *op);

} // namespace ds

#endif // DS_ANALYSIS_MARKS_H
