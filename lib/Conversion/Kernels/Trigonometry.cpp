//===- Trigonometry.cpp - sin and cos of f32 as arithmetic ------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The argument is reduced by Payne and Hanek's method, in integers: |x| is m 2^k, and of 2/pi the
// 96 bits from 2^(1-k) on decide m 2^k 2/pi modulo 4 to 2^-62; no f32 is closer to a multiple of
// pi/2 than 2^-31 of a quarter turn. One method serves all arguments, without branches or loads:
// the words of 2/pi are constants, chosen by the exponent. The rest is a polynomial on [-pi/4,
// pi/4].
//
//===----------------------------------------------------------------------===//
#include "Formula.h"

#include <limits>

using namespace ds;

/// 2/pi in binary, after 32 zeros.
static constexpr int64_t twoOverPi[] = {0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                        0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};

namespace {
/// |x| = (quarters + 4 k) pi/2 + r with |r| <= pi/4.
struct Reduced {
  Scalar quarters, r;
};
} // namespace

static Reduced reduceByQuarterTurns(Scalar size) {
  mlir::ImplicitLocOpBuilder &b = *size.builder;
  mlir::Type i32 = b.getI32Type(), i64 = b.getI64Type(), f64 = b.getF64Type();
  Scalar bits = bitsOf(size);
  // From 1/2 on (k >= -24) the first bit that counts is number k + 30 of the words above.
  Scalar first = (bits >> 23) - (150 - 30);
  Scalar word = first >> 5;
  Scalar left = first & 31;
  Scalar right = left.integer(31) - left;
  Scalar isWord[] = {isEqual(word, 1), isEqual(word, 2), isEqual(word, 3), isEqual(word, 4)};
  auto wordAt = [&](int offset) {
    Scalar result = bits.integer(twoOverPi[offset]);
    for (int i = 0; i < 4; ++i)
      result = select(isWord[i], bits.integer(twoOverPi[offset + i + 1]), result);
    return result;
  };
  Scalar words[] = {wordAt(0), wordAt(1), wordAt(2), wordAt(3)};
  auto window = [&](int i) {
    return words[i].integers<mlir::arith::ShLIOp>(left) |
           (words[i + 1] >> 1).integers<mlir::arith::ShRUIOp>(right);
  };
  Scalar m = (bits & 0x7fffff) + 0x800000;
  auto wide = [&](Scalar value) { return value.to<mlir::arith::ExtUIOp>(i64); };
  Scalar wideM = wide(m);
  Scalar lower = wideM * wide(window(1)) + ((wideM * wide(window(2))) >> 32);
  // In units of 2^-30 quarter turns; the rest beside the nearest quarter is signed.
  Scalar high = m * window(0) + (lower >> 32).to<mlir::arith::TruncIOp>(i32);
  Scalar quarters = (high + 0x20000000) >> 30;
  Scalar rest = high - (quarters << 30);
  // Without its last bit the low word fits a signed integer, which vector instructions can convert.
  Scalar low = lower.to<mlir::arith::TruncIOp>(i32) >> 1;
  Scalar angle =
      (rest.to<mlir::arith::SIToFPOp>(f64) * 0x1p31 + low.to<mlir::arith::SIToFPOp>(f64)) *
      0x1.921fb54442d18p-61;
  Scalar isSmall = size < 0.5;
  return {select(isSmall, quarters.integer(0), quarters),
          select(isSmall, size, angle.to<mlir::arith::TruncFOp>(b.getF32Type()))};
}

static Scalar sine(Scalar quarters, Scalar r, Scalar sign, Scalar x) {
  Scalar square = r * r;
  Scalar odd =
      r + r * square * polynomial(square, {-0x1.555546p-3, 0x1.110778p-7, -0x1.9953fep-13});
  Scalar even =
      (square * square * polynomial(square, {0x1.55554ap-5, -0x1.6c0c2ap-10, 0x1.99e91p-16}) -
       square * 0.5) +
      1.0;
  Scalar result = select(isEqual(quarters & 1, 0), odd, even);
  result = floatOf(bitsOf(result) ^ ((quarters & 2) << 30) ^ sign);
  return select(absolute(x) < std::numeric_limits<double>::infinity(), result,
                x - x); // NaN for infinity, too
}

Scalar ds::buildSin(Scalar x) {
  auto [quarters, r] = reduceByQuarterTurns(absolute(x));
  return sine(quarters, r, bitsOf(x) & int64_t(INT32_MIN), x);
}

Scalar ds::buildCos(Scalar x) {
  auto [quarters, r] = reduceByQuarterTurns(absolute(x));
  return sine(quarters + 1, r, quarters.integer(0), x);
}
