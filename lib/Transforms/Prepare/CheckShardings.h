//===- CheckShardings.h - Whether marks name axes that divide ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_PREPARE_CHECKSHARDINGS_H
#define DS_TRANSFORMS_PREPARE_CHECKSHARDINGS_H

#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ds {

/// Every axis that the marks of an argument name is one of the mesh. Emits an error otherwise.
mlir::LogicalResult checkAxes(mlir::func::FuncOp step, unsigned argument);

/// What a step hands on is sharded as it was taken: a mark of a result becomes that of the argument
/// that it updates.
mlir::LogicalResult takeMarksOfResults(mlir::func::FuncOp step);

/// Before anything is sharded: the marks of arguments and values name axes of the mesh,
/// whose ranks divide the dimensions, and samples lie where the first axis is named. Emits an error
/// otherwise.
mlir::LogicalResult checkShardings(mlir::func::FuncOp step);

} // namespace ds

#endif // DS_TRANSFORMS_PREPARE_CHECKSHARDINGS_H
