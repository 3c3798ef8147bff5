//===- ExponentialFunctions.cpp - exp, log, erf and more in f64 -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The methods are those of f32 (Kernels/Functions.cpp): reduction by ln 2, a polynomial, and
// scaling by the bits of the exponent. Polynomials are Taylor's, and the series of atanh for
// logarithms; they end where the next term is below 2^-55. Only the error functions have fitted
// coefficients.
//
//===----------------------------------------------------------------------===//
#include "Functions.h"

using namespace ds;
using namespace ds::gpu;

static constexpr double log2E = 0x1.71547652b82fep+0, log2ELow = 0x1.777d0ffda0d24p-56;
/// ln 2 in two parts: the product of the first one and any exponent is exact.
static constexpr double ln2High = 0x1.62e42feep-1, ln2Low = 0x1.a39ef35793c76p-33;

/// 1 / from!, 1 / (from + 1)!, .., 1 / to!
static llvm::SmallVector<double> inverseFactorials(int from, int to) {
  llvm::SmallVector<double> list;
  double factorial = 1;
  for (int i = 1; i <= to; ++i) {
    factorial *= i;
    if (i >= from)
      list.push_back(1 / factorial);
  }
  return list;
}

namespace {
/// x = n ln 2 + r with |r| <= ln 2 / 2.
struct ReducedByLn2 {
  Scalar n, r; // i64 and f64
};
} // namespace

/// Added to this, a float is rounded to an integer, which its low bits hold.
static constexpr double shift = 0x1.8p52;

static ReducedByLn2 reduceByLn2(Scalar x) {
  Scalar shifted = x * log2E + shift;
  Scalar n = shifted - shift;
  Scalar r = x - n * ln2High - n * ln2Low;
  return {integersOf(shifted) - integersOf(shifted.constant(shift)), r};
}

/// 2^n for -1023 < n < 1024.
static Scalar powerOfTwo(Scalar n) { return doubleOf((n + 1023) << 52); }

/// Computes m 2^n by two factors: 2^n overflows before the result does, and is denormal where the
/// result is.
static Scalar scale(Scalar m, Scalar n) {
  Scalar half = arithmeticShift(n, 1);
  return m * powerOfTwo(half) * powerOfTwo(n - half);
}

/// e^r for |r| <= ln 2 / 2.
static Scalar expNear0(Scalar r) {
  return (r + r * r * polynomial(r, inverseFactorials(2, 14))) + 1.0;
}

static Scalar clamp(Scalar x, double low, double high) {
  x = select(x > high, high, x);
  return select(x < low, low, x);
}

Scalar ds::gpu::buildExpOf64(Pair x) {
  Scalar high = clamp(x.high, -746, 710);
  auto [n, r] = reduceByLn2(high);
  r = r + select(absolute(x.high) < 746.0, x.low, r.constant(0.0));
  return scale(expNear0(r), n);
}

Scalar ds::gpu::buildExp64(Scalar x) { return buildExpOf64({x, x.constant(0.0)}); }

Scalar ds::gpu::buildExp264(Scalar x) {
  Scalar clamped = clamp(x, -1076, 1025);
  Scalar shifted = clamped + shift;
  Scalar n = integersOf(shifted) - integersOf(shifted.constant(shift));
  return scale(expNear0((clamped - (shifted - shift)) * 0x1.62e42fefa39efp-1), n);
}

/// (e^x - 1) / 2 for -40 <= x <= 710.5; computed from a quarter, because 2^1024 overflows.
static Scalar halfExpM1(Scalar x) {
  auto [n, r] = reduceByLn2(x);
  Scalar power = powerOfTwo(n - 2);
  Scalar near0 = r + r * r * polynomial(r, inverseFactorials(2, 15));
  return (power * near0 + (power - 0.25)) * 2.0;
}

Scalar ds::gpu::buildExpM164(Scalar x) {
  Scalar result = halfExpM1(clamp(x, -40, 710)) * 2.0;
  return select(absolute(x) < 0x1p-60, x, result); // keeps -0
}

