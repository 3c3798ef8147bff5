//===- CountAddends.cpp - Replicated addends of one body ------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From what is combined over the ranks back through everything that is linear in one operand: sums,
// products with something replicated, choices that all ranks make alike. What is replicated there
// is an addend. The walk ends at products of two values of the rank's own: what is added inside of
// a factor belongs to every rank's product. A value that is read elsewhere as well is computed
// anew, since there it may be such a factor. Cost: linear in the body if nothing is shared.
//
//===----------------------------------------------------------------------===//
#include "ds/Analysis/BodyLinearity.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace ds {

/// The operands that result `index` is a sum of, up to factors that all ranks have. Empty if it is
/// no such sum.
static SmallVector<OpOperand *> findAddends(Operation *op, unsigned index,
                                            const BodyLinearity &kinds) {
  auto operand = [&](unsigned i) { return &op->getOpOperand(i); };
  auto differs = [&](unsigned i) { return differsPerRank(kinds.of(op->getOperand(i))); };
  SmallVector<OpOperand *> addends;
  auto addFactor = [&] {
    if (differs(0) != differs(1))
      addends.push_back(operand(differs(0) ? 0 : 1));
  };
  if (isa<arith::AddFOp, arith::AddIOp, arith::SubFOp, arith::SubIOp>(op)) {
    addends = {operand(0), operand(1)};
  } else if (isa<arith::MulFOp, arith::MulIOp>(op)) {
    addFactor();
  } else if (isa<math::FmaOp>(op)) {
    addFactor();
    addends.push_back(operand(2));
  } else if (isa<arith::DivFOp>(op)) {
    if (!differs(1))
      addends = {operand(0)};
  } else if (isa<arith::NegFOp, arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::ExtSIOp,
                 arith::TruncIOp, arith::IndexCastOp>(op)) {
    addends = {operand(0)};
  } else if (isa<arith::SelectOp>(op)) {
    if (!differs(0))
      addends = {operand(1), operand(2)};
  } else if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
    if (!differs(0))
      addends = {&ifOp.thenYield()->getOpOperand(index), &ifOp.elseYield()->getOpOperand(index)};
  }
  return addends;
}

void countAddendsOnce(Operation *op, unsigned index, BodyLinearity &kinds) {
  for (OpOperand *addend : findAddends(op, index, kinds))
    countAddendsOnce(*addend, kinds);
}

void countAddendsOnce(OpOperand &use, BodyLinearity &kinds) {
  Value value = use.get();
  OpBuilder b(use.getOwner());
  if (kinds.of(value) == Linearity::Replicated)
    use.set(
        OnceOp::create(b, use.getOwner()->getLoc(), value.getType(), ReductionKind::Sum, value));
  if (!differsPerRank(kinds.of(value)) || !kinds.hasWalked(value))
    return;
  auto result = cast<OpResult>(value);
  Operation *op = result.getOwner();
  if (findAddends(op, result.getResultNumber(), kinds).empty())
    return;
  if (!value.hasOneUse()) {
    b.setInsertionPoint(op);
    op = b.clone(*op);
    kinds.walk(op);
    use.set(op->getResult(result.getResultNumber()));
  }
  countAddendsOnce(op, result.getResultNumber(), kinds);
}

} // namespace ds
