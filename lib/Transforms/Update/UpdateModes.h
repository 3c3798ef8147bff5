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

/// Rewrites a step for update = average_parameters. Emits an error and fails where the step does
/// not allow it.
mlir::LogicalResult averageParameters(mlir::func::FuncOp step, const Config &config);

/// Rewrites an annotated step for gradient_compression, except for modes that only change the wire
/// type.
mlir::LogicalResult compressGradients(mlir::func::FuncOp step, const Config &config);

/// The gradient of f32 that all ranks receive, and the part of its own that this rank has sent.
struct SentGradient {
  mlir::Value received, sent;
};

/// Sends the `count` elements of the largest magnitude from each rank, of equal ones the first.
/// `received` is the mean.
SentGradient sendLargest(mlir::OpBuilder &b, mlir::Location loc, mlir::Value gradient,
                         int64_t count, int64_t numRanks);

/// Rewrites an annotated step for update = delayed.
mlir::LogicalResult delayGradients(mlir::func::FuncOp step, const UpdateMode &mode);

} // namespace ds

#endif // DS_TRANSFORMS_UPDATE_UPDATEMODES_H
