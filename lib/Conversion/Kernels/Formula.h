//===- Formula.h - Arithmetic on scalars, written as formulas ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `Scalar` is an SSA value under construction: `p = r + r * r * q` builds two products and a sum.
// Operations carry `contract` and nothing else: a product and a sum may become one instruction
// where the target has it, everything else is computed as written.
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_KERNELS_FORMULA_H
#define DS_CONVERSION_KERNELS_FORMULA_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ds {

struct Scalar {
  mlir::ImplicitLocOpBuilder *builder;
  mlir::Value value;

  /// A constant of this scalar's type.
  Scalar constant(double number) const {
    auto type = mlir::cast<mlir::FloatType>(value.getType());
    auto attr = builder->getFloatAttr(type, number);
    return {builder, mlir::arith::ConstantOp::create(*builder, attr)};
  }
  Scalar integer(int64_t number) const {
    auto attr = builder->getIntegerAttr(value.getType(), number);
    return {builder, mlir::arith::ConstantOp::create(*builder, attr)};
  }
  template <typename Op> Scalar floats(Scalar other) const {
    return {builder,
            Op::create(*builder, value, other.value, mlir::arith::FastMathFlags::contract)};
  }
  template <typename Op> Scalar integers(Scalar other) const {
    return {builder, Op::create(*builder, value, other.value)};
  }
  /// Applies Op, which yields a scalar of another type (i32, i64, f32, f64).
  template <typename Op> Scalar to(mlir::Type type) const {
    return {builder, Op::create(*builder, type, value)};
  }
  bool isFloat() const { return mlir::isa<mlir::FloatType>(value.getType()); }
};

inline Scalar operator+(Scalar a, Scalar b) {
  return a.isFloat() ? a.floats<mlir::arith::AddFOp>(b) : a.integers<mlir::arith::AddIOp>(b);
}
inline Scalar operator-(Scalar a, Scalar b) {
  return a.isFloat() ? a.floats<mlir::arith::SubFOp>(b) : a.integers<mlir::arith::SubIOp>(b);
}
inline Scalar operator*(Scalar a, Scalar b) {
  return a.isFloat() ? a.floats<mlir::arith::MulFOp>(b) : a.integers<mlir::arith::MulIOp>(b);
}
inline Scalar operator/(Scalar a, Scalar b) { return a.floats<mlir::arith::DivFOp>(b); }
inline Scalar operator+(Scalar a, double b) { return a + a.constant(b); }
inline Scalar operator-(Scalar a, double b) { return a - a.constant(b); }
inline Scalar operator*(Scalar a, double b) { return a * a.constant(b); }
inline Scalar operator+(Scalar a, int b) { return a + a.integer(b); }
inline Scalar operator-(Scalar a, int b) { return a - a.integer(b); }
inline Scalar operator&(Scalar a, int64_t b) {
  return a.integers<mlir::arith::AndIOp>(a.integer(b));
}
inline Scalar operator|(Scalar a, Scalar b) { return a.integers<mlir::arith::OrIOp>(b); }
inline Scalar operator^(Scalar a, Scalar b) { return a.integers<mlir::arith::XOrIOp>(b); }
inline Scalar operator<<(Scalar a, int b) { return a.integers<mlir::arith::ShLIOp>(a.integer(b)); }
/// The shift that fills with zeros; `arithmeticShift` fills with the sign.
inline Scalar operator>>(Scalar a, int b) { return a.integers<mlir::arith::ShRUIOp>(a.integer(b)); }
inline Scalar arithmeticShift(Scalar a, int b) {
  return a.integers<mlir::arith::ShRSIOp>(a.integer(b));
}

/// Comparisons of floats are false for NaN.
inline Scalar compare(mlir::arith::CmpFPredicate predicate, Scalar a, double b) {
  return {a.builder,
          mlir::arith::CmpFOp::create(*a.builder, predicate, a.value, a.constant(b).value)};
}
inline Scalar operator<(Scalar a, double b) {
  return compare(mlir::arith::CmpFPredicate::OLT, a, b);
}
inline Scalar operator>(Scalar a, double b) {
  return compare(mlir::arith::CmpFPredicate::OGT, a, b);
}
inline Scalar operator==(Scalar a, double b) {
  return compare(mlir::arith::CmpFPredicate::OEQ, a, b);
}
inline Scalar isEqual(Scalar a, int64_t b) {
  return {a.builder, mlir::arith::CmpIOp::create(*a.builder, mlir::arith::CmpIPredicate::eq,
                                                 a.value, a.integer(b).value)};
}
inline Scalar select(Scalar condition, Scalar yes, Scalar no) {
  return {no.builder,
          mlir::arith::SelectOp::create(*no.builder, condition.value, yes.value, no.value)};
}
inline Scalar select(Scalar condition, double yes, Scalar no) {
  return select(condition, no.constant(yes), no);
}

/// The bits of an f32 as i32, and back.
inline Scalar bitsOf(Scalar a) { return a.to<mlir::arith::BitcastOp>(a.builder->getI32Type()); }
inline Scalar floatOf(Scalar a) { return a.to<mlir::arith::BitcastOp>(a.builder->getF32Type()); }
inline Scalar absolute(Scalar a) {
  return {a.builder, mlir::math::AbsFOp::create(*a.builder, a.value)};
}
inline Scalar withSignOf(Scalar a, Scalar sign) {
  return {a.builder, mlir::math::CopySignOp::create(*a.builder, a.value, sign.value)};
}

/// c[0] + x * (c[1] + x * (c[2] + ...)).
inline Scalar polynomial(Scalar x, llvm::ArrayRef<double> coefficients) {
  Scalar sum = x.constant(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = sum * x + coefficient;
  return sum;
}

/// f32 functions of f32; Functions.cpp and Trigonometry.cpp state their errors.
Scalar buildExp(Scalar x);
Scalar buildExpM1(Scalar x);
Scalar buildLog(Scalar x);
Scalar buildLog1p(Scalar x);
Scalar buildTanh(Scalar x);
Scalar buildErf(Scalar x);
Scalar buildSin(Scalar x);
Scalar buildCos(Scalar x);

/// Gives an arith.fptosi or fptoui of scalars a value for each float (SaturateConversions.cpp).
void saturateConversion(mlir::Operation *op);

} // namespace ds

#endif // DS_CONVERSION_KERNELS_FORMULA_H
