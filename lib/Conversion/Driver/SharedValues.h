//===- SharedValues.h - Values that ranks of a process share ----*- C++ -*-===//
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

/// A step on buffers whose ranks share their memory. Buffers are identified by their roots.
struct SharedValues {
  llvm::SetVector<mlir::BlockArgument> arguments; // held once per process
  llvm::SetVector<mlir::Operation *> kernels;     // of which each rank runs its share
  llvm::SetVector<mlir::Value> temporaries;       // of which each rank writes and reads its share
  llvm::MapVector<mlir::Value, AllReduceOp>
      gradients; // kept per rank; kernels add those of all ranks

  bool isSharded(mlir::Value root) const {
    auto argument = mlir::dyn_cast<mlir::BlockArgument>(root);
    return argument ? arguments.contains(argument) : temporaries.contains(root);
  }
  /// True if the kernel uses only its share of the elements of a sharded buffer.
  bool isShareOf(mlir::linalg::GenericOp kernel, mlir::OpOperand &operand) const;
};

/// Finds the shared values. With `keepsStates` each rank keeps its own states.
SharedValues findSharedValues(mlir::func::FuncOp step, int64_t numRanks, bool keepsStates);

} // namespace ds

#endif // DS_LIB_CONVERSION_DRIVER_SHAREDVALUES_H
