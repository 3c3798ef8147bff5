//===- Groups.h - Facts about groups of ranks -------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_UTILS_GROUPS_H
#define DS_CONVERSION_UTILS_GROUPS_H

#include "ds/Dialect/IR/Ds.h"

namespace ds {

/// Returns the number of blocks into which a collective splits a value or from which it joins one,
/// by shapes or by the group; 1 for others. Emits an error and fails if that number is unknown or
/// does not divide a size.
llvm::FailureOr<int64_t> countBlocks(CollectiveOpInterface op);

/// Rewrites `ds.rank` and `ds.num_ranks` along axes of the mesh as arithmetic on the global
/// `ds.rank`. Emits an error and fails for axes that the mesh does not have.
llvm::LogicalResult expandRanksAlongAxes(mlir::Operation *root);

/// Returns what a form of another compiler replaces within `root`, in its order: collectives,
/// `ds.rank` and `ds.num_ranks`.
llvm::SmallVector<mlir::Operation *> findRankOps(mlir::Operation *root);

/// Emits an error and fails if an operand is a buffer.
llvm::LogicalResult requireTensors(mlir::Operation *op);

} // namespace ds

#endif // DS_CONVERSION_UTILS_GROUPS_H