Scalar ds::gpu::buildSinh64(Scalar x) {
  Scalar half = halfExpM1(clamp(absolute(x), 0, 710.5));
  Scalar other = half / (half * 2.0 + 1.0); // NaN for infinity, where it is not used
  return withSignOf(half + select(half > 0x1p60, 0.0, other), x);
}

Scalar ds::gpu::buildCosh64(Scalar x) {
  Scalar half = halfExpM1(clamp(absolute(x), 0, 710.5)) + 0.5;
  return half + half.constant(0.25) / half;
}

Scalar ds::gpu::buildTanh64(Scalar x) {
  Scalar size = clamp(absolute(x), 0, 22);
  Scalar t = halfExpM1(size + size);
  return withSignOf(t / (t + 1.0), x);
}

namespace {
/// x = 2^n (1 + f) with 1 + f in [sqrt 1/2, sqrt 2).
struct Mantissa {
  Scalar n, f;
};
} // namespace

static Mantissa splitExponent(Scalar x) {
  Scalar isSmall = x < 0x1p-1022;
  Scalar bits = integersOf(select(isSmall, x * 0x1p54, x));
  Scalar sqrtHalf = bits.integer(0x3fe6a09e667f3bcd);
  bits = bits - sqrtHalf;
  Scalar f = doubleOf((bits & 0xfffffffffffff) + sqrtHalf) - 1.0;
  Scalar n = arithmeticShift(bits, 52).to<mlir::arith::SIToFPOp>(x.value.getType());
  return {select(isSmall, n - 54.0, n), f};
}

/// 1 / from, 1 / (from + 2), .. 1 / 25: the series of atanh.
static llvm::SmallVector<double> oddInverses(int from, double factor = 1) {
  llvm::SmallVector<double> list;
  for (int i = from; i <= 25; i += 2)
    list.push_back(factor / i);
  return list;
}

/// ln(2^n (1 + f)) + correction, where the correction is below the last place of 1 + f.
static Scalar logOfParts(Scalar n, Scalar f, Scalar correction) {
  Scalar s = f / (f + 2.0);
  Scalar square = s * s, half = f * f * 0.5;
  Scalar tail = s * (half + square * polynomial(square, oddInverses(3, 2)));
  return n * ln2High - ((half - (tail + (n * ln2Low + correction))) - f);
}

/// Handles arguments of a logarithm that are not positive and finite.
static Scalar orSpecialLog(Scalar x, Scalar result) {
  result = select(x < infinity, result, x); // infinity and NaN are their own logarithms
  result = select(x == 0.0, -infinity, result);
  return select(x < 0.0, std::numeric_limits<double>::quiet_NaN(), result);
}

Scalar ds::gpu::buildLog64(Scalar x) {
  auto [n, f] = splitExponent(x);
  return orSpecialLog(x, logOfParts(n, f, n.constant(0.0)));
}

Scalar ds::gpu::buildLog264(Scalar x) {
  auto [n, f] = splitExponent(x);
  Scalar natural = logOfParts(n.constant(0.0), f, n.constant(0.0));
  Pair scaled = product(natural, natural.constant(log2E));
  return orSpecialLog(x, n + (scaled.high + (scaled.low + natural * log2ELow)));
}

Scalar ds::gpu::buildLog1064(Scalar x) {
  constexpr double log10E = 0x1.bcb7b1526e50ep-2;
  constexpr double log10Of2High = 0x1.34413508p-2, log10Of2Low = 0x1.f79fef311f12bp-34;
  auto [n, f] = splitExponent(x);
  Scalar natural = logOfParts(n.constant(0.0), f, n.constant(0.0));
  return orSpecialLog(x, n * log10Of2High + (natural * log10E + n * log10Of2Low));
}

