//===- ShardAxes.h - Shard a step over the axes of the mesh -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_SEARCH_SHARDAXES_H
#define DS_TRANSFORMS_SEARCH_SHARDAXES_H

#include "AssignShardings.h"

namespace ds {

/// Shards a step over all axes of its mesh but the first, by its annotations and by the results of
/// `search`, unless that is null. Emits an error and fails if it cannot.
mlir::LogicalResult shardAxes(mlir::func::FuncOp step, llvm::ArrayRef<MeshAxis> mesh,
                              ShardingSearch *search);

/// The same with a search, whose result is recorded in `ds.plan` of the module. A step without a
/// configured mesh gets the best mesh for its ranks.
mlir::LogicalResult shardBySearch(mlir::ModuleOp module, llvm::StringRef entry,
                                  const Config &config);

} // namespace ds

#endif // DS_TRANSFORMS_SEARCH_SHARDAXES_H
