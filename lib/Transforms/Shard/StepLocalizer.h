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

/// The pass and the reason that a remark gives where ranks gather a whole value from its shards.
struct GatherRemark {
  const char *pass, *reason;
};

/// Shrinks, in place, every value that `placement` shards, and lowers each `ds.reshard`, and each
/// all-reduce whose result is sharded, to slices and collectives. The attributes of arguments and
/// results stay as they are.
void localizeStep(const StepFlow &flow, StepPlacement &placement, const GatherRemark &remark);

/// Returns the layout of a rank's rows in a sharded dimension, as the value of `ds.layout`.
mlir::StringAttr getLayoutAttr(mlir::MLIRContext *ctx, const Sharding &rows);

} // namespace ds

#endif // DS_TRANSFORMS_SHARD_STEPLOCALIZER_H
