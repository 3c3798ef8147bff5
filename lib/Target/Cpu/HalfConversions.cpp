//===- HalfConversions.cpp - f16 and bf16 in integer instructions -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Straight lines of selects, which vectorise on every instruction set. bf16 is never left to the
// target: AVX512_BF16 flushes denormals and others call a library. No floating point instruction
// here has a denormal operand that matters, so that threads which flush denormals convert alike.
//
// Rounding to odd (truncate, then set the last bit if anything was lost) keeps a value on its side
// of every tie of a narrower type, which makes a second rounding harmless.
//
//===----------------------------------------------------------------------===//
#include "HalfConversions.h"

using namespace llvm;
using namespace ds;

Type *HalfConversions::like(Value *shape, Type *scalar) const {
  return shape->getType()->getWithNewType(scalar);
}

Constant *HalfConversions::number(Value *like, uint64_t value) const {
  return ConstantInt::get(like->getType(), value);
}

Value *HalfConversions::extend(Value *bits, Half kind) {
  if (kind == Half::f16)
    return extendF16(bits);
  Value *wide = builder.CreateZExt(bits, like(bits, builder.getInt32Ty()));
  return builder.CreateBitCast(builder.CreateShl(wide, number(wide, 16)),
                               like(bits, builder.getFloatTy()));
}

Value *HalfConversions::extendF16(Value *bits) {
  Type *floats = like(bits, builder.getFloatTy());
  if (hasF16)
    return builder.CreateFPExt(builder.CreateBitCast(bits, like(bits, builder.getHalfTy())),
                               floats);
  Value *half = builder.CreateZExt(bits, like(bits, builder.getInt32Ty()));
  Value *sign = builder.CreateShl(builder.CreateAnd(half, 0x8000), number(half, 16));
  Value *magnitude = builder.CreateAnd(half, 0x7fff);
  Value *moved = builder.CreateShl(magnitude, number(half, 13));
  // A denormal is its mantissa times 2^-24, a normal f32.
  Value *denormal = builder.CreateBitCast(
      builder.CreateFMul(builder.CreateSIToFP(magnitude, floats), ConstantFP::get(floats, 0x1p-24)),
      half->getType());
  Value *normal = builder.CreateAdd(moved, number(half, 112u << 23));
  Value *infinite = builder.CreateOr(moved, 0x7f800000);
  Value *nan = builder.CreateOr(moved, 0x7fc00000);
  Value *value = builder.CreateSelect(
      builder.CreateICmpULT(magnitude, number(half, 0x400)), denormal,
      builder.CreateSelect(
          builder.CreateICmpULT(magnitude, number(half, 0x7c00)), normal,
          builder.CreateSelect(builder.CreateICmpEQ(magnitude, number(half, 0x7c00)), infinite,
                               nan)));
  return builder.CreateBitCast(builder.CreateOr(sign, value), floats);
}

Value *HalfConversions::truncate(Value *wide, Half kind) {
  if (wide->getType()->getScalarType()->isDoubleTy())
    return truncateF64(wide, kind);
  return kind == Half::f16 ? truncateF32ToF16(wide) : truncateF32ToBF16(wide);
}

Value *HalfConversions::truncateF32ToBF16(Value *wide) {
  Value *bits = builder.CreateBitCast(wide, like(wide, builder.getInt32Ty()));
  Value *kept = builder.CreateLShr(bits, 16);
  Value *rounded = builder.CreateLShr(
      builder.CreateAdd(builder.CreateAdd(bits, number(bits, 0x7fff)), builder.CreateAnd(kept, 1)),
      16);
  Value *quiet = builder.CreateOr(kept, 0x40);
  Value *isNaN =
      builder.CreateICmpUGT(builder.CreateAnd(bits, 0x7fffffff), number(bits, 0x7f800000));
  return builder.CreateTrunc(builder.CreateSelect(isNaN, quiet, rounded),
                             like(wide, builder.getInt16Ty()));
}

