//===- SmallFloats.cpp - Convert to and from floats of 8 bits ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The supported CPUs do not have these types, so a conversion is arithmetic on the bits of the wide
// number, rounded once, to nearest even. For normal numbers that is an addition to the bits; for
// denormals, a sum with the power of two whose last digit is the last of the small type. Whether a
// type has infinity, NaN and -0 follows from its description in LLVM.
//
//===----------------------------------------------------------------------===//
#include "SmallFloats.h"

#include "Formula.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace {

/// The format of a type of 8 bits.
struct Form {
  const llvm::fltSemantics &semantics;
  int fraction; // bits of the fraction
  int lowest;   // exponent of the smallest normal number
  int64_t largest, nan;
  std::optional<int64_t> infinity;
  bool hasMinusZero;

  static int64_t codeOf(const APFloat &number) {
    return int64_t(number.bitcastToAPInt().getZExtValue());
  }
  explicit Form(FloatType type)
      : semantics(type.getFloatSemantics()),
        fraction(int(APFloat::semanticsPrecision(semantics)) - 1),
        lowest(APFloat::semanticsMinExponent(semantics)),
        largest(codeOf(APFloat::getLargest(semantics))), nan(codeOf(APFloat::getQNaN(semantics))),
        hasMinusZero(codeOf(APFloat::getZero(semantics, /*Negative=*/true)) != 0) {
    if (APFloat::semanticsHasInf(semantics))
      infinity = codeOf(APFloat::getInf(semantics));
  }
};

/// The format of f32 or f64.
struct WideForm {
  FloatType type;
  int bits, fraction, bias;

  explicit WideForm(FloatType type)
      : type(type), bits(int(type.getWidth())), fraction(int(type.getFPMantissaWidth()) - 1),
        bias(APFloat::semanticsMaxExponent(type.getFloatSemantics())) {}
  int64_t codeOf(double power) const {
    APFloat number(power);
    bool isExact = false;
    number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &isExact);
    return int64_t(number.bitcastToAPInt().getZExtValue());
  }
};

using Predicate = arith::CmpIPredicate;

ds::Scalar compareBits(Predicate predicate, ds::Scalar a, int64_t b) {
  return {a.builder, arith::CmpIOp::create(*a.builder, predicate, a.value, a.integer(b).value)};
}

/// Encodes a number in f32 or f64 as an i8.
Value encode(ImplicitLocOpBuilder &b, Value number, const Form &form) {
  const WideForm wide(cast<FloatType>(number.getType()));
  IntegerType word = b.getIntegerType(wide.bits);
  ds::Scalar x{&b, number}, all = x.to<arith::BitcastOp>(word);
  const int64_t signBit = int64_t(1) << (wide.bits - 1);
  ds::Scalar magnitude = all & ~signBit, sign = (all >> (wide.bits - 8)) & 0x80;

  const int dropped = wide.fraction - form.fraction;
  ds::Scalar last = (magnitude >> dropped) & 1;
  const int64_t half = (int64_t(1) << (dropped - 1)) - 1;
  const int64_t exponents = int64_t(wide.bias - (1 - form.lowest)) << form.fraction;
  ds::Scalar rounded = (magnitude + magnitude.integer(half) + last) >> dropped;
  ds::Scalar normal = rounded - rounded.integer(exponents);

  const double unit = std::ldexp(1.0, form.lowest - form.fraction + wide.fraction);
  ds::Scalar shifted = magnitude.to<arith::BitcastOp>(wide.type) + unit;
  ds::Scalar sum = shifted.to<arith::BitcastOp>(word);
  ds::Scalar below = sum - sum.integer(wide.codeOf(unit));

  const int64_t smallest = wide.codeOf(std::ldexp(1.0, form.lowest));
  ds::Scalar code = select(compareBits(Predicate::slt, magnitude, smallest), below, normal);
  ds::Scalar isTooLarge = compareBits(Predicate::sgt, code, form.largest);
  code = select(isTooLarge, code.integer(form.infinity.value_or(form.nan)), code);
  ds::Scalar withSign = code | sign;
  if (!form.hasMinusZero)
    withSign = select(isEqual(code, 0), code, withSign);
  const int64_t infinity = wide.codeOf(std::numeric_limits<double>::infinity());
  ds::Scalar isNaN = compareBits(Predicate::sgt, magnitude, infinity);
  withSign = select(isNaN, code.integer(form.nan), withSign);
  return withSign.to<arith::TruncIOp>(b.getI8Type()).value;
}

