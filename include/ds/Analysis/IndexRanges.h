//===- IndexRanges.h - Which values of the data a step can index with ------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A label beyond the last class has no one-hot, and a token beyond the last row has no embedding:
// JAX drops or clamps such an index and trains on. The step itself gives the range: integers of the
// batch are compared with positions, or read a tensor at an element.
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_INDEXRANGES_H
#define DS_ANALYSIS_INDEXRANGES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace ds {

/// The integers that an argument may hold: from `low` to below `high`, and the `others`, which the
/// step compares with (an ignored label).
struct IndexRange {
  int64_t low = 0, high = 0;
  llvm::SmallVector<int64_t, 2> others;
};

/// Returns the ranges of the integer batch arguments of a step that are used as an index without
/// change: through copies, broadcasts, casts, counting from the end (`x < 0 ? x + n : x`) and
/// clamps of type index, which lowered gathers contain. An index that the step makes safe itself is
/// not included.
llvm::MapVector<mlir::BlockArgument, IndexRange> findIndexRanges(mlir::func::FuncOp step);

} // namespace ds

#endif // DS_ANALYSIS_INDEXRANGES_H
