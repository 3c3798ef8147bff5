//===- MaskAddends.cpp - Replicated addends of one body -------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks from the reduced value back through every operation that is linear in one operand: sums,
// products with a replicated value, choices that are equal on all ranks. A replicated value found
// there is an addend. The walk ends at products of two rank-local values: an addend inside a factor
// belongs to every rank's product. A value with other readers is recomputed, since it may be such a
// factor there. Cost: linear in the body if nothing is shared.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/BodyLinearity.h"
#include "ds/Analysis/Placement.h"
#include "ds/Analysis/ShardingRule.h"

using namespace mlir;

namespace ds {

/// Returns the operands that the result is a sum of, up to replicated factors, except for products
/// of rank-local values. A product of replicated values counts once if its first factor does.
static SmallVector<OpOperand *> findAddends(OpResult result, const BodyLinearity &kinds) {
  auto differs = [&](OpOperand *use) { return differsPerRank(kinds.of(use->get())); };
  auto isZero = [&](OpOperand *use) { return kinds.of(use->get()) == Linearity::Zero; };
  ScalarRule rule = getTerms(result);
  if (llvm::any_of(rule.coefficients, differs))
    return {};
  SmallVector<OpOperand *> addends;
  for (const ScalarTerm &term : rule.terms) {
    if (llvm::any_of(term.factors, isZero))
      continue;
    SmallVector<OpOperand *> own(llvm::make_filter_range(term.factors, differs));
    if (own.size() <= 1)
      addends.push_back(own.empty() ? term.factors.front() : own.front());
  }
  return addends;
}

void maskAddends(Operation *op, unsigned index, BodyLinearity &kinds) {
  for (OpOperand *addend : findAddends(op->getResult(index), kinds))
    maskAddends(*addend, kinds);
}

void maskAddends(OpOperand &use, BodyLinearity &kinds) {
  Value value = use.get();
  OpBuilder b(use.getOwner());
  if (kinds.of(value) == Linearity::Replicated)
    use.set(ReplicatedToPartialOp::create(b, use.getOwner()->getLoc(), value.getType(),
                                          ReductionKind::Sum, value));
  if (!differsPerRank(kinds.of(value)) || !kinds.hasWalked(value))
    return;
  auto result = cast<OpResult>(value);
  Operation *op = result.getOwner();
  if (findAddends(result, kinds).empty())
    return;
  if (!value.hasOneUse()) {
    b.setInsertionPoint(op);
    op = b.clone(*op);
    kinds.walk(op);
    use.set(op->getResult(result.getResultNumber()));
  }
  maskAddends(op, result.getResultNumber(), kinds);
}

void maskOperands(Operation *op, PlacementRule::View placementOf) {
  SmallVector<OpOperand *> reads = getReadOperands(op);
  BodyLinearity kinds([&](Value value) {
    auto *operand = llvm::find_if(reads, [&](OpOperand *read) { return read->get() == value; });
    Placement placement = operand != reads.end() ? placementOf(**operand) : Placement();
    return placement.isPartial()                   ? Linearity::Linear
           : placement.zero || placement.undefined ? Linearity::Zero
                                                   : Linearity::Replicated;
  });
  kinds.walk(op);
  for (Value result : op->getResults())
    if (differsPerRank(kinds.of(result)))
      maskAddends(op, cast<OpResult>(result).getResultNumber(), kinds);
}

} // namespace ds
