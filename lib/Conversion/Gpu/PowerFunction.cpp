//===- PowerFunction.cpp - x to the power of y in f32 -----------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 2^(y log2 |x|) in f64 and rounded once. The logarithm is the series of atanh, by odd powers of
// (m - 1) / (m + 1) for m in [sqrt 1/2, sqrt 2); the power is Taylor's. Both stop where the next
// term is below 2^-53. An exponent of 1000 is infinity or zero in f32, so that larger ones are cut.
//
//===----------------------------------------------------------------------===//
#include "PowerFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;

namespace {

/// Arithmetic on values of f64, f32 and i64.
struct Writer {
  ImplicitLocOpBuilder &b;

  Value real(Type type, double value) {
    return arith::ConstantOp::create(b, b.getFloatAttr(cast<FloatType>(type), value));
  }
  Value real(double value) { return real(b.getF64Type(), value); }
  Value integer(int64_t value) { return arith::ConstantOp::create(b, b.getI64IntegerAttr(value)); }
  Value add(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
  Value subtract(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value multiply(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value divide(Value x, Value y) { return arith::DivFOp::create(b, x, y); }
  Value compare(arith::CmpFPredicate predicate, Value x, Value y) {
    return arith::CmpFOp::create(b, predicate, x, y);
  }
  Value both(Value x, Value y) { return arith::AndIOp::create(b, x, y); }
  Value either(Value x, Value y) { return arith::OrIOp::create(b, x, y); }
  Value choose(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(b, condition, yes, no);
  }
  Value isNot(Value x) {
    return arith::XOrIOp::create(b, x, arith::ConstantOp::create(b, b.getBoolAttr(true)));
  }
  /// c[0] + x (c[1] + x (..)).
  Value polynomial(Value x, ArrayRef<double> coefficients) {
    Value sum = real(coefficients.back());
    for (double coefficient : llvm::reverse(coefficients.drop_back()))
      sum = math::FmaOp::create(b, sum, x, real(coefficient));
    return sum;
  }
  /// Of a positive number that has no smaller neighbours than f64's normal ones.
  Value log2(Value x);
  Value exp2(Value x);
};

} // namespace

static constexpr double infinity = std::numeric_limits<double>::infinity();

Value Writer::log2(Value x) {
  Type i64 = b.getI64Type(), f64 = b.getF64Type();
  Value bits = arith::BitcastOp::create(b, i64, x);
  Value one = integer(0x3ff0000000000000), fraction = integer(0x000fffffffffffff);
  Value exponent =
      arith::SubIOp::create(b, arith::ShRUIOp::create(b, bits, integer(52)), integer(1023));
  Value mantissa = arith::BitcastOp::create(
      b, f64, arith::OrIOp::create(b, arith::AndIOp::create(b, bits, fraction), one));
  Value isLarge = compare(arith::CmpFPredicate::OGT, mantissa, real(0x1.6a09e667f3bcdp+0));
  mantissa = choose(isLarge, multiply(mantissa, real(0.5)), mantissa);
  exponent = choose(isLarge, arith::AddIOp::create(b, exponent, integer(1)), exponent);
  Value s = divide(subtract(mantissa, real(1)), add(mantissa, real(1)));
  Value series = polynomial(multiply(s, s), {1., 1. / 3, 1. / 5, 1. / 7, 1. / 9, 1. / 11, 1. / 13,
                                             1. / 15, 1. / 17, 1. / 19, 1. / 21});
  Value whole = arith::SIToFPOp::create(b, f64, exponent);
  constexpr double twiceLog2E = 2 * 1.4426950408889634074;
  Value result = math::FmaOp::create(b, multiply(s, real(twiceLog2E)), series, whole);
  result = choose(compare(arith::CmpFPredicate::OEQ, x, real(infinity)), x, result);
  return choose(compare(arith::CmpFPredicate::OEQ, x, real(0)), real(-infinity), result);
}

Value Writer::exp2(Value x) {
  x = choose(compare(arith::CmpFPredicate::OGT, x, real(1000)), real(1000), x);
  x = choose(compare(arith::CmpFPredicate::OLT, x, real(-1000)), real(-1000), x);
  Value whole = math::RoundEvenOp::create(b, x);
  Value r = multiply(subtract(x, whole), real(0.6931471805599453094));
  SmallVector<double> taylor = {1.};
  for (int i = 1; i < 15; ++i)
    taylor.push_back(taylor.back() / i);
  Value exponent = arith::FPToSIOp::create(b, b.getI64Type(), whole);
  Value bits =
      arith::ShLIOp::create(b, arith::AddIOp::create(b, exponent, integer(1023)), integer(52));
  return multiply(polynomial(r, taylor), arith::BitcastOp::create(b, b.getF64Type(), bits));
}

Value ds::gpu::buildPower(ImplicitLocOpBuilder &builder, Value x32, Value y32) {
  using Predicate = arith::CmpFPredicate;
  Writer w{builder};
  Type f64 = builder.getF64Type(), f32 = builder.getF32Type();
  Value x = arith::ExtFOp::create(builder, f64, x32), y = arith::ExtFOp::create(builder, f64, y32);
  Value size = math::AbsFOp::create(builder, x);
  Value result = w.exp2(w.multiply(y, w.log2(size)));
  Value isOne =
      w.either(w.compare(Predicate::OEQ, size, w.real(1)), w.compare(Predicate::OEQ, y, w.real(0)));
  result = w.choose(isOne, w.real(1), result);
  // Odd powers of negative numbers are negative; powers that are not integers have no value.
  Value half = w.multiply(y, w.real(0.5));
  Value isWhole = w.compare(Predicate::OEQ, math::FloorOp::create(builder, y), y);
  Value isEven = w.compare(Predicate::OEQ, math::FloorOp::create(builder, half), half);
  Value isOdd = w.both(isWhole, w.isNot(isEven));
  result = w.choose(isOdd, math::CopySignOp::create(builder, result, x), result);
  Value isNegative = w.both(w.compare(Predicate::OLT, x, w.real(0)),
                            w.compare(Predicate::OGT, x, w.real(-infinity)));
  Value hasNone = w.both(isNegative, w.isNot(isWhole));
  Value isAlwaysOne =
      w.either(w.compare(Predicate::OEQ, x, w.real(1)), w.compare(Predicate::OEQ, y, w.real(0)));
  Value isUnknown = w.both(w.compare(Predicate::UNO, x, y), w.isNot(isAlwaysOne));
  result = w.choose(w.either(hasNone, isUnknown), w.real(std::numeric_limits<double>::quiet_NaN()),
                    result);
  return arith::TruncFOp::create(builder, f32, result);
}
