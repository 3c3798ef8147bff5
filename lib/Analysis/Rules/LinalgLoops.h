//===- LinalgLoops.h - Loops and bodies of linalg operations ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the linalg model asks of an operation: which loop a sharded operand divides, what kind its
// body has, and how the body is rewritten to count addends once and to know its place in the whole
// batch.
//
//===----------------------------------------------------------------------===//
#ifndef DS_LIB_ANALYSIS_RULES_LINALGLOOPS_H
#define DS_LIB_ANALYSIS_RULES_LINALGLOOPS_H

#include "ds/Analysis/BodyLinearity.h"
#include "ds/Analysis/Placement.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <variant>

namespace ds {

struct ShardedLoop {
  unsigned loop = 0;
  Sharding factors; // `dim` has no meaning here
};

/// How a map uses a loop: not, alone as one of its results, or inside of an expression.
enum class LoopUse { Absent, Pure, Compound };
LoopUse findLoop(mlir::AffineMap map, unsigned loop);
/// The result of the map that is the loop alone.
std::optional<int64_t> positionOf(mlir::AffineMap map, unsigned loop);

/// False for an init that the body ignores and for operands that only give a window's shape.
bool readsData(mlir::linalg::LinalgOp op, mlir::OpOperand &operand);

/// An init whose values are ignored takes any shape; an input that is ignored keeps its own.
bool isIgnoredInit(mlir::linalg::LinalgOp op, mlir::OpOperand &operand);

/// The loop that runs over dimension `dim`, the samples, of an operand; none if its position there
/// is not the index of one loop over all of them.
std::optional<unsigned> findLoopOf(mlir::linalg::LinalgOp op, mlir::OpOperand &operand,
                                   int64_t dim);

/// The one loop that all sharded operands divide; none if no operand is sharded; a reason if they
/// disagree. `reads` is what `getReadOperands` says of `op`.
using LoopOrReason = std::variant<std::optional<ShardedLoop>, std::string>;
LoopOrReason
findShardedLoop(mlir::linalg::LinalgOp op, llvm::ArrayRef<mlir::OpOperand *> reads,
                llvm::function_ref<std::optional<Sharding>(mlir::OpOperand &)> shardingOf);

/// That loop of an operation that was divided and is about to be rewritten: any operand tells. A
/// position that was followed through other operations is not found again in those of one rank.
std::optional<ShardedLoop>
findLocalLoop(mlir::linalg::LinalgOp op, llvm::ArrayRef<mlir::OpOperand *> reads,
              llvm::function_ref<std::optional<Sharding>(mlir::OpOperand &)> shardingOf);

/// The loop of `op` whose index the value, an integer of its body, is in every round.
std::optional<unsigned> findExactIndex(mlir::linalg::LinalgOp op, mlir::Value value);

/// Kinds of a body, given those of the operands (own and captured).
class LinalgBodyKinds {
public:
  LinalgBodyKinds(mlir::linalg::LinalgOp op, llvm::ArrayRef<mlir::OpOperand *> reads,
                  llvm::function_ref<Linearity(mlir::OpOperand &)> operandKind);
  llvm::SmallVector<Linearity> results() const;
  const BodyLinearity &body() const { return walk; }
  /// Whether result `index` adds its init: a reduction by sum.
  bool addsInit(unsigned index) const { return accumulates[index]; }
  Linearity initKind(unsigned index) const { return initKinds[index]; }
  /// What the reduction adds to the init.
  Linearity addedKind(unsigned index) const;

private:
  mlir::Block *block;
  llvm::SmallDenseMap<mlir::Value, Linearity, 8> kinds;
  llvm::SmallVector<bool> accumulates;
  llvm::SmallVector<bool> opaque; // reduces by something other than a sum
  llvm::SmallVector<Linearity> initKinds;
  BodyLinearity walk;
};

void countLinalgAddendsOnce(mlir::linalg::LinalgOp op, PlacementRule::View placementOf,
                            PlacementRule::Combined combinedBy);
void localizeLinalg(mlir::linalg::LinalgOp op, Localizer &localizer);

} // namespace ds

#endif // DS_LIB_ANALYSIS_RULES_LINALGLOOPS_H
