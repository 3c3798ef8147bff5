//===- CircularFunctions.cpp - sin, atan and remainders in f64 --*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Payne and Hanek's reduction, as for f32 (Kernels/Trigonometry.cpp): |x| is m 2^k, and of 2/pi the
// 192 bits from 2^(1-k) on decide m 2^k 2/pi modulo 4 to 2^-126; no f64 is closer to a multiple of
// pi/2 than 2^-62 of a quarter turn. The rest are Taylor polynomials on [-pi/4, pi/4], and for the
// arc tangent on [-tan pi/8, tan pi/8].
//
//===----------------------------------------------------------------------===//
#include "Functions.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace ds;
using namespace ds::gpu;

/// 2/pi in binary, after 64 zeros.
static constexpr uint64_t twoOverPi[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
    0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
    0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

namespace {
/// |x| = (quarters + 4 k) pi/2 + r with |r| <= pi/4.
struct Reduced {
  Scalar quarters; // i64
  Pair r;
};
struct Wide {
  Scalar low, high; // of 128 bits
};
} // namespace

static Wide multiply(Scalar a, Scalar b) {
  auto both = mlir::arith::MulUIExtendedOp::create(*a.builder, a.value, b.value);
  return {{a.builder, both.getLow()}, {a.builder, both.getHigh()}};
}

static Reduced reduceByQuarterTurns(Scalar size) {
  mlir::ImplicitLocOpBuilder &b = *size.builder;
  mlir::Type f64 = b.getF64Type();
  Scalar bits = integersOf(size);
  // From 1/2 on (k >= -53) the first bit that counts is number k + 62 of the words above.
  Scalar first = (bits >> 52) - (1075 - 62);
  Scalar word = first >> 6, left = first & 63;
  Scalar right = left.integer(63) - left;
  auto wordAt = [&](int offset) {
    Scalar result = bits.integer(int64_t(twoOverPi[offset]));
    for (int i = 1; i + offset < int(std::size(twoOverPi)) && i <= 16; ++i)
      result = select(isEqual(word, i), bits.integer(int64_t(twoOverPi[offset + i])), result);
    return result;
  };
  Scalar words[] = {wordAt(0), wordAt(1), wordAt(2), wordAt(3)};
  auto window = [&](int i) {
    return words[i].integers<mlir::arith::ShLIOp>(left) |
           (words[i + 1] >> 1).integers<mlir::arith::ShRUIOp>(right);
  };
  Scalar m = (bits & 0xfffffffffffff) | bits.integer(0x10000000000000);
  Wide middle = multiply(m, window(1));
  Scalar low = middle.low + multiply(m, window(2)).high;
  Scalar carries = {&b, mlir::arith::CmpIOp::create(b, mlir::arith::CmpIPredicate::ult, low.value,
                                                    middle.low.value)};
  // In units of 2^-62 quarter turns; the rest beside the nearest quarter is signed.
  Scalar high = m * window(0) + middle.high + carries.to<mlir::arith::ExtUIOp>(b.getI64Type());
  Scalar quarters = (high + high.integer(int64_t(1) << 61)) >> 62;
  Scalar rest = high - (quarters << 62);
  Scalar whole = rest.to<mlir::arith::SIToFPOp>(f64);
  Scalar rounded =
      (rest - whole.to<mlir::arith::FPToSIOp>(b.getI64Type())).to<mlir::arith::SIToFPOp>(f64);
  Pair angle = sum(whole, rounded + low.to<mlir::arith::UIToFPOp>(f64) * 0x1p-64);
  Scalar unit = size.constant(0x1.921fb54442d18p-62);
  Pair r = product(angle.high, unit);
  r.low = r.low + (angle.high * 0x1.1a62633145c07p-116 + angle.low * unit);
  Scalar isSmall = size < 0.5;
  return {select(isSmall, quarters.integer(0), quarters),
          {select(isSmall, size, r.high), select(isSmall, size.constant(0.0), r.low)}};
}

/// (-1)^i / (from + 2 i)!, up to the factorial of 21.
static llvm::SmallVector<double> alternatingFactorials(int from) {
  llvm::SmallVector<double> list;
  double factorial = 1;
  for (int i = 2; i <= 21; ++i) {
    factorial *= i;
    if (i >= from && (i - from) % 2 == 0)
      list.push_back(((i - from) % 4 ? -1 : 1) / factorial);
  }
  return list;
}

namespace {
struct SineAndCosine {
  Scalar sine, cosine;
};
} // namespace

static SineAndCosine ofReduced(Pair r) {
  Scalar x = r.high, square = x * x, half = square * 0.5;
  Scalar odd = x * square * polynomial(square, alternatingFactorials(3));
  Scalar sine = x + (r.low * (half.constant(1.0) - half) - odd);
  Scalar one = half.constant(1.0), near1 = one - half;
  Scalar even = square * square * polynomial(square, alternatingFactorials(4));
  Scalar cosine = near1 + (((one - near1) - half) + (even - x * r.low));
  return {sine, cosine};
}

static Scalar negatedIf(Scalar condition, Scalar x) { return select(condition, -x, x); }

/// Returns NaN if x is infinite or NaN, which have no position on the circle.
static Scalar orNaN(Scalar x, Scalar result) {
  return select(absolute(x) < infinity, result, x - x);
}

static Scalar sineAt(Scalar quarters, const SineAndCosine &of) {
  Scalar result = select(isEqual(quarters & 1, 0), of.sine, of.cosine);
  return negatedIf(isEqual(quarters & 2, 2), result);
}

Scalar ds::gpu::buildSin64(Scalar x) {
  auto [quarters, r] = reduceByQuarterTurns(absolute(x));
  Scalar isNegative = integersOf(x) >> 63;
  return orNaN(x, negatedIf(isEqual(isNegative, 1), sineAt(quarters, ofReduced(r))));
}

Scalar ds::gpu::buildCos64(Scalar x) {
  auto [quarters, r] = reduceByQuarterTurns(absolute(x));
  return orNaN(x, sineAt(quarters + 1, ofReduced(r)));
}

Scalar ds::gpu::buildTan64(Scalar x) {
  auto [quarters, r] = reduceByQuarterTurns(absolute(x));
  auto [sine, cosine] = ofReduced(r);
  Scalar isEven = isEqual(quarters & 1, 0);
  Scalar result = select(isEven, sine, -cosine) / select(isEven, cosine, sine);
  return orNaN(x, negatedIf(isEqual(integersOf(x) >> 63, 1), result));
}

/// Computes the arc tangent of 0 <= x <= 1.
static Scalar arcTangentTo1(Scalar x) {
  llvm::SmallVector<double> series;
  for (int i = 1; i <= 22; ++i)
    series.push_back((i % 2 ? -1.0 : 1.0) / (2 * i + 1));
  Scalar isFar = x > 0x1.a827999fcef32p-2; // tan pi/8
  Scalar t = select(isFar, (x - 1.0) / (x + 1.0), x);
  Scalar square = t * t;
  Scalar near = t + t * (square * polynomial(square, series));
  Scalar far = (near + 0x1.1a62633145c07p-55) + 0x1.921fb54442d18p-1;
  return select(isFar, far, near);
}

Scalar ds::gpu::buildAtan264(Scalar y, Scalar x) {
  Scalar height = absolute(y), width = absolute(x);
  Scalar isSteep = {x.builder,
                    mlir::arith::CmpFOp::create(*x.builder, mlir::arith::CmpFPredicate::OGT,
                                                height.value, width.value)};
  Scalar least = select(isSteep, width, height), most = select(isSteep, height, width);
  Scalar ratio = least / most;
  ratio = select(least == 0.0, 0.0, ratio);
  ratio = select(least == infinity, 1.0, ratio);
  Scalar angle = arcTangentTo1(ratio);
  auto from = [&](double high, double low) {
    return angle.constant(high) - (angle - angle.constant(low));
  };
  angle = select(isSteep, from(0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54), angle);
  Scalar isLeft = isEqual(integersOf(x) >> 63, 1);
  angle = select(isLeft, from(0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53), angle);
  Scalar isUnknown = {
      x.builder,
      mlir::arith::CmpFOp::create(*x.builder, mlir::arith::CmpFPredicate::UNO, x.value, y.value)};
  return select(isUnknown, std::numeric_limits<double>::quiet_NaN(), withSignOf(angle, y));
}

Scalar ds::gpu::buildAtan64(Scalar x) { return buildAtan264(x, x.constant(1.0)); }

/// Computes the other leg of a right triangle with hypotenuse 1.
static Scalar otherLeg(Scalar x) { return squareRoot((x.constant(1.0) - x) * (x + 1.0)); }

Scalar ds::gpu::buildAsin64(Scalar x) { return buildAtan264(x, otherLeg(x)); }
Scalar ds::gpu::buildAcos64(Scalar x) { return buildAtan264(otherLeg(x), x); }

Scalar ds::gpu::buildRemainder64(Scalar x, Scalar y) {
  mlir::ImplicitLocOpBuilder &b = *x.builder;
  constexpr int64_t fraction = 0xfffffffffffff;
  Scalar size = absolute(x), step = absolute(y);
  auto isAtLeast = [&](Scalar a, Scalar c) {
    return Scalar{
        &b, mlir::arith::CmpFOp::create(b, mlir::arith::CmpFPredicate::OGE, a.value, c.value)};
  };
  Scalar hasNone = (step < 0x1p-1022) | isAtLeast(size, size.constant(infinity));
  // Subtracts the largest y 2^k that fits, until none does; each difference is exact.
  Scalar start = select(hasNone, -1.0, size);
  auto loop = mlir::scf::WhileOp::create(
      b, b.getF64Type(), start.value,
      [&](mlir::OpBuilder &at, mlir::Location loc, mlir::ValueRange carried) {
        mlir::Value goes = mlir::arith::CmpFOp::create(at, loc, mlir::arith::CmpFPredicate::OGE,
                                                       carried[0], step.value);
        mlir::scf::ConditionOp::create(at, loc, goes, carried);
      },
      [&](mlir::OpBuilder &at, mlir::Location loc, mlir::ValueRange carried) {
        mlir::ImplicitLocOpBuilder inside(loc, at);
        Scalar rest{&inside, carried[0]}, unit{&inside, step.value};
        Scalar exponent = integersOf(rest) & ~fraction;
        Scalar fits = doubleOf((integersOf(unit) & fraction) | exponent);
        // In the same binade it may be too large by one.
        Scalar isTooLarge = {&inside,
                             mlir::arith::CmpFOp::create(inside, mlir::arith::CmpFPredicate::OGT,
                                                         fits.value, rest.value)};
        fits = select(isTooLarge, fits * 0.5, fits);
        mlir::scf::YieldOp::create(inside, (rest - fits).value);
      });
  Scalar result = withSignOf({&b, loop.getResult(0)}, x);
  Scalar isUnknown = {
      &b, mlir::arith::CmpFOp::create(b, mlir::arith::CmpFPredicate::UNO, x.value, y.value)};
  return select(hasNone | isUnknown, std::numeric_limits<double>::quiet_NaN(), result);
}