Value *HalfConversions::truncateF32ToF16(Value *wide) {
  Type *halves = like(wide, builder.getInt16Ty());
  if (hasF16)
    return builder.CreateBitCast(builder.CreateFPTrunc(wide, like(wide, builder.getHalfTy())),
                                 halves);
  Value *bits = builder.CreateBitCast(wide, like(wide, builder.getInt32Ty()));
  Value *sign = builder.CreateAnd(builder.CreateLShr(bits, 16), 0x8000);
  Value *magnitude = builder.CreateAnd(bits, 0x7fffffff);
  // Below 2^-14 the result is denormal. The unit of 0.5f is 2^-24, so this addition rounds to whole
  // units.
  Value *sum = builder.CreateFAdd(builder.CreateBitCast(magnitude, wide->getType()),
                                  ConstantFP::get(wide->getType(), 0.5));
  Value *denormal =
      builder.CreateSub(builder.CreateBitCast(sum, bits->getType()), number(bits, 0x3f000000));
  Value *odd = builder.CreateAnd(builder.CreateLShr(magnitude, 13), 1);
  Value *rebiased = builder.CreateSub(magnitude, number(bits, (112u << 23) - 0xfff));
  Value *normal = builder.CreateLShr(builder.CreateAdd(rebiased, odd), 13);
  Value *nan =
      builder.CreateOr(builder.CreateAnd(builder.CreateLShr(magnitude, 13), 0x3ff), 0x7e00);
  // 65520 is the first that rounds to infinity.
  Value *value = builder.CreateSelect(
      builder.CreateICmpULT(magnitude, number(bits, 113u << 23)), denormal,
      builder.CreateSelect(
          builder.CreateICmpULT(magnitude, number(bits, 0x477ff000)), normal,
          builder.CreateSelect(builder.CreateICmpULE(magnitude, number(bits, 0x7f800000)),
                               number(bits, 0x7c00), nan)));
  return builder.CreateTrunc(builder.CreateOr(sign, value), halves);
}

Value *HalfConversions::truncateF64(Value *wide, Half kind) {
  unsigned mantissa = kind == Half::f16 ? 10 : 7;
  unsigned exponents = kind == Half::f16 ? 5 : 8;
  uint64_t bias = (uint64_t(1) << (exponents - 1)) - 1;
  uint64_t infinity = ((uint64_t(1) << exponents) - 1) << mantissa;
  unsigned dropped = 52 - mantissa;
  constexpr uint64_t one = uint64_t(1) << 52;

  Value *bits = builder.CreateBitCast(wide, like(wide, builder.getInt64Ty()));
  Value *sign = builder.CreateAnd(builder.CreateLShr(bits, 48), 0x8000);
  Value *magnitude = builder.CreateAnd(bits, ~uint64_t(0) >> 1);
  Value *kept = builder.CreateLShr(magnitude, dropped);
  // Adding just under one half, and the rest of it to odd numbers, carries where it rounds up.
  Value *rebiased = builder.CreateSub(magnitude, number(bits, (1023 - bias) * one));
  uint64_t underHalf = (uint64_t(1) << (dropped - 1)) - 1;
  Value *normal =
      builder.CreateLShr(builder.CreateAdd(builder.CreateAdd(rebiased, number(bits, underHalf)),
                                           builder.CreateAnd(kept, 1)),
                         dropped);
  // A denormal result drops more, by as much as its exponent lies below the least.
  uint64_t least = 1023 - bias + 1;
  Value *missing =
      builder.CreateSub(number(bits, least + dropped), builder.CreateLShr(magnitude, 52));
  Value *shift = builder.CreateSelect(builder.CreateICmpULT(missing, number(bits, 60)), missing,
                                      number(bits, 60));
  Value *significand = builder.CreateOr(builder.CreateAnd(magnitude, one - 1), one);
  Value *half = builder.CreateShl(number(bits, 1), builder.CreateSub(shift, number(bits, 1)));
  Value *last = builder.CreateAnd(builder.CreateLShr(significand, shift), 1);
  Value *denormal = builder.CreateLShr(
      builder.CreateAdd(builder.CreateAdd(significand, builder.CreateSub(half, number(bits, 1))),
                        last),
      shift);
  Value *nan = builder.CreateOr(builder.CreateAnd(kept, (uint64_t(1) << mantissa) - 1),
                                infinity | uint64_t(1) << (mantissa - 1));
  Value *overflown = builder.CreateSelect(
      builder.CreateICmpULE(magnitude, number(bits, 2047 * one)), number(bits, infinity), nan);
  // The largest finite number and half of its unit: rounds, being a tie with an odd number, up.
  uint64_t limit = ((1023 + bias + 1) * one) - (uint64_t(1) << (dropped - 1));
  Value *value = builder.CreateSelect(
      builder.CreateICmpULT(magnitude, number(bits, least * one)), denormal,
      builder.CreateSelect(builder.CreateICmpULT(magnitude, number(bits, limit)), normal,
                           overflown));
  return builder.CreateTrunc(builder.CreateOr(sign, value), like(wide, builder.getInt16Ty()));
}

Value *HalfConversions::roundToOdd(Value *integer, unsigned dropped) {
  uint64_t mask = (uint64_t(1) << dropped) - 1;
  Value *lost =
      builder.CreateAdd(builder.CreateAnd(integer, mask), number(integer, mask)); // carries if any
  return builder.CreateAnd(builder.CreateOr(integer, lost), ~mask);
}

