//===- LinalgLoops.cpp - Loops and bodies of linalg operations ------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A captured tensor shards a loop only if it is read at exactly that loop's index on its sharded
// dimension.
//
//===----------------------------------------------------------------------===//
#include "LinalgLoops.h"

using namespace mlir;
using linalg::LinalgOp;

namespace ds {

bool readsData(LinalgOp op, OpOperand &operand) {
  return operand.getOwner() != op.getOperation() || op.payloadUsesValueFromOperand(&operand);
}

ShardingRule getLinalgRule(LinalgOp op) {
  ShardingRule rule;
  llvm::append_range(rule.loops, op.getIteratorTypesArray());
  llvm::append_range(rule.operands, op.getIndexingMapsArray());
  // On tensors each result has an init, and inits come last.
  llvm::append_range(rule.results, ArrayRef(rule.operands).take_back(op->getNumResults()));
  return rule;
}

/// No position has digits, and only digits depend on the number of ranks.
LinalgLoops::LinalgLoops(LinalgOp op) : Loops(op, getLinalgRule(op), 1), linalgOp(op) {}

bool LinalgLoops::readsData(OpOperand &operand) const { return ds::readsData(linalgOp, operand); }

bool LinalgLoops::isIgnoredInit(OpOperand &operand) const {
  return isOwn(operand) && linalgOp.isDpsInit(&operand) && !readsData(operand);
}

/// Returns the loop that indexes the sharded dimension of a captured tensor. A loop over only some
/// of the samples is not the samples' loop.
std::optional<unsigned> LinalgLoops::findLoopOfCapture(OpOperand &operand, int64_t dim) const {
  auto extract = dyn_cast<tensor::ExtractOp>(operand.getOwner());
  if (!extract || operand.getOperandNumber() != 0)
    return std::nullopt;
  auto loop = findExactIndex(linalgOp, extract.getIndices()[dim]);
  bool isWhole = loop && linalgOp.getStaticLoopRanges()[*loop] ==
                             extract.getTensor().getType().getDimSize(dim);
  return isWhole ? loop : std::nullopt;
}

OpOperand *LinalgLoops::initOf(unsigned result) const { return linalgOp.getDpsInitOperand(result); }

Value LinalgLoops::elementOf(OpOperand &operand) const {
  return isOwn(operand) ? linalgOp.getMatchingBlockArgument(&operand) : operand.get();
}

Value LinalgLoops::computedOf(unsigned result) const {
  return linalgOp.getBlock()->getTerminator()->getOperand(result);
}

std::optional<ReductionKind> LinalgLoops::combinerOf(unsigned result) const {
  return findCombiner(*linalgOp.getBlock(), linalgOp.getMatchingBlockArgument(initOf(result)),
                      result);
}

SmallVector<Linearity>
LinalgLoops::kindsOf(Reads reads, llvm::function_ref<Linearity(OpOperand &)> operandKind) const {
  return LinalgBodyKinds(linalgOp, reads, operandKind).results();
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
  for (auto [i, out] : llvm::enumerate(op.getRegionOutputArgs())) {
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
