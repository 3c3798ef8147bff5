//===- Functions.h - Functions of f64 as arithmetic -------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU has no library for the functions that a CPU takes from libm. Arguments and results are f64;
// the files describe how they are computed, docs/Numerics.md gives their errors. Denormals are not
// flushed.
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_GPU_FUNCTIONS_H
#define DS_CONVERSION_GPU_FUNCTIONS_H

#include "Kernels/Formula.h"

#include <limits>

namespace ds::gpu {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// An unrounded sum of two floats: `low` is below the last place of `high`.
struct Pair {
  Scalar high, low;
};

inline Scalar fma(Scalar a, Scalar b, Scalar c) {
  return {a.builder, mlir::math::FmaOp::create(*a.builder, a.value, b.value, c.value)};
}
inline Scalar operator-(Scalar a) {
  return {a.builder, mlir::arith::NegFOp::create(*a.builder, a.value)};
}
inline Scalar squareRoot(Scalar a) {
  return {a.builder, mlir::math::SqrtOp::create(*a.builder, a.value)};
}
inline Scalar integersOf(Scalar a) { return a.to<mlir::arith::BitcastOp>(a.builder->getI64Type()); }
inline Scalar doubleOf(Scalar a) { return a.to<mlir::arith::BitcastOp>(a.builder->getF64Type()); }
/// a b, exactly.
inline Pair product(Scalar a, Scalar b) {
  Scalar high = a * b;
  return {high, fma(a, b, -high)};
}
/// a + b, exactly, where |a| >= |b| or a is 0.
inline Pair sum(Scalar a, Scalar b) {
  Scalar high = a + b;
  return {high, (a - high) + b};
}

Scalar buildExp64(Scalar x);
Scalar buildExp264(Scalar x);
Scalar buildExpM164(Scalar x);
Scalar buildLog64(Scalar x);
Scalar buildLog264(Scalar x);
Scalar buildLog1064(Scalar x);
Scalar buildLog1p64(Scalar x);
Scalar buildSinh64(Scalar x);
Scalar buildCosh64(Scalar x);
Scalar buildTanh64(Scalar x);
Scalar buildAsinh64(Scalar x);
Scalar buildAcosh64(Scalar x);
Scalar buildAtanh64(Scalar x);
Scalar buildErf64(Scalar x);
Scalar buildErfc64(Scalar x);
Scalar buildCbrt64(Scalar x);
Scalar buildSin64(Scalar x);
Scalar buildCos64(Scalar x);
Scalar buildTan64(Scalar x);
Scalar buildAsin64(Scalar x);
Scalar buildAcos64(Scalar x);
Scalar buildAtan64(Scalar x);
Scalar buildAtan264(Scalar y, Scalar x);
/// Computes x to the power of y. With `forF32` only as exact as f32 needs it.
Scalar buildPower64(Scalar x, Scalar y, bool forF32);
/// Computes the exact remainder of x / y, with the quotient rounded towards zero. y is not
/// denormal.
Scalar buildRemainder64(Scalar x, Scalar y);

/// Computes e^(high + low) for any `high` and a `low` far below it.
Scalar buildExpOf64(Pair x);

} // namespace ds::gpu

#endif // DS_CONVERSION_GPU_FUNCTIONS_H
