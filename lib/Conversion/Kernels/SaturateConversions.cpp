//===- SaturateConversions.cpp - Saturate floats as integers ----*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In LLVM the conversion of a float that fits no integer of the type has any value, a different one
// in a vector than alone, and on another CPU. Here it is the nearest integer that fits, and 0 for
// NaN, as in XLA (and llvm.fptosi.sat). An operand that a select does not choose may have any
// value.
//
//===----------------------------------------------------------------------===//
#include "Formula.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace ds {

void saturateConversion(Operation *op) {
  bool isSigned = isa<arith::FPToSIOp>(op);
  Value x = op->getOperand(0), raw = op->getResult(0);
  auto from = dyn_cast<FloatType>(x.getType());
  auto to = dyn_cast<IntegerType>(raw.getType());
  if (!from || !to)
    return;
  unsigned width = to.getWidth();
  ImplicitLocOpBuilder b(op->getLoc(), op->getContext());
  b.setInsertionPointAfter(op);
  // The first integers beyond the range are powers of 2 (or 0), which are exact or infinite.
  auto bound = [&](int exponent, bool isNegative) -> Value {
    APFloat value = scalbn(APFloat::getOne(from.getFloatSemantics(), isNegative), exponent,
                           APFloat::rmNearestTiesToEven);
    return arith::ConstantOp::create(b, b.getFloatAttr(from, value));
  };
  auto integer = [&](APInt value) -> Value {
    return arith::ConstantOp::create(b, b.getIntegerAttr(to, value));
  };
  Value above = bound(int(width) - isSigned, /*isNegative=*/false);
  Value zero = arith::ConstantOp::create(b, b.getFloatAttr(from, 0.0));
  Value below = isSigned ? bound(int(width) - 1, /*isNegative=*/true) : zero;
  Value least = integer(isSigned ? APInt::getSignedMinValue(width) : APInt::getZero(width));
  Value greatest = integer(isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width));
  auto select = [&](arith::CmpFPredicate predicate, Value limit, Value yes, Value no) -> Value {
    return arith::SelectOp::create(b, arith::CmpFOp::create(b, predicate, x, limit), yes, no);
  };
  Value outside = select(arith::CmpFPredicate::UNO, zero, integer(APInt::getZero(width)), least);
  Value inner = select(arith::CmpFPredicate::OGT, below, raw, outside);
  Value result = select(arith::CmpFPredicate::OGE, above, greatest, inner);
  raw.replaceUsesWithIf(result,
                        [&](OpOperand &use) { return use.getOwner() != inner.getDefiningOp(); });
}

} // namespace ds
