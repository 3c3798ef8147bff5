//===- FieldBuilder.cpp - scalar code over a prime field ------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements are in [-(p - 1) / 2, (p - 1) / 2], so a product and an element together need 62 bits.
// Modulo 2^31 - 1 the bits from the 31st on count as the low ones, which vectorises; other primes
// take a division.
//
//===----------------------------------------------------------------------===//
#include "FieldBuilder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using Predicate = arith::CmpIPredicate;

namespace ds {

void FieldBuilder::at(Operation *op) {
  b.setInsertionPoint(op);
  loc = op->getLoc();
  function = op->getParentOfType<func::FuncOp>();
}

void FieldBuilder::at(OpBuilder::InsertPoint point, Location location) {
  b.restoreInsertionPoint(point);
  loc = location;
}

Value FieldBuilder::constant(int64_t number) {
  Value &known = constants[{function, number}];
  if (!known) {
    OpBuilder start = OpBuilder::atBlockBegin(&function.getBody().front());
    known = arith::ConstantOp::create(start, function.getLoc(), b.getI64IntegerAttr(number));
  }
  return known;
}

Value FieldBuilder::truth(bool value) { return make<arith::ConstantOp>(b.getBoolAttr(value)); }

Value FieldBuilder::mask(Value x, int64_t bits) { return make<arith::AndIOp>(x, constant(bits)); }

Value FieldBuilder::compare(Predicate predicate, Value x, Value y) {
  return make<arith::CmpIOp>(predicate, x, y);
}

Value FieldBuilder::select(Value condition, Value x, Value y) {
  return make<arith::SelectOp>(condition, x, y);
}

Value FieldBuilder::lower(Value x) {
  Value tooLarge = compare(Predicate::sgt, x, constant(field.largest()));
  return select(tooLarge, make<arith::SubIOp>(x, constant(field.prime())), x);
}

Value FieldBuilder::raise(Value x) {
  Value tooSmall = compare(Predicate::slt, x, constant(-field.largest()));
  return select(tooSmall, make<arith::AddIOp>(x, constant(field.prime())), x);
}

Value FieldBuilder::reduce(Value number) {
  return field.prime() == PrimeField::firstPrime ? reduceProduct(fold(number))
                                                 : reduceProduct(number);
}

/// Adds the bits from the 31st on to the low ones, which is the same modulo 2^31 - 1.
Value FieldBuilder::fold(Value number) {
  return make<arith::AddIOp>(mask(number, field.prime()),
                             make<arith::ShRSIOp>(number, constant(31)));
}

/// Folding 61 bits with a sign once gives [-2^29 - 1, 2^31 + 2^29), so subtracting one prime is
/// enough.
Value FieldBuilder::reduceProduct(Value number) {
  if (field.prime() == PrimeField::firstPrime)
    return lower(fold(number));
  return raise(lower(make<arith::RemSIOp>(number, constant(field.prime()))));
}

Value FieldBuilder::add(Value x, Value y) {
  Value left = products.lookup(x), right = products.lookup(y);
  if (left) // one product alone fits beside an element
    return reduceProduct(make<arith::AddIOp>(left, y));
  if (right)
    return reduceProduct(make<arith::AddIOp>(x, right));
  return raise(lower(make<arith::AddIOp>(x, y)));
}

Value FieldBuilder::subtract(Value x, Value y) { return raise(lower(make<arith::SubIOp>(x, y))); }

Value FieldBuilder::negate(Value x) { return make<arith::SubIOp>(constant(0), x); }

Value FieldBuilder::multiply(Value x, Value y) {
  Value product = make<arith::MulIOp>(x, y);
  Value reduced = reduceProduct(product);
  products[reduced] = product;
  return reduced;
}

/// x^(p - 2), by Fermat, using the exponent's bits from the second highest down.
Value FieldBuilder::inverse(Value x) {
  APInt number;
  if (matchPattern(x, m_ConstantInt(&number)))
    return constant(field.inverse(number.getSExtValue()));
  int64_t exponent = field.prime() - 2, bits = llvm::Log2_64(exponent);
  Value first = make<arith::ConstantIndexOp>(0), end = make<arith::ConstantIndexOp>(bits);
  Value step = make<arith::ConstantIndexOp>(1);
  auto loop = scf::ForOp::create(b, loc, first, end, step, x);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value round = make<arith::IndexCastOp>(b.getI64Type(), loop.getInductionVar());
  Value shift = make<arith::SubIOp>(constant(bits - 1), round);
  Value bit = mask(make<arith::ShRUIOp>(constant(exponent), shift), 1);
  Value square = multiply(loop.getRegionIterArg(0), loop.getRegionIterArg(0));
  Value factor = select(compare(Predicate::ne, bit, constant(0)), x, constant(1));
  scf::YieldOp::create(b, loc, multiply(square, factor));
  return loop.getResult(0);
}

Value FieldBuilder::mix(Value word, uint64_t factor, int64_t bits) {
  word = make<arith::MulIOp>(word, constant(factor));
  return make<arith::XOrIOp>(word, make<arith::ShRUIOp>(word, constant(bits)));
}

Value FieldBuilder::hash(StringRef name, ValueRange operands) {
  Value word = constant(mixBits(seed ^ llvm::xxh3_64bits(name)));
  for (Value operand : operands)
    word = mix(make<arith::XOrIOp>(word, zeroExtend(operand)), 0xbf58476d1ce4e5b9, 27);
  return mix(word, 0x94d049bb133111eb, 31);
}

/// 30 bits around zero, all of them elements.
Value FieldBuilder::element(Value word) {
  return make<arith::SubIOp>(make<arith::ShRUIOp>(word, constant(34)), constant(1 << 29));
}

Value FieldBuilder::integer(Value word, Type type) {
  return truncate(make<arith::ShRUIOp>(word, constant(1)), type);
}

Value FieldBuilder::mostly(Value word) {
  int64_t rare = (int64_t(2) << (seed % 12)) - 1;
  return compare(Predicate::ne, mask(word, rare), constant(0));
}

Value FieldBuilder::zeroExtend(Value integer) {
  if (integer.getType().isIndex())
    return make<arith::IndexCastOp>(b.getI64Type(), integer);
  if (integer.getType().getIntOrFloatBitWidth() < 64)
    return make<arith::ExtUIOp>(b.getI64Type(), integer);
  return truncate(integer, b.getI64Type());
}

Value FieldBuilder::signExtend(Value integer) {
  if (integer.getType().isIndex())
    return make<arith::IndexCastOp>(b.getI64Type(), integer);
  if (integer.getType().getIntOrFloatBitWidth() < 64)
    return make<arith::ExtSIOp>(b.getI64Type(), integer);
  return truncate(integer, b.getI64Type());
}

Value FieldBuilder::truncate(Value x, Type type) {
  if (x.getType() == type)
    return x;
  if (type.isIndex())
    return make<arith::IndexCastOp>(type, x);
  if (type.getIntOrFloatBitWidth() > x.getType().getIntOrFloatBitWidth())
    return make<arith::ExtSIOp>(type, x);
  return make<arith::TruncIOp>(type, x);
}

} // namespace ds
