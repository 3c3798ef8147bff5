//===- FieldReading.cpp - scalar operations over a field ------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rational operations are those of the field; comparisons and conversions are those of the integer
// that represents an element. Every other operation is an arbitrary function: a hash of the
// operation and its operands. For an operation with a rule from another dialect
// (`ScalarRuleOpInterface`) the terms are kept, each scaled by an arbitrary function of its
// coefficients.
//
//===----------------------------------------------------------------------===//
#include "FieldReading.h"

#include "ds/Analysis/ScalarRule.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace ds {
namespace {

/// Returns the name with the attributes that change the computation.
std::string nameOf(Operation *op) {
  std::string name = op->getName().getStringRef().str();
  llvm::raw_string_ostream stream(name);
  for (NamedAttribute attr : op->getAttrs())
    if (!isa<arith::FastMathFlagsAttr>(attr.getValue()))
      stream << ' ' << attr.getName().getValue() << '=' << attr.getValue();
  return name;
}

/// Returns the sign of an element that stands for an infinite constant, +1 or -1; 0 for all others.
int infinityOf(Value value, int64_t largest) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return 0;
  return number.getSExtValue() == largest ? 1 : number.getSExtValue() == -largest ? -1 : 0;
}

CmpIPredicate ordered(CmpFPredicate predicate) {
  switch (predicate) {
  case CmpFPredicate::OEQ:
  case CmpFPredicate::UEQ:
    return CmpIPredicate::eq;
  case CmpFPredicate::OGT:
  case CmpFPredicate::UGT:
    return CmpIPredicate::sgt;
  case CmpFPredicate::OGE:
  case CmpFPredicate::UGE:
    return CmpIPredicate::sge;
  case CmpFPredicate::OLT:
  case CmpFPredicate::ULT:
    return CmpIPredicate::slt;
  case CmpFPredicate::OLE:
  case CmpFPredicate::ULE:
    return CmpIPredicate::sle;
  default:
    return CmpIPredicate::ne;
  }
}

/// A comparison with infinity is a form of `isfinite`: no element is infinite, so the result is
/// drawn as that of `isfinite`; otherwise a step that skips its update would never do so.
Value compareFloats(FieldBuilder &b, arith::CmpFOp op, int64_t largest) {
  switch (op.getPredicate()) {
  case CmpFPredicate::AlwaysFalse:
  case CmpFPredicate::UNO:
    return b.truth(false);
  case CmpFPredicate::AlwaysTrue:
  case CmpFPredicate::ORD:
    return b.truth(true);
  default:
    break;
  }
  Value x = op.getLhs(), y = op.getRhs();
  CmpIPredicate predicate = ordered(op.getPredicate());
  int left = infinityOf(x, largest), right = infinityOf(y, largest);
  if (x == y || (left == 0) == (right == 0))
    return b.compare(predicate, x, y);
  Value finite = b.mostly(b.hash("finite", left ? y : x));
  switch (predicate) {
  case CmpIPredicate::eq:
    return b.select(finite, b.truth(false), b.truth(true));
  case CmpIPredicate::ne:
    return finite;
  default: // true for finite values, depending on the constant's sign
    bool isLess = predicate == CmpIPredicate::slt || predicate == CmpIPredicate::sle;
    bool finiteIsYes = left ? isLess == (left < 0) : isLess == (right > 0);
    return finiteIsYes ? finite : b.select(finite, b.truth(false), b.truth(true));
  }
}

/// Reads operations of floats alone, and to and from integers; null for others.
Value readArith(FieldBuilder &b, Operation *op, int64_t largest) {
  auto in = [op](unsigned i) { return op->getOperand(i); };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](arith::AddFOp) { return b.add(in(0), in(1)); })
      .Case([&](arith::SubFOp) { return b.subtract(in(0), in(1)); })
      .Case([&](arith::MulFOp) { return b.multiply(in(0), in(1)); })
      .Case([&](arith::DivFOp) { return b.divide(in(0), in(1)); })
      .Case([&](arith::NegFOp) { return b.negate(in(0)); })
      .Case([&](math::FmaOp) { return b.add(b.multiply(in(0), in(1)), in(2)); })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>(
          [&](Operation *) { return reduceElements(b, ReductionKind::Max, in(0), in(1)); })
      .Case<arith::MinimumFOp, arith::MinNumFOp>(
          [&](Operation *) { return reduceElements(b, ReductionKind::Min, in(0), in(1)); })
      .Case([&](math::AbsFOp) {
        return reduceElements(b, ReductionKind::Max, in(0), b.negate(in(0)));
      })
      .Case([&](arith::CmpFOp compare) { return compareFloats(b, compare, largest); })
      // Rounding is not modelled.
      .Case<arith::ExtFOp, arith::TruncFOp>([&](Operation *) { return in(0); })
      .Case([&](arith::SIToFPOp) { return b.reduce(b.signExtend(in(0))); })
      .Case([&](arith::UIToFPOp) {
        Value wide = b.zeroExtend(in(0));
        // A 64-bit word's sign is its highest bit, so the word is read as twice its half plus the
        // last bit.
        if (!in(0).getType().isInteger(64))
          return b.reduce(wide);
        Value half = b.reduce(arith::ShRUIOp::create(b.b, op->getLoc(), wide, b.constant(1)));
        Value bit = arith::AndIOp::create(b.b, op->getLoc(), wide, b.constant(1));
        return b.add(b.add(half, half), bit);
      })
      .Case<arith::FPToSIOp, arith::FPToUIOp>(
          [&](Operation *) { return b.truncate(in(0), op->getResult(0).getType()); })
      .Case([&](math::IsFiniteOp) { return b.mostly(b.hash("finite", in(0))); })
      .Case<math::IsNaNOp, math::IsInfOp>([&](Operation *) { return b.truth(false); })
      .Default([](Operation *) { return Value(); });
}