Scalar ds::gpu::buildLog1p64(Scalar x) {
  Scalar sum = x + 1.0;
  // The exact rounding error of the sum; the larger addend comes first.
  Scalar error = select(x > 1.0, x.constant(1.0) - (sum - x), x - (sum - 1.0));
  auto [n, f] = splitExponent(sum);
  Scalar result = logOfParts(n, f, error / sum);
  result = select(x < infinity, result, x);
  result = select(absolute(x) < 0x1p-60, x, result);
  result = select(x == -1.0, -infinity, result);
  return select(x < -1.0, std::numeric_limits<double>::quiet_NaN(), result);
}

static constexpr double ln2 = 0x1.62e42fefa39efp-1;

Scalar ds::gpu::buildAsinh64(Scalar x) {
  Scalar size = absolute(x);
  Scalar isLarge = size > 0x1p28;
  Scalar some = select(isLarge, 1.0, size);
  Scalar near = buildLog1p64(some + some * some / (squareRoot(some * some + 1.0) + 1.0));
  return withSignOf(select(isLarge, buildLog64(size) + ln2, near), x);
}

Scalar ds::gpu::buildAcosh64(Scalar x) {
  Scalar isLarge = x > 0x1p28;
  Scalar t = select(isLarge, 1.0, x) - 1.0;
  Scalar near = buildLog1p64(t + squareRoot(t * (t + 2.0)));
  Scalar result = select(isLarge, buildLog64(x) + ln2, near);
  return select(x < 1.0, std::numeric_limits<double>::quiet_NaN(), result);
}

Scalar ds::gpu::buildAtanh64(Scalar x) {
  Scalar size = absolute(x);
  return withSignOf(buildLog1p64((size + size) / (size.constant(1.0) - size)) * 0.5, x);
}

Scalar ds::gpu::buildCbrt64(Scalar x) {
  Scalar size = absolute(x);
  Scalar root = buildExp64(buildLog64(size) * (1.0 / 3));
  root = root - (root - size / (root * root)) * (1.0 / 3); // Newton's step
  root = withSignOf(root, x);
  root = select(absolute(x) < infinity, root, x);
  return select(x == 0.0, x, root);
}

/// Computes e^(-x^2) without rounding the square.
static Scalar expOfMinusSquare(Scalar x) {
  Pair square = product(x, x);
  return buildExpOf64({-square.high, -square.low});
}

/// erfc(x) for 0.5 <= x <= 28: (1 + 2x) e^(x^2) erfc(x) is a smooth function of (x - 4) / (x + 4).
static Scalar erfcFromHalf(Scalar x) {
  Scalar t = (x - 4.0) / (x + 4.0);
  Scalar smooth =
      polynomial(t, {0x1.3ba5916e9fd7fp+0,  -0x1.1df1ad154a28fp-3,  0x1.f7f5df66fd575p-7,
                     0x1.16ecefcfa547fp-4,  -0x1.9ddb23c3e7cf5p-4,  0x1.7fee004e106bdp-4,
                     -0x1.0fb06dfe6b25cp-4, 0x1.3079edf6b9159p-5,   -0x1.0962387dac933p-6,
                     0x1.49c6727ace9e5p-8,  -0x1.8d4aa17050e08p-11, -0x1.a1df222b3ca59p-13,
                     0x1.3be0d61957f14p-13, -0x1.9958d66770982p-16, -0x1.78a3b73fcffbfp-17,
                     0x1.7f19bc91ad5ccp-18, 0x1.41a5d9b6c3abbp-22,  -0x1.b99bb9bcb0974p-21,
                     0x1.1fde3f8d8313bp-24, 0x1.c5e4aa4a32304p-24,  -0x1.a403ddb107533p-27,
                     -0x1.67fa3128dee34p-27});
  return expOfMinusSquare(x) * (smooth / (x * 2.0 + 1.0));
}

/// erf(x) for |x| < 0.5.
static Scalar erfNear0(Scalar x) {
  // 2 / sqrt pi is 1 plus this, so that x itself is the last addend.
  constexpr double rest = 0x1.06eba8214db69p-3;
  llvm::SmallVector<double> series;
  double factorial = 1;
  for (int i = 1; i <= 13; ++i) {
    factorial *= -i;
    series.push_back((1 + rest) / (factorial * (2 * i + 1)));
  }
  Scalar square = x * x;
  return x + x * (square * polynomial(square, series) + rest);
}

