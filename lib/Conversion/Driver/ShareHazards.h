//===- ShareHazards.h - Who waits for whom at shared memory -----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All ranks run the same operations. Between a rank that reads a shared value whole and one that
// writes its share of it the ranks must meet, whichever comes first. Before the step its caller may
// have read anything.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_CONVERSION_DRIVER_SHAREHAZARDS_H
#define DS_LIB_CONVERSION_DRIVER_SHAREHAZARDS_H

#include "ds/Dialect/IR/Ds.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

namespace ds {

/// Puts barriers where ranks would not meet in time; asked in the order of the step.
class ShareHazards {
public:
  /// All ranks are here.
  void meet() {
    read.clear();
    written.clear();
    isCallerAway = true;
    readsPeers = false;
  }
  /// What `op` reads whole, and what it writes its share of. It comes behind the barrier that it
  /// needs, with all that it reads.
  void use(mlir::ArrayRef<mlir::BlockArgument> reads, mlir::ArrayRef<mlir::BlockArgument> writes,
           mlir::Operation *op) {
    auto isWritten = [&](mlir::Value argument) { return written.contains(argument); };
    auto isRead = [&](mlir::Value argument) { return !isCallerAway || read.contains(argument); };
    if (llvm::any_of(reads, isWritten) || llvm::any_of(writes, isRead))
      meetBefore(op);
    read.insert_range(reads);
    written.insert_range(writes);
  }
  /// Memory of others, which they write again in the next step.
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

  llvm::SmallDenseSet<mlir::Value> read, written; // since the ranks met
  bool isCallerAway = false, readsPeers = false;
};

} // namespace ds

#endif // DS_LIB_CONVERSION_DRIVER_SHAREHAZARDS_H
