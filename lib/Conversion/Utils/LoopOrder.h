//===- LoopOrder.h - Which loop of a kernel runs innermost ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_UTILS_LOOPORDER_H
#define DS_CONVERSION_UTILS_LOOPORDER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ds {

/// The attribute of a kernel's operation on windows with the number of innermost loops to unroll.
/// The loop around them runs over a row of windows.
inline constexpr llvm::StringLiteral windowLoopsAttr = "ds.window_loops";

struct LoopOrder {
  llvm::SmallVector<unsigned> permutation; // outermost first
  unsigned windowLoops;                    // number of innermost loops to unroll
  bool readsWindows;                       // an input is read at several places already
};

/// Returns the order of the loops of a kernel, on buffers or on tensors before bufferization, that
/// makes the innermost accesses unit-strided.
LoopOrder chooseLoopOrder(mlir::linalg::GenericOp op);

} // namespace ds

#endif // DS_CONVERSION_UTILS_LOOPORDER_H
