//===- Contraction.cpp - Recognise contractions on generic form -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Conversion/Utils/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

/// Returns the value before a widening, or the value itself.
static Value widenedFrom(Value value) {
  auto widened = value.getDefiningOp<arith::ExtFOp>();
  return widened ? widened.getIn() : value;
}

/// True if the body is out + lhs * rhs of two operands, over at least one reduction loop.
static bool sumsProducts(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
    return false;
  Block &body = *op.getBody();
  auto isWidening = [](Operation &op) { return isa<arith::ExtFOp>(op); };
  if (body.getOperations().size() - llvm::count_if(body.getOperations(), isWidening) != 3)
    return false;
  auto yield = cast<linalg::YieldOp>(body.getTerminator());
  auto add = yield.getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add)
    return false;
  Value out = body.getArgument(2);
  Value other = add.getLhs() == out ? add.getRhs() : add.getLhs();
  if (add.getLhs() != out && add.getRhs() != out)
    return false;
  auto mul = other.getDefiningOp<arith::MulFOp>();
  if (!mul)
    return false;
  Value a = body.getArgument(0), b = body.getArgument(1);
  Value lhs = widenedFrom(mul.getLhs()), rhs = widenedFrom(mul.getRhs());
  return (lhs == a && rhs == b) || (lhs == b && rhs == a);
}

/// True if both operands have a loop that only they share with the output. Without one it is no
/// matrix product but a dot product per element, which reads memory once and is faster as a kernel
/// that is fused with its neighbours.
static bool hasRowsAndColumns(linalg::GenericOp op) {
  auto moves = [&](unsigned operand, unsigned loop) {
    return llvm::any_of(op.getIndexingMapsArray()[operand].getResults(),
                        [&](AffineExpr expr) { return expr.isFunctionOfDim(loop); });
  };
  bool rows = false, columns = false;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    rows |= moves(0, loop) && moves(2, loop) && !moves(1, loop);
    columns |= moves(1, loop) && moves(2, loop) && !moves(0, loop);
  }
  return rows && columns;
}

/// True if two loops index one dimension of an operand.
static bool hasWindow(linalg::GenericOp op) {
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    return llvm::any_of(op.getMatchingIndexingMap(operand).getResults(), [&](AffineExpr expr) {
      unsigned loops = 0;
      for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
        loops += expr.isFunctionOfDim(loop);
      return loops > 1;
    });
  });
}

bool ds::isMatrixProduct(linalg::GenericOp op) { return sumsProducts(op) && hasRowsAndColumns(op); }

bool ds::isContraction(linalg::GenericOp op) {
  return sumsProducts(op) && (hasRowsAndColumns(op) || hasWindow(op));
}

bool ds::isNarrowContraction(linalg::GenericOp op) {
  if (!isContraction(op))
    return false;
  Type type = getElementTypeOrSelf(op->getOperandTypes().front());
  return (type.isBF16() || type.isF16()) && llvm::all_of(op->getOperandTypes(), [&](Type each) {
           return getElementTypeOrSelf(each) == type;
         });
}

bool ds::yieldsItsInput(linalg::GenericOp op) {
  return op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 && op.isAllParallelLoops() &&
         llvm::hasSingleElement(*op.getBody()) &&
         op.getBody()->getTerminator()->getOperand(0) == op.getBody()->getArgument(0);
}

bool ds::isPermutedCopy(linalg::GenericOp op) {
  return yieldsItsInput(op) &&
         llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isPermutation(); });
}

Value ds::valueOfFill(Operation *op) {
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return fill.getInputs()[0];
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || generic.getNumDpsInits() != 1 || !llvm::hasSingleElement(*generic.getBody()) ||
      !generic.isAllParallelLoops())
    return {};
  Value value = generic.getBody()->getTerminator()->getOperand(0);
  if (auto arg = dyn_cast<BlockArgument>(value); arg && arg.getOwner() == generic.getBody())
    value = generic->getOperand(arg.getArgNumber());
  return value;
}

bool ds::isZeroFill(Operation *op) {
  Value value = valueOfFill(op);
  return value && (matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero()));
}

std::pair<Value, Value> ds::operandsOfMaximum(linalg::GenericOp op) {
  Value result = op.getBody()->getTerminator()->getOperand(0);
  if (auto max = result.getDefiningOp<arith::MaximumFOp>())
    return {max.getLhs(), max.getRhs()};
  auto select = result.getDefiningOp<arith::SelectOp>();
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpFOp>() : arith::CmpFOp();
  if (!compare || compare.getPredicate() != arith::CmpFPredicate::UGT ||
      compare.getLhs() != select.getTrueValue() || compare.getRhs() != select.getFalseValue())
    return {};
  return {select.getTrueValue(), select.getFalseValue()};
}
