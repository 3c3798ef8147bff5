//===- InFlight.h - No access to memory in flight ---------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_ANALYSIS_INFLIGHT_H
#define DS_ANALYSIS_INFLIGHT_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace ds {

/// Bytes of a buffer that other ranks read between two operations of one block.
struct SharedBytes {
  mlir::Operation *begin, *end;
  mlir::Value buffer;
  int64_t first, last; // up to, not including
};

/// Checks every started collective, on tensors, on buffers, or as calls of a driver: its handle is
/// waited for exactly once on every path, and until then no operation reads or writes its memory,
/// nor starts another exchange of it. `isStart` is true for calls that start one and return a
/// handle; their other operands are in flight. Shared bytes are not used either. Emits errors that
/// name both places.
mlir::LogicalResult verifyInFlight(
    mlir::FunctionOpInterface function,
    llvm::function_ref<bool(mlir::Operation *)> isStart = [](mlir::Operation *) { return false; },
    llvm::ArrayRef<SharedBytes> shared = {});

} // namespace ds

#endif // DS_ANALYSIS_INFLIGHT_H
