//===- CheckShardings.h - Check the axes that shardings name ----*- C++ -*-===//
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

/// Checks that every axis in the sharding of an argument is one of the mesh. Emits an error
/// otherwise.
mlir::LogicalResult checkAxes(mlir::func::FuncOp step, unsigned argument);

/// Moves the sharding of a result to the argument that it updates: a stored value is sharded alike
/// before and after the step.
mlir::LogicalResult takeMarksOfResults(mlir::func::FuncOp step);

/// Checks, before sharding, that the shardings of arguments and values name axes of the mesh, that
/// the sizes of these divide the dimensions, and that the first axis shards samples. Emits an error
/// otherwise.
mlir::LogicalResult checkShardings(mlir::func::FuncOp step);

} // namespace ds

#endif // DS_TRANSFORMS_PREPARE_CHECKSHARDINGS_H
