//===- InFlight.h - Nobody touches memory in flight -------------*- C++ -*-===//
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
  int64_t first, last; // up to, and without it
};

/// Checks every collective that is started, on tensors, on buffers, or as calls of a driver: its
/// handle is waited for exactly once, on every path, and until then nothing reads or writes its
/// memory, nor starts another exchange of it. `isStart` says which calls start one and return a
/// handle, their other operands being what is in flight. Nothing uses shared bytes either. Emits
/// errors that name both places.
mlir::LogicalResult verifyInFlight(
    mlir::FunctionOpInterface function,
    llvm::function_ref<bool(mlir::Operation *)> isStart = [](mlir::Operation *) { return false; },
    llvm::ArrayRef<SharedBytes> shared = {});

} // namespace ds

#endif // DS_ANALYSIS_INFLIGHT_H
