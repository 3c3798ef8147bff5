//===- Groups.h - Facts about the ranks that meet ---------------*- C++ -*-===//
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

/// How many blocks there are in a value that is split or put together, by shapes or by the group; 1
/// where none is. Fails, after an error, where nothing says it or a size is no multiple of it.
llvm::FailureOr<int64_t> countBlocks(CollectiveOpInterface op);

/// Makes `ds.rank` and `ds.num_ranks` along axes of the mesh arithmetic on `ds.rank` of the world.
/// Fails, after an error, for axes that the mesh does not have.
llvm::LogicalResult expandRanksAlongAxes(mlir::Operation *root);

} // namespace ds

#endif // DS_CONVERSION_UTILS_GROUPS_H
