//===- UpdateModes.h - Rewrites of a step by its update mode ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_UPDATE_UPDATEMODES_H
#define DS_TRANSFORMS_UPDATE_UPDATEMODES_H

#include "ds/Dialect/IR/Config.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ds {

/// update = average_parameters. Emits an error and fails where the step does not allow it.
mlir::LogicalResult averageParameters(mlir::func::FuncOp step, const Config &config);

/// gradient_compression, of a step with marks, but for what the type on the wire does alone.
mlir::LogicalResult compressGradients(mlir::func::FuncOp step, const Config &config);

/// What ranks have of a gradient of f32 then, and what of it this one has sent.
struct SentGradient {
  mlir::Value received, sent;
};

/// Of each rank the `count` elements of the largest magnitude, of equal ones the first. `received`
/// is the mean.
SentGradient sendLargest(mlir::OpBuilder &b, mlir::Location loc, mlir::Value gradient,
                         int64_t count, int64_t numRanks);

/// update = delayed, of a step with marks.
mlir::LogicalResult delayGradients(mlir::func::FuncOp step, const UpdateMode &mode);

} // namespace ds

#endif // DS_TRANSFORMS_UPDATE_UPDATEMODES_H
