//===- Detection.h - Marks for a step that has none -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_DETECTION_DETECTION_H
#define DS_DETECTION_DETECTION_H

#include "ds/Dialect/IR/Config.h"
#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ds {

/// Guesses where a `local` step without marks combines values over the ranks, and marks it there:
/// `ds.gradient` on gradients, `ds.combine` on what else updates need whole,
/// `ds.replicated_to_partial` on what all ranks would add alike to a sum. Bodies may be unfused and
/// values copied on the way. A step with any mark is left alone: marks are the whole truth. Emits a
/// located error and fails where ranks could not agree on a parameter.
mlir::LogicalResult markLocalStep(mlir::func::FuncOp step, const Config &config);

/// Marks `value` as the gradient of `parameter`, with a remark. Who sees the result is the
/// caller's.
GradientOp markGradient(mlir::OpBuilder &b, mlir::Value value, llvm::StringRef parameter);

} // namespace ds

#endif // DS_DETECTION_DETECTION_H
