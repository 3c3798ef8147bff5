//===- PermuteShards.h - Shards that move between ranks ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_SHARD_PERMUTESHARDS_H
#define DS_TRANSFORMS_SHARD_PERMUTESHARDS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ds {

/// A gather that was replaced: its location and its group.
struct ReplacedGather {
  mlir::Location loc;
  mlir::Attribute group;
};

/// Replaces gathers of which each rank keeps a single shard by one `ds.collective_permute` each.
llvm::SmallVector<ReplacedGather> permuteShards(mlir::func::FuncOp step);

} // namespace ds

#endif // DS_TRANSFORMS_SHARD_PERMUTESHARDS_H