/// Reads the operation as an arbitrary function of all its operands.
SmallVector<Value> readOpaque(FieldBuilder &b, const FloatOperation &read) {
  Operation *op = read.op;
  SmallVector<Value> results;
  for (auto [i, type] : llvm::enumerate(op->getResultTypes())) {
    Value word = b.hash(nameOf(op) + "#" + std::to_string(i), op->getOperands());
    results.push_back(read.results[i] ? b.element(word) : b.integer(word, type));
  }
  return results;
}

/// Reads the terms of a rule, each an arbitrary multiple unless it is the operand itself; none if
/// the rule is about integers.
std::optional<Value> readRule(FieldBuilder &b, const FloatOperation &read, unsigned result) {
  ScalarRule rule = getScalarRule(read.op->getResult(result));
  auto isElement = [&](OpOperand *operand) {
    return operand->getOwner() == read.op && read.operands[operand->getOperandNumber()];
  };
  bool reduces = rule.combiner && *rule.combiner != ReductionKind::Sum && rule.terms.empty();
  if (rule.terms.empty() && !reduces)
    return std::nullopt;
  for (const ScalarTerm &term : rule.terms)
    if (!llvm::all_of(term.factors, isElement))
      return std::nullopt;
  if (reduces) {
    if (!read.operands.all())
      return std::nullopt;
    Value all = read.op->getOperand(0);
    for (Value next : llvm::drop_begin(read.op->getOperands()))
      all = reduceElements(b, *rule.combiner, all, next);
    return all;
  }
  std::string name = nameOf(read.op);
  SmallVector<Value> coefficients;
  for (OpOperand *operand : rule.coefficients)
    if (operand->getOwner() == read.op)
      coefficients.push_back(operand->get());
  Value total;
  for (auto [i, term] : llvm::enumerate(rule.terms)) {
    Value product = term.factors.front()->get();
    for (OpOperand *factor : llvm::drop_begin(term.factors))
      product = b.multiply(product, factor->get());
    std::string ofTerm = name + "#" + std::to_string(result) + "." + std::to_string(i);
    if (!term.isSame)
      product = b.multiply(product, b.element(b.hash(ofTerm, coefficients)));
    if (rule.isChoice && total)
      total = b.select(b.integer(b.hash(ofTerm, coefficients), b.b.getI1Type()), product, total);
    else
      total = total ? b.add(total, product) : product;
  }
  return total;
}

} // namespace

Value reduceElements(FieldBuilder &b, ReductionKind kind, Value x, Value y) {
  switch (kind) {
  case ReductionKind::Sum:
    return b.add(x, y);
  case ReductionKind::Prod:
    return b.multiply(x, y);
  case ReductionKind::Max:
    return b.select(b.compare(CmpIPredicate::sgt, x, y), x, y);
  default:
    return b.select(b.compare(CmpIPredicate::slt, x, y), x, y);
  }
}

std::optional<SmallVector<Value>> readOperation(FieldBuilder &b, FloatOperation &read) {
  Operation *op = read.op;
  bool isKnown = isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op->getDialect());
  if (isKnown)
    if (Value value = readArith(b, op, b.largest()))
      return SmallVector<Value>{value};
  if (!isKnown && !isa<ScalarRuleOpInterface>(op))
    return std::nullopt;
  if (op->getNumRegions() != 0)
    return std::nullopt;
  if (!isKnown) {
    SmallVector<Value> results;
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      if (std::optional<Value> value = readRule(b, read, i))
        results.push_back(*value);
    if (results.size() == op->getNumResults())
      return results;
  }
  read.isOpaque = true;
  return readOpaque(b, read);
}

} // namespace ds
