//===- Detection.h - Annotates a step that has no annotations ---*- C++ -*-===//
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

/// Infers where a `local` step without annotations reduces values over the ranks, and annotates it
/// there: `ds.gradient` on gradients, `ds.combine` on other values that updates need reduced,
/// `ds.replicated_to_partial` on replicated addends of a sum. Bodies may be unfused and values
/// copied on the way. A step with any annotation stays unchanged: annotations are taken as
/// complete. Emits a located error and fails if ranks could not agree on a parameter.
mlir::LogicalResult markLocalStep(mlir::func::FuncOp step, const Config &config);

/// Annotates `value` as the gradient of `parameter`, with a remark. The caller decides which uses
/// read the result.
GradientOp markGradient(mlir::OpBuilder &b, mlir::Value value, llvm::StringRef parameter);

} // namespace ds

#endif // DS_DETECTION_DETECTION_H
