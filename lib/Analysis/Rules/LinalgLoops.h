//===- LinalgLoops.h - Loops and bodies of linalg operations ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts that the linalg model needs of an operation: the loop that a sharded operand shards, the
// kind of its body, and how the body is rewritten to count addends once and to know its place in
// the global batch.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_ANALYSIS_RULES_LINALGLOOPS_H
#define DS_LIB_ANALYSIS_RULES_LINALGLOOPS_H

#include "Loops.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace ds {

/// False for an init that the body ignores and for operands that only give a window's shape.
bool readsData(mlir::linalg::LinalgOp op, mlir::OpOperand &operand);

/// The operation's maps; the terms are in the body.
ShardingRule getLinalgRule(mlir::linalg::LinalgOp op);

/// The loops of a linalg operation, whose body may capture values.
class LinalgLoops final : public Loops {
public:
  explicit LinalgLoops(mlir::linalg::LinalgOp op);

  std::optional<unsigned> findLoopOfCapture(mlir::OpOperand &operand, int64_t dim) const override;

private:
  bool readsData(mlir::OpOperand &operand) const override;
  bool isIgnoredInit(mlir::OpOperand &operand) const override;
  bool placeByOwner(PlacementRule &placement) const override;
  std::optional<ReductionKind> combinerOf(unsigned result) const override;
  mlir::OpOperand *initOf(unsigned result) const override;
  mlir::Value elementOf(mlir::OpOperand &operand) const override;
  mlir::Value computedOf(unsigned result) const override;
  llvm::SmallVector<Linearity>
  kindsOf(Reads reads, llvm::function_ref<Linearity(mlir::OpOperand &)> operandKind) const override;

  mutable mlir::linalg::LinalgOp linalgOp; // its methods are not const
};

/// Returns the loop of `op` whose index equals the value, an integer of its body, in every
/// iteration.
std::optional<unsigned> findExactIndex(mlir::linalg::LinalgOp op, mlir::Value value);

/// Kinds of a body, given those of the operands (own and captured).
class LinalgBodyKinds {
public:
  LinalgBodyKinds(mlir::linalg::LinalgOp op, llvm::ArrayRef<mlir::OpOperand *> reads,
                  llvm::function_ref<Linearity(mlir::OpOperand &)> operandKind);
  llvm::SmallVector<Linearity> results() const;
  const BodyLinearity &body() const { return walk; }
  /// True if result `index` adds its init: a reduction by sum.
  bool addsInit(unsigned index) const { return accumulates[index]; }
  Linearity initKind(unsigned index) const { return initKinds[index]; }
  /// The kind of the value that the reduction adds to the init.
  Linearity addedKind(unsigned index) const;

private:
  mlir::Block *block;
  llvm::SmallDenseMap<mlir::Value, Linearity, 8> kinds;
  llvm::SmallVector<bool> accumulates;
  llvm::SmallVector<bool> opaque; // reduced by another operation than a sum
  llvm::SmallVector<Linearity> initKinds;
  BodyLinearity walk;
};

void maskLinalgAddends(mlir::linalg::LinalgOp op, PlacementRule::View placementOf,
                       PlacementRule::Combined combinedBy);
void localizeLinalg(mlir::linalg::LinalgOp op, Localizer &localizer);
/// The read of a sharded table in `placeByOwner` becomes a read of the rank's rows, with zero for
/// the others.
void readOwnRows(mlir::tensor::ExtractOp extract, const Sharding &sharding,
                 const Localizer &localizer);

} // namespace ds

#endif // DS_LIB_ANALYSIS_RULES_LINALGLOOPS_H
