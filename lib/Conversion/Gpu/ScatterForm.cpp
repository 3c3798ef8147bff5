//===- ScatterForm.cpp - Reductions that an index selects -------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ScatterForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace ds::gpu;

static bool isIn(linalg::GenericOp op, Value value) {
  return value.getParentBlock() == op.getBody();
}

/// True if combining `other` is idempotent and order-independent.
static bool changesOnce(linalg::GenericOp op, Operation *combiner, Value other) {
  if (isa<arith::AddFOp>(combiner))
    return matchPattern(other, m_AnyZeroFloat());
  if (isa<arith::MulFOp>(combiner))
    return matchPattern(other, m_OneFloat());
  if (isa<arith::AddIOp, arith::XOrIOp>(combiner))
    return matchPattern(other, m_Zero());
  if (isa<arith::MulIOp>(combiner))
    return matchPattern(other, m_One());
  return matchPattern(other, m_Constant()) || !isIn(op, other);
}

/// Adds the loops that a value of the body depends on. False if it depends on more than operands
/// and indices.
static bool addLoops(linalg::GenericOp op, Value value, llvm::SmallBitVector &loops) {
  if (!isIn(op, value))
    return true;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    OpOperand &operand = op->getOpOperand(argument.getArgNumber());
    if (op.isDpsInit(&operand))
      return false;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (unsigned loop = 0; loop < loops.size(); ++loop)
      if (map.isFunctionOfDim(loop))
        loops.set(loop);
    return true;
  }
  Operation *made = value.getDefiningOp();
  if (auto position = dyn_cast<linalg::IndexOp>(made)) {
    loops.set(position.getDim());
    return true;
  }
  return made->getNumRegions() == 0 && isPure(made) &&
         llvm::all_of(made->getOperands(),
                      [&](Value operand) { return addLoops(op, operand, loops); });
}

/// True if `hit` has an equality between a parallel and a reduction loop, so that few iterations
/// hit.
static bool comparesIndex(const KernelLoops &loops, Value hit) {
  if (auto both = hit.getDefiningOp<arith::AndIOp>())
    return comparesIndex(loops, both.getLhs()) || comparesIndex(loops, both.getRhs());
  auto compare = hit.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq)
    return false;
  llvm::SmallBitVector used(loops.sizes.size());
  if (!addLoops(loops.op, hit, used))
    return false;
  auto follows = [&](unsigned loop) { return used[loop]; };
  return llvm::any_of(loops.parallel, follows) && llvm::any_of(loops.reduction, follows);
}

std::optional<ScatterForm> ds::gpu::findScatter(const KernelLoops &loops) {
  linalg::GenericOp op = loops.op;
  if (loops.accumulated.size() != 1 || !loops.pointwise.empty() ||
      !op.getBody()->getOps<cf::AssertOp>().empty())
    return std::nullopt;
  Value accumulator = op.getRegionOutputArgs()[0];
  Value yielded = op.getBody()->getTerminator()->getOperand(0);
  ScatterForm form;
  auto select = yielded.getDefiningOp<arith::SelectOp>();
  if (select && select.getFalseValue() == accumulator && accumulator.hasOneUse()) {
    form.hit = select.getCondition();
    form.update = select.getTrueValue();
  } else {
    Operation *combiner = loops.combiners[0];
    if (!combiner || combiner != yielded.getDefiningOp())
      return std::nullopt;
    Value added = combiner->getOperand(combiner->getOperand(0) == accumulator);
    if (auto wide = added.getDefiningOp<arith::ExtFOp>()) {
      form.widened = wide;
      added = wide.getIn();
    }
    select = added.getDefiningOp<arith::SelectOp>();
    if (!select || !changesOnce(op, combiner, select.getFalseValue()))
      return std::nullopt;
    form.hit = select.getCondition();
    form.update = select.getTrueValue();
    form.other = select.getFalseValue();
  }
  llvm::SmallBitVector used(loops.sizes.size()), any(used);
  if (!form.hit.getType().isInteger(1) || !addLoops(op, form.hit, used) ||
      !addLoops(op, form.update, any) || !comparesIndex(loops, form.hit))
    return std::nullopt;
  for (unsigned loop : loops.parallel)
    (used[loop] ? form.rows : form.columns).push_back(loop);
  return form;
}