Value *HalfConversions::fromInteger(Value *integer, bool isSigned, Half kind) {
  unsigned width = integer->getType()->getScalarSizeInBits();
  Type *floats = like(integer, builder.getFloatTy());
  auto convert = [&](Value *value, Type *type) {
    return isSigned ? builder.CreateSIToFP(value, type) : builder.CreateUIToFP(value, type);
  };
  if (width <= 24)
    return truncate(convert(integer, floats), kind);
  if (width < 64 && width != 32) {
    Type *next = like(integer, builder.getIntNTy(width < 32 ? 32 : 64));
    return fromInteger(isSigned ? builder.CreateSExt(integer, next)
                                : builder.CreateZExt(integer, next),
                       isSigned, kind);
  }
  if (kind == Half::f16) {
    // Everything beyond 2^17 is infinite, and below it f32 is exact.
    constexpr int64_t limit = 1 << 17;
    Value *clamped = builder.CreateBinaryIntrinsic(isSigned ? Intrinsic::smin : Intrinsic::umin,
                                                   integer, number(integer, limit));
    if (isSigned)
      clamped = builder.CreateBinaryIntrinsic(Intrinsic::smax, clamped,
                                              ConstantInt::getSigned(integer->getType(), -limit));
    Value *narrow = builder.CreateTrunc(clamped, like(integer, builder.getInt32Ty()));
    return truncate(builder.CreateSIToFP(narrow, floats), kind);
  }
  // The integers that the float holds exactly, and beyond them multiples of the dropped unit.
  unsigned exact = width == 32 ? 24 : 53, dropped = width - exact;
  uint64_t bound = uint64_t(1) << exact;
  Value *isExact = isSigned
                       ? builder.CreateICmpULE(builder.CreateAdd(integer, number(integer, bound)),
                                               number(integer, 2 * bound))
                       : builder.CreateICmpULE(integer, number(integer, bound));
  Value *odd = builder.CreateSelect(isExact, integer, roundToOdd(integer, dropped));
  return truncate(convert(odd, width == 32 ? floats : like(integer, builder.getDoubleTy())), kind);
}

Value *HalfConversions::fusedMultiplyAdd(Value *a, Value *b, Value *c, Half kind) {
  Type *doubles = like(a, builder.getDoubleTy());
  auto wide = [&](Value *bits) { return builder.CreateFPExt(extend(bits, kind), doubles); };
  Value *product = builder.CreateFMul(wide(a), wide(b)); // exact
  Value *addend = wide(c);
  Value *sum = builder.CreateFAdd(product, addend);
  // The rounding error of the sum, exactly (Knuth's two-sum).
  Value *second = builder.CreateFSub(sum, product);
  Value *first = builder.CreateFSub(sum, second);
  Value *lost =
      builder.CreateFAdd(builder.CreateFSub(product, first), builder.CreateFSub(addend, second));
  Value *zero = ConstantFP::getZero(doubles);
  Value *isInexact = builder.CreateFCmpONE(lost, zero);
  Value *bits = builder.CreateBitCast(sum, like(a, builder.getInt64Ty()));
  Value *isTooFar =
      builder.CreateXor(builder.CreateFCmpOLT(lost, zero), builder.CreateFCmpOLT(sum, zero));
  Value *towardsZero = builder.CreateSub(bits, builder.CreateZExt(isTooFar, bits->getType()));
  Value *odd = builder.CreateSelect(isInexact, builder.CreateOr(towardsZero, 1), bits);
  return truncate(builder.CreateBitCast(odd, doubles), kind);
}

Value *HalfConversions::sameClass(Value *bits, Half kind) {
  if (kind == Half::bf16)
    return extend(bits, kind);
  Value *half = builder.CreateZExt(bits, like(bits, builder.getInt32Ty()));
  Value *sign = builder.CreateShl(builder.CreateAnd(half, 0x8000), number(half, 16));
  Value *mantissa = builder.CreateShl(builder.CreateAnd(half, 0x3ff), number(half, 13));
  Value *exponent = builder.CreateAnd(half, 0x7c00);
  Value *wide = builder.CreateSelect(
      builder.CreateICmpEQ(exponent, number(half, 0)), number(half, 0),
      builder.CreateSelect(builder.CreateICmpEQ(exponent, number(half, 0x7c00)),
                           number(half, 0x7f800000), number(half, 0x3f800000)));
  return builder.CreateBitCast(builder.CreateOr(builder.CreateOr(sign, mantissa), wide),
                               like(bits, builder.getFloatTy()));
}