Scalar ds::gpu::buildErf64(Scalar x) {
  Scalar size = absolute(x);
  Scalar far = size.constant(1.0) - erfcFromHalf(clamp(size, 0.5, 6));
  return select(size < 0.5, erfNear0(x), withSignOf(far, x));
}

Scalar ds::gpu::buildErfc64(Scalar x) {
  Scalar size = absolute(x);
  Scalar far = erfcFromHalf(clamp(size, 0.5, 28));
  far = select(x < 0.0, far.constant(2.0) - far, far);
  return select(size < 0.5, x.constant(1.0) - erfNear0(x), far);
}

/// Computes ln |x| of a positive number, with a relative error of 2^-65.
static Pair logAsPair(Scalar x) {
  auto [n, f] = splitExponent(x);
  // s = f / (2 + f), and its rounding error.
  Pair below = sum(f.constant(2.0), f);
  Scalar s = f / below.high;
  Scalar sLow = (fma(-s, below.high, f) - s * below.low) / below.high;
  // 2 s (1 + s^2 (1/3 + s^2 (1/5 + ..))): the first two sums as pairs.
  Pair square = product(s, s);
  square.low = square.low + s * sLow * 2.0;
  Pair third =
      sum(s.constant(0x1.5555555555555p-2), square.high * polynomial(square.high, oddInverses(5)));
  third.low = third.low + 0x1.5555555555555p-56;
  Pair tail = product(square.high, third.high);
  tail.low = tail.low + (square.high * third.low + square.low * third.high);
  Pair cube = product(s, tail.high);
  cube.low = cube.low + (s * tail.low + sLow * tail.high);
  Pair half = sum(s, cube.high);
  half.low = half.low + (cube.low + sLow);
  Pair result = sum(n * ln2High, half.high * 2.0);
  result.low = result.low + (half.low * 2.0 + n * ln2Low);
  return result;
}

Scalar ds::gpu::buildPower64(Scalar x, Scalar y, bool forF32) {
  Scalar size = absolute(x), zero = x.constant(0.0), one = x.constant(1.0);
  Pair logarithm = forF32 ? Pair{buildLog64(size), zero} : logAsPair(size);
  auto either = [](Scalar a, Scalar b) { return a | b; };
  auto both = [](Scalar a, Scalar b) { return a.integers<mlir::arith::AndIOp>(b); };
  auto isNot = [](Scalar a) { return a ^ a.integer(1); };
  Scalar edge = select(size == 0.0, -infinity, size);
  Scalar high = select(either(size == 0.0, size == infinity), edge, logarithm.high);
  Pair exponent = product(y, high);
  exponent.low = forF32 ? zero : exponent.low + y * logarithm.low;
  Scalar result = buildExpOf64(exponent);
  result = select(either(size == 1.0, y == 0.0), one, result);
  // Odd powers of negative numbers are negative; powers that are not integers have no value.
  auto isWhole = [](Scalar a) {
    Scalar floor = {a.builder, mlir::math::FloorOp::create(*a.builder, a.value)};
    return (floor - a) == 0.0;
  };
  Scalar isOdd = both(isWhole(y), isNot(isWhole(y * 0.5)));
  result = select(isOdd, withSignOf(result, x), result);
  Scalar isNegative = both(x<0.0, x> - infinity);
  Scalar hasRoot = both(isNot(isWhole(y)), absolute(y) < infinity);
  Scalar isAlwaysOne = either(x == 1.0, y == 0.0);
  Scalar isUnknown = {
      x.builder,
      mlir::arith::CmpFOp::create(*x.builder, mlir::arith::CmpFPredicate::UNO, x.value, y.value)};
  Scalar hasNone = either(both(isNegative, hasRoot), both(isUnknown, isNot(isAlwaysOne)));
  return select(hasNone, std::numeric_limits<double>::quiet_NaN(), result);
}
