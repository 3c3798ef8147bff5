//===- ScatterForm.h - Reductions that an index selects ---------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CONVERSION_GPU_SCATTERFORM_H
#define DS_LIB_CONVERSION_GPU_SCATTERFORM_H

#include "KernelLoops.h"

namespace ds::gpu {

/// A body that yields op(accumulator, select(hit, update, other)), where combining `other` is
/// idempotent, or select(hit, update, accumulator). `hit` compares an index with a position and is
/// equal for every column.
struct ScatterForm {
  mlir::Value hit, update;
  mlir::Value other;                  // null if an update replaces the accumulator
  mlir::Operation *widened = nullptr; // widening of update and other before they are combined
  llvm::SmallVector<unsigned> rows, columns; // parallel loops that `hit` depends on, and the others
};

std::optional<ScatterForm> findScatter(const KernelLoops &loops);

} // namespace ds::gpu

#endif // DS_LIB_CONVERSION_GPU_SCATTERFORM_H
