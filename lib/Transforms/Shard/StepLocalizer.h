//===- StepLocalizer.h - A placed step on the shapes of one rank -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_TRANSFORMS_SHARD_STEPLOCALIZER_H
#define DS_TRANSFORMS_SHARD_STEPLOCALIZER_H

#include "ds/Analysis/PlacementAnalysis.h"

namespace ds {

/// What a remark says where all ranks get the whole of what each has a shard of.
struct GatherRemark {
  const char *pass, *reason;
};

/// Shrinks, in place, every value that `placement` divides over its ranks, and makes slices
/// and collectives of the `ds.reshard` between placements and of all-reduces whose result is
/// sharded. The attributes of arguments and results stay as they are.
void localizeStep(const StepFlow &flow, StepPlacement &placement, const GatherRemark &remark);

/// How the rows of a rank lie in a sharded dimension, as `ds.layout` says it.
mlir::StringAttr getLayoutAttr(mlir::MLIRContext *ctx, const Sharding &rows);

} // namespace ds

#endif // DS_TRANSFORMS_SHARD_STEPLOCALIZER_H