/// Decodes an i8 to f32 or f64.
Value decode(ImplicitLocOpBuilder &b, Value code, FloatType type, const Form &form) {
  const WideForm wide(type);
  IntegerType word = b.getIntegerType(wide.bits);
  ds::Scalar all{&b, arith::ExtUIOp::create(b, word, code)};
  ds::Scalar magnitude = all & 0x7f, sign = (all & 0x80) << (wide.bits - 8);
  const int64_t exponents = int64_t(wide.bias - (1 - form.lowest)) << wide.fraction;
  ds::Scalar normal = (magnitude << (wide.fraction - form.fraction));
  normal = normal + normal.integer(exponents);
  ds::Scalar below =
      magnitude.to<arith::UIToFPOp>(type) * std::ldexp(1.0, form.lowest - form.fraction);
  ds::Scalar number = select(compareBits(Predicate::slt, magnitude, int64_t(1) << form.fraction),
                             below.to<arith::BitcastOp>(word), normal);
  if (form.infinity)
    number = select(isEqual(magnitude, *form.infinity),
                    number.integer(wide.codeOf(std::numeric_limits<double>::infinity())), number);
  number = number | sign;
  ds::Scalar isNaN = !form.hasMinusZero ? isEqual(all, form.nan)
                     : form.infinity    ? compareBits(Predicate::sgt, magnitude, *form.infinity)
                                        : isEqual(magnitude, form.nan & 0x7f);
  number =
      select(isNaN, number.integer(wide.codeOf(std::numeric_limits<double>::quiet_NaN())), number);
  return number.to<arith::BitcastOp>(type).value;
}

struct Narrow final : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    if (!ds::isSmallFloat(op.getType()))
      return rewriter.notifyMatchFailure(op, "has a type that CPUs know");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value number = op.getIn();
    if (number.getType().getIntOrFloatBitWidth() < 32)
      number = arith::ExtFOp::create(b, b.getF32Type(), number);
    Value code = encode(b, number, Form(cast<FloatType>(op.getType())));
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), code);
    return success();
  }
};

struct Widen final : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op, PatternRewriter &rewriter) const override {
    Type small = op.getIn().getType();
    if (!ds::isSmallFloat(small))
      return rewriter.notifyMatchFailure(op, "has a type that CPUs know");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = cast<FloatType>(op.getType());
    Value code = arith::BitcastOp::create(b, b.getI8Type(), op.getIn());
    // Every such number that fits a type of 16 bits is exact there.
    FloatType wide = type.getWidth() < 32 ? cast<FloatType>(b.getF32Type()) : type;
    Value number = decode(b, code, wide, Form(cast<FloatType>(small)));
    if (wide != type)
      number = arith::TruncFOp::create(b, type, number);
    rewriter.replaceOp(op, number);
    return success();
  }
};

} // namespace

bool ds::isSmallFloat(Type type) {
  return isa<Float8E5M2Type, Float8E4M3Type, Float8E4M3FNType, Float8E5M2FNUZType,
             Float8E4M3FNUZType, Float8E4M3B11FNUZType, Float8E3M4Type>(type);
}

void ds::populateSmallFloatPatterns(RewritePatternSet &patterns) {
  patterns.add<Narrow, Widen>(patterns.getContext());
}
