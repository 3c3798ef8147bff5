//===- SharedValues.h - What ranks of one process hold once -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CONVERSION_DRIVER_SHAREDVALUES_H
#define DS_LIB_CONVERSION_DRIVER_SHAREDVALUES_H

#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace ds {

/// A step on buffers whose ranks share their memory. Buffers are named by their roots.
struct SharedValues {
  llvm::SetVector<mlir::BlockArgument> arguments; // held once
  llvm::SetVector<mlir::Operation *> kernels;     // that each rank runs on its share of elements
  llvm::SetVector<mlir::Value> temporaries;       // of which each rank makes and reads its share
  llvm::MapVector<mlir::Value, AllReduceOp> gradients; // whole, of which kernels add those of all

  bool isSharded(mlir::Value root) const {
    auto argument = mlir::dyn_cast<mlir::BlockArgument>(root);
    return argument ? arguments.contains(argument) : temporaries.contains(root);
  }
  /// Whether the kernel uses the elements of its share of a sharded buffer alone.
  bool isShareOf(mlir::linalg::GenericOp kernel, mlir::OpOperand &operand) const;
};

/// `keepsStates`: states are those of each rank.
SharedValues findSharedValues(mlir::func::FuncOp step, int64_t numRanks, bool keepsStates);

} // namespace ds

#endif // DS_LIB_CONVERSION_DRIVER_SHAREDVALUES_H
