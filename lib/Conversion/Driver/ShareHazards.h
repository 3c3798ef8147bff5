//===- ShareHazards.h - Barriers around shared memory -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All ranks run the same operations. Between a read of a whole shared value and a write of a share
// of it, in either order, all ranks must synchronise. Before the step its caller may have read any
// value.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CONVERSION_DRIVER_SHAREHAZARDS_H
#define DS_LIB_CONVERSION_DRIVER_SHAREHAZARDS_H

#include "ds/Dialect/IR/Ds.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

namespace ds {

/// Inserts barriers where ranks would not synchronise in time; called in the order of the step.
class ShareHazards {
public:
  /// Records that all ranks have synchronised.
  void meet() {
    read.clear();
    written.clear();
    isCallerAway = true;
    readsPeers = false;
  }
  /// Records the values that `op` reads as a whole, and those of which it writes its share. Inserts
  /// a barrier before `op` if it needs one.
  void use(mlir::ArrayRef<mlir::BlockArgument> reads, mlir::ArrayRef<mlir::BlockArgument> writes,
           mlir::Operation *op) {
    auto isWritten = [&](mlir::Value argument) { return written.contains(argument); };
    auto isRead = [&](mlir::Value argument) { return !isCallerAway || read.contains(argument); };
    if (llvm::any_of(reads, isWritten) || llvm::any_of(writes, isRead))
      meetBefore(op);
    read.insert_range(reads);
    written.insert_range(writes);
  }
  /// Records a read of memory of other ranks, which they write again in the next step.
  void readPeers() { readsPeers = true; }
  void finish(mlir::Operation *end) {
    if (!written.empty() || readsPeers)
      meetBefore(end);
  }

private:
  void meetBefore(mlir::Operation *op) {
    mlir::OpBuilder builder(op);
    BarrierOp::create(builder, op->getLoc(), mlir::Attribute());
    meet();
  }

  llvm::SmallDenseSet<mlir::Value> read, written; // since the last barrier
  bool isCallerAway = false, readsPeers = false;
};

} // namespace ds

#endif // DS_LIB_CONVERSION_DRIVER_SHAREHAZARDS_H
