//===- LinalgLoops.cpp - Loops and bodies of linalg operations ------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops are found through indexing maps. A captured tensor divides a loop only if it is read at
// exactly that loop's index on its sharded dimension.
//
//===----------------------------------------------------------------------===//
#include "LinalgLoops.h"

using namespace mlir;
using linalg::LinalgOp;

namespace ds {

LoopUse findLoop(AffineMap map, unsigned loop) {
  LoopUse use = LoopUse::Absent;
  for (AffineExpr expr : map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      if (dim.getPosition() == loop)
        use = use == LoopUse::Absent ? LoopUse::Pure : LoopUse::Compound;
    } else if (expr.isFunctionOfDim(loop)) {
      return LoopUse::Compound;
    }
  }
  return use;
}

std::optional<int64_t> positionOf(AffineMap map, unsigned loop) {
  for (auto [i, expr] : llvm::enumerate(map.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && dim.getPosition() == loop)
      return i;
  return std::nullopt;
}

bool readsData(LinalgOp op, OpOperand &operand) {
  return operand.getOwner() != op.getOperation() || op.payloadUsesValueFromOperand(&operand);
}

/// What a captured tensor's sharded dimension is indexed by. A loop over only some of the samples
/// is not the samples' loop.
static std::optional<unsigned> loopOfCapture(LinalgOp op, OpOperand &operand, int64_t dim) {
  auto extract = dyn_cast<tensor::ExtractOp>(operand.getOwner());
  if (!extract || operand.getOperandNumber() != 0)
    return std::nullopt;
  auto loop = findExactIndex(op, extract.getIndices()[dim]);
  bool isWhole =
      loop && op.getStaticLoopRanges()[*loop] == extract.getTensor().getType().getDimSize(dim);
  return isWhole ? loop : std::nullopt;
}

bool isIgnoredInit(LinalgOp op, OpOperand &operand) {
  return operand.getOwner() == op.getOperation() && op.isDpsInit(&operand) &&
         !readsData(op, operand);
}

std::optional<unsigned> findLoopOf(LinalgOp op, OpOperand &operand, int64_t dim) {
  if (operand.getOwner() != op.getOperation())
    return loopOfCapture(op, operand, dim);
  auto expr = dyn_cast<AffineDimExpr>(op.getMatchingIndexingMap(&operand).getResult(dim));
  return expr ? std::optional<unsigned>(expr.getPosition()) : std::nullopt;
}

std::optional<ShardedLoop>
findLocalLoop(LinalgOp op, ArrayRef<OpOperand *> reads,
              llvm::function_ref<std::optional<Sharding>(OpOperand &)> shardingOf) {
  for (OpOperand *operand : reads)
    if (auto sharding = shardingOf(*operand); sharding && !isIgnoredInit(op, *operand))
      if (auto loop = findLoopOf(op, *operand, sharding->dim))
        return ShardedLoop{*loop, *sharding};
  return std::nullopt;
}

LoopOrReason findShardedLoop(LinalgOp op, ArrayRef<OpOperand *> reads,
                             llvm::function_ref<std::optional<Sharding>(OpOperand &)> shardingOf) {
  std::optional<ShardedLoop> found;
  for (OpOperand *operand : reads) {
    std::optional<Sharding> sharding = shardingOf(*operand);
    if (!sharding || isIgnoredInit(op, *operand))
      continue;
    auto loop = findLoopOf(op, *operand, sharding->dim);
    if (!loop)
      return std::string(operand->getOwner() == op.getOperation()
                             ? "the sharded dimension of an operand is indexed by an expression"
                             : "a captured value is not read at the position of its own sample");
    if (found && found->loop != *loop)
      return std::string("two loops run over the batch");
    if (found && found->factors.on(0) != sharding->on(0))
      return std::string("operands hold different rows of the batch");
    found = ShardedLoop{*loop, *sharding};
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

LinalgBodyKinds::LinalgBodyKinds(LinalgOp op, ArrayRef<OpOperand *> reads,
                                 llvm::function_ref<Linearity(OpOperand &)> operandKind)
    : block(op.getBlock()), walk([this](Value value) {
        auto it = kinds.find(value);
        return it == kinds.end() ? Linearity::Replicated : it->second;
      }) {
  for (OpOperand *operand : reads) {
    bool own = operand->getOwner() == op.getOperation();
    Value key = own ? Value(op.getMatchingBlockArgument(operand)) : operand->get();
    kinds[key] = operandKind(*operand);
  }
  bool reduces = op.getNumReductionLoops() > 0;
  for (int64_t i = 0; i < op.getNumDpsInits(); ++i) {
    BlockArgument out = op.getMatchingBlockArgument(op.getDpsInitOperand(i));
    auto combiner = reduces ? findCombiner(*op.getBlock(), out, i) : std::nullopt;
    initKinds.push_back(kinds[out]);
    accumulates.push_back(combiner == ReductionKind::Sum);
    opaque.push_back(reduces && combiner != ReductionKind::Sum);
    if (accumulates.back())
      kinds[out] = Linearity::Zero;
  }
  walk.walk(*op.getBlock());
}

Linearity LinalgBodyKinds::addedKind(unsigned index) const {
  return walk.of(block->getTerminator()->getOperand(index));
}

SmallVector<Linearity> LinalgBodyKinds::results() const {
  SmallVector<Linearity> results;
  for (unsigned i = 0; i < accumulates.size(); ++i) {
    Linearity kind = addedKind(i);
    if (accumulates[i])
      kind = addLinearity(kind, initKinds[i]);
    if (opaque[i] && kind == Linearity::Linear)
      kind = Linearity::NonLinear;
    if (opaque[i] && initKinds[i] == Linearity::Linear)
      kind = Linearity::NonLinear;
    results.push_back(kind);
  }
  return results;
}

} // namespace ds
