//===- PermuteShards.h - Whole shards that change places --------*- C++ -*-===//
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

/// A gather that is gone: where it was and whose shards it gathered.
struct ReplacedGather {
  mlir::Location loc;
  mlir::Attribute group;
};

/// Moves by one `ds.collective_permute` what ranks gather to keep one shard of it alone.
llvm::SmallVector<ReplacedGather> permuteShards(mlir::func::FuncOp step);

} // namespace ds

#endif // DS_TRANSFORMS_SHARD_PERMUTESHARDS_H
