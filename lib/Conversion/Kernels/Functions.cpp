//===- Functions.cpp - exp, log, tanh, erf of f32 as arithmetic -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Straight arithmetic without branches or tables, so that a loop vectorises and an element gets the
// same bits in a vector as alone. The methods are the textbook's (reduction by ln 2, a polynomial,
// scaling by the bits of the exponent); the polynomials are minimax fits by Sollya's fpminimax,
// with f32 coefficients and for relative error. docs/Numerics.md has the errors. Special values
// need no branches: comparisons are false for NaN, so clamping keeps it.
//
//===----------------------------------------------------------------------===//
#include "Formula.h"

#include <limits>

using namespace ds;

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr double smallestNormal = 0x1p-126;
/// ln 2 in two parts: the product of the first one and any exponent is exact.
static constexpr double ln2High = 0x1.62e4p-1, ln2Low = 0x1.7f7d1cp-20;

namespace {
/// x = n ln 2 + r with |r| <= ln 2 / 2.
struct ReducedByLn2 {
  Scalar n, r;
};
} // namespace

static ReducedByLn2 reduceByLn2(Scalar x) {
  // Added to 1.5 * 2^23, a float is rounded to an integer, which its low bits hold.
  constexpr double shift = 0x1.8p23;
  Scalar shifted = x * 0x1.715476p0 + shift;
  Scalar n = shifted - shift;
  Scalar r = x - n * ln2High - n * ln2Low;
  return {bitsOf(shifted) - bitsOf(shifted.constant(shift)), r};
}

/// 2^n for -127 < n < 128.
static Scalar powerOfTwo(Scalar n) { return floatOf((n + 127) << 23); }

/// e^r - 1 - r for |r| <= ln 2 / 2, of relative error 2^-26 to e^r.
static Scalar expTail(Scalar r) {
  return r * r *
         polynomial(r, {0x1.fffffep-2, 0x1.5554bp-3, 0x1.555716p-5, 0x1.1227a4p-7, 0x1.6b738ap-10});
}

/// e^r - 1 for |r| <= ln 2 / 2, of relative error 2^-31.
static Scalar expM1Near0(Scalar r) {
  return r + r * r *
                 polynomial(r, {0x1p-1, 0x1.555554p-3, 0x1.5554fp-5, 0x1.111306p-7, 0x1.6d4376p-10,
                                0x1.9e0c3cp-13});
}

Scalar ds::buildExp(Scalar x) {
  x = select(x > 89.0, 89.0, x);
  x = select(x < -105.0, -105.0, x);
  auto [n, r] = reduceByLn2(x);
  Scalar mantissa = (r + expTail(r)) + 1.0;
  // Two factors: 2^n overflows before the result does, and is denormal where the result is.
  Scalar half = arithmeticShift(n, 1);
  return mantissa * powerOfTwo(half) * powerOfTwo(n - half);
}

/// (e^x - 1) / 2 for -25 <= x <= 89; the half because 2^128 overflows.
static Scalar halfExpM1(Scalar x) {
  auto [n, r] = reduceByLn2(x);
  Scalar power = powerOfTwo(n - 1);
  return power * expM1Near0(r) + (power - 0.5);
}

Scalar ds::buildExpM1(Scalar x) {
  Scalar clamped = select(x > 89.0, 89.0, x);
  Scalar result = halfExpM1(select(clamped < -25.0, -25.0, clamped)) * 2.0;
  // Halves of denormals are not exact, and -0 must stay -0.
  return select(absolute(x) < 0x1p-40, x, result);
}

namespace {
/// x = 2^n (1 + f) with 1 + f in [2/3, 4/3).
struct Mantissa {
  Scalar n, f;
};
} // namespace

static Mantissa splitExponent(Scalar x) {
  constexpr int twoThirds = 0x3f2aaaab;
  Scalar bits = bitsOf(x) - twoThirds;
  Scalar f = floatOf((bits & 0x7fffff) + twoThirds) - 1.0;
  return {arithmeticShift(bits, 23).to<mlir::arith::SIToFPOp>(x.value.getType()), f};
}

/// ln(2^n (1 + f)) + correction, where the correction is below the last place of 1 + f.
static Scalar logOfParts(Scalar n, Scalar f, Scalar correction) {
  Scalar square = f * f;
  Scalar tail = square * f *
                    polynomial(f, {0x1.555506p-2, -0x1.fffefp-3, 0x1.99d064p-3, -0x1.559de8p-3,
                                   0x1.1ed37ep-3, -0x1.f30d5ep-4, 0x1.1e77d6p-3, -0x1.080f4ep-3}) -
                square * 0.5;
  return n * ln2High + (f + (tail + (n * ln2Low + correction)));
}

Scalar ds::buildLog(Scalar x) {
  Scalar isSmall = x < smallestNormal;
  auto [n, f] = splitExponent(select(isSmall, x * 0x1p23, x));
  n = select(isSmall, n - 23.0, n);
  Scalar result = logOfParts(n, f, n.constant(0.0));
  result = select(x < infinity, result, x); // infinity and NaN are their own logarithms
  // A denormal equals 0 where denormals are flushed, so both comparisons are with 0 itself.
  result = select(x == 0.0, -infinity, result);
  return select(x < 0.0, std::numeric_limits<double>::quiet_NaN(), result);
}

Scalar ds::buildLog1p(Scalar x) {
  Scalar sum = x + 1.0;
  // The exact rounding error of the sum; the larger addend comes first.
  Scalar error = select(x > 1.0, x.constant(1.0) - (sum - x), x - (sum - 1.0));
  auto [n, f] = splitExponent(sum);
  Scalar result = logOfParts(n, f, error / sum);
  result = select(x < infinity, result, x);
  result = select(absolute(x) < 0x1p-30, x, result);
  result = select(x == -1.0, -infinity, result);
  return select(x < -1.0, std::numeric_limits<double>::quiet_NaN(), result);
}

Scalar ds::buildTanh(Scalar x) {
  Scalar size = absolute(x);
  size = select(size > 10.0, 10.0, size);
  Scalar t = halfExpM1(size + size);
  return withSignOf(t / (t + 1.0), x);
}

Scalar ds::buildErf(Scalar x) {
  Scalar size = absolute(x);
  size = select(size > 4.0, 4.0, size);
  Scalar near0 =
      size +
      size * polynomial(size * size, {0x1.06eba8p-3, -0x1.812744p-2, 0x1.ce2e74p-4, -0x1.b8191ap-6,
                                      0x1.5538cap-8, -0x1.ae7df4p-11, 0x1.6bf7dap-14});
  // The product above may be denormal, and so flushed, although the result is not.
  near0 = select(size < 0x1p-20, size * 0x1.20dd76p0, near0);
  // erf = 1 - exp(ln(erfc)): the subtraction hides the error of the exponential.
  Scalar logarithm = polynomial(size, {0x1.34a596p-12, -0x1.215052p0, -0x1.4394cep-1,
                                       -0x1.c241a2p-4, 0x1.af7d0cp-6, -0x1.3603a8p-8,
                                       0x1.35b952p-11, -0x1.7c7fdep-15, 0x1.ae3a6cp-20});
  auto [n, r] = reduceByLn2(logarithm);
  Scalar complement = ((r + expTail(r)) + 1.0) * powerOfTwo(n);
  Scalar result = select(size < 0.875, near0, size.constant(1.0) - complement);
  return withSignOf(result, x);
}
