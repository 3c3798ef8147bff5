//===- ReplicatedPart.h - What every rank adds alike ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where gradients are summed, what all ranks add alike counts once. The compiler finds such addends
// backwards from what is combined and masks them; the reference finds them forwards and takes n - 1
// of n away. Both must agree, so they share no code and no table.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_FUZZ_REPLICATEDPART_H
#define DS_LIB_FUZZ_REPLICATEDPART_H

#include "ds/Analysis/PlacementAnalysis.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"

namespace ds::fuzz {

/// For a value v that differs from rank to rank, the c of v = a + c that a rank without any samples
/// would compute: c is the same on every rank, and products of two values that differ have none.
class ReplicatedPart {
public:
  /// `perRank` are the values that differ, `samples` says which of these hold samples.
  ReplicatedPart(const StepFlow &flow, const llvm::DenseSet<mlir::Value> &perRank,
                 const StepPlacement &samples)
      : flow(flow), perRank(perRank), samples(samples) {}

  /// Computes the parts of what `op`, an operation of the step, makes.
  void emit(mlir::OpBuilder &b, mlir::Operation &op);
  /// The part of a value that differs; null: zero. A value that does not differ is its own part.
  mlir::Value find(mlir::Value value) const;
  /// The same, with a zero in place of null.
  mlir::Value get(mlir::OpBuilder &b, mlir::Value value) const;

private:
  bool differs(mlir::Value value) const { return perRank.contains(value); }
  bool holdsSamples(mlir::Value value) const { return samples.of(value).isSharded(); }
  /// A copy of `op` that reads parts; `operands` gets what it reads for each value from outside.
  mlir::Operation *cloneWithParts(mlir::OpBuilder &b, mlir::Operation &op,
                                  mlir::IRMapping &operands) const;
  void emitCopy(mlir::OpBuilder &b, mlir::Operation &op);
  void emitControl(mlir::OpBuilder &b, mlir::Operation &op);
  void emitSum(mlir::linalg::LinalgOp op);
  void emitLinalg(mlir::OpBuilder &b, mlir::linalg::LinalgOp op);
  void emitLinear(mlir::OpBuilder &b, mlir::Operation &op);

  const StepFlow &flow;
  const llvm::DenseSet<mlir::Value> &perRank;
  const StepPlacement &samples;
  mlir::IRMapping parts;
  bool copying = false; // inside of a copy of control flow, which holds what is common as well
};

} // namespace ds::fuzz

#endif // DS_LIB_FUZZ_REPLICATEDPART_H
