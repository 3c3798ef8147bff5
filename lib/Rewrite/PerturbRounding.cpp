//===- PerturbRounding.cpp - A step with other rounding errors ------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Monte Carlo arithmetic (Parker 1997; Verificarlo, Denis et al. 2016) on tensors: after every
// operation that rounds, and on the wide floats among the step's arguments, each element is moved
// by one ulp. The direction is a hash of the given number, the operation and the element, so a
// sample can be repeated. A sum of n terms rounds n times: terms of one sign lose about sqrt(n)
// ulps of the sum, terms of both signs sqrt(n) ulps of each term (Higham and Mary, SIAM J. Sci.
// Comput. 41(5), 2019), so both are moved by that. Moving the terms by one ulp would not be enough:
// a partial sum is so much larger than its terms that it would round as before.
//
// Values whose mantissa ends in zeros over half of its length stay: they are integers, masks and
// counts, which are exact, and a step may compare them or round them down. The result of a function
// or a quotient is rounded even if it looks exact: a sigmoid that is 1 may be an ulp less, but
// never more, since its users may not accept more. Infinities, NaNs, zeros and the largest numbers
// (masks of softmax) stay, too.
//
//===----------------------------------------------------------------------===//
#include "ds/Rewrite/PerturbRounding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

using namespace mlir;

namespace ds {

/// True if an operation on scalars returns a rounded float.
static bool roundsScalars(Operation *op) {
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::TruncFOp>(op))
    return true;
  return isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
         !isa<math::AbsFOp, math::FloorOp, math::CeilOp, math::RoundOp, math::RoundEvenOp,
              math::TruncOp, math::CopySignOp>(op);
}

/// True if that float may look exact: functions saturate at bounds such as 1.
static bool saturatesScalars(Operation *op) {
  return isa<arith::DivFOp>(op) ||
         (isa_and_nonnull<math::MathDialect>(op->getDialect()) && roundsScalars(op));
}

static bool anyStatement(Operation *op, bool (*holds)(Operation *)) {
  if (auto linalg = dyn_cast<linalg::LinalgOp>(op))
    return llvm::any_of(*linalg.getBlock(), [&](Operation &inner) { return holds(&inner); });
  return holds(op);
}

static bool isFloatTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type.getElementType());
}

static bool isWideFloatTensor(Value value) {
  return isFloatTensor(value) &&
         cast<RankedTensorType>(value.getType()).getElementTypeBitWidth() >= 32;
}

/// Returns the error in ulps of a sum of operands, or of products of operands; 1 for other
/// operations. Libraries that keep channels in vector lanes add all pixels of a batch in one chain
/// (the gradient of a convolution's bias in oneDNN), but all libraries block the longest sums.
static int64_t errorOf(linalg::LinalgOp op) {
  constexpr int64_t longestChain = 65536;
  Block &body = *op.getBlock();
  auto add = body.getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  bool sums = op.getNumDpsInits() == 1 && add &&
              llvm::is_contained(add->getOperands(), op.getRegionOutputArgs()[0]) &&
              llvm::all_of(body.without_terminator(), [&](Operation &inner) {
                return &inner == add || isa<arith::MulFOp, arith::ExtFOp>(inner);
              });
  int64_t terms = 1;
  for (auto [size, kind] : llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    if (sums && kind == utils::IteratorType::reduction && !ShapedType::isDynamic(size))
      terms = std::min(terms * size, longestChain);
  return std::llround(std::sqrt(terms));
}

namespace {
/// Writes scalar code for integers of one type.
struct Integers {
  OpBuilder &b;
  Location loc;
  Type type;

  Value constant(uint64_t value) const {
    return arith::ConstantOp::create(
        b, loc, type,
        IntegerAttr::get(type, APInt(type.getIntOrFloatBitWidth(), value, /*isSigned=*/false,
                                     /*implicitTrunc=*/true)));
  }
  Value add(Value x, Value y) const { return arith::AddIOp::create(b, loc, x, y); }
  Value multiply(Value x, uint64_t factor) const {
    return arith::MulIOp::create(b, loc, x, constant(factor));
  }
  Value mask(Value x, uint64_t bits) const {
    return arith::AndIOp::create(b, loc, x, constant(bits));
  }
  Value shiftIn(Value x, uint64_t bits) const {
    return arith::XOrIOp::create(b, loc, x, arith::ShRUIOp::create(b, loc, x, constant(bits)));
  }
  Value compare(arith::CmpIPredicate predicate, Value x, uint64_t with) const {
    return arith::CmpIOp::create(b, loc, predicate, x, constant(with));
  }
};

class Perturber {
public:
  Perturber(func::FuncOp step, Value number) : step(step), number(number) {}

  void run() {
    SmallVector<Value> values;
    SmallVector<linalg::LinalgOp> sums;
    for (BlockArgument argument : step.getArguments())
      // Both sides receive the same narrow argument, so an ulp of it is no rounding error.
      if (isWideFloatTensor(argument))
        values.push_back(argument);
    step.walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto linalg = dyn_cast<linalg::LinalgOp>(op);
      if (anyStatement(op, roundsScalars))
        llvm::copy_if(op->getResults(), std::back_inserter(values), isFloatTensor);
      if (linalg && errorOf(linalg) > 1)
        sums.push_back(linalg);
      return linalg ? WalkResult::skip() : WalkResult::advance();
    });
    OpBuilder b(step.getContext());
    for (Value value : values) {
      b.setInsertionPointAfterValue(value);
      auto sum = value.getDefiningOp<linalg::LinalgOp>();
      Value moved = move(b, value, sum ? errorOf(sum) : 1);
      value.replaceAllUsesExcept(moved, moved.getDefiningOp());
    }
    for (linalg::LinalgOp sum : sums)
      for (OpOperand *term : sum.getDpsInputOperands())
        if (isWideFloatTensor(term->get())) {
          b.setInsertionPoint(sum);
          term->set(move(b, term->get(), errorOf(sum)));
        }
  }

private:
  Value move(OpBuilder &b, Value value, int64_t ulps);
  Value hash(OpBuilder &b, Location loc, Value given, RankedTensorType type, uint32_t salt) const;

  func::FuncOp step;
  Value number;
  uint32_t salt = 0;
};

/// Returns Murmur3's finaliser of the given number, the operation, the element, and the iteration
/// of each enclosing loop.
Value Perturber::hash(OpBuilder &b, Location loc, Value given, RankedTensorType type,
                      uint32_t salt) const {
  Integers i32{b, loc, b.getI32Type()};
  Value x = i32.add(i32.multiply(given, 0x9e3779b9), i32.constant(salt));
  Value element = i32.constant(0);
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    Value index =
        arith::IndexCastOp::create(b, loc, i32.type, linalg::IndexOp::create(b, loc, dim));
    element = i32.add(i32.multiply(element, type.getDimSize(dim)), index);
  }
  x = i32.add(x, i32.multiply(element, 0x85ebca6b));
  for (Operation *at = b.getInsertionBlock()->getParentOp(); at; at = at->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(at);
    if (!loop)
      continue;
    Value round = loop.getInductionVar();
    if (round.getType().isIndex())
      round = arith::IndexCastOp::create(b, loc, i32.type, round);
    else if (round.getType().getIntOrFloatBitWidth() > 32)
      round = arith::TruncIOp::create(b, loc, i32.type, round);
    else if (round.getType().getIntOrFloatBitWidth() < 32)
      round = arith::ExtUIOp::create(b, loc, i32.type, round);
    x = i32.shiftIn(i32.multiply(i32.add(x, round), 0xcc9e2d51), 15);
  }
  x = i32.multiply(i32.shiftIn(x, 16), 0x85ebca6b);
  x = i32.multiply(i32.shiftIn(x, 13), 0xc2b2ae35);
  return i32.shiftIn(x, 16);
}

/// Returns the value with each element moved by `ulps` ulps, up or down.
Value Perturber::move(OpBuilder &b, Value value, int64_t ulps) {
  Location loc = value.getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  auto element = cast<FloatType>(type.getElementType());
  unsigned width = element.getWidth(), mantissa = element.getFPMantissaWidth() - 1;
  uint64_t lowerHalf = (uint64_t(1) << ((mantissa + 1) / 2)) - 1;
  uint64_t exponents = ((uint64_t(1) << (width - 1 - mantissa)) - 1) << mantissa;
  uint32_t own = salt += 0x27d4eb2f;
  Operation *made = value.getDefiningOp();
  bool saturates = made && anyStatement(made, saturatesScalars);

  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), element);
  AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
  AffineMap scalar = AffineMap::get(type.getRank(), 0, b.getContext());
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  auto body = [&](OpBuilder &in, Location at, ValueRange args) {
    Integers i32{in, at, in.getI32Type()}, word{in, at, in.getIntegerType(width)};
    Value up = i32.mask(hash(in, at, args[1], type, own), 1);
    // ulps or -ulps
    Value by = i32.add(i32.constant(ulps), i32.multiply(up, -2 * ulps));
    if (width > 32)
      by = arith::ExtSIOp::create(in, at, word.type, by);
    else if (width < 32)
      by = arith::TruncIOp::create(in, at, word.type, by);
    Value bits = arith::BitcastOp::create(in, at, word.type, args[0]);
    Value exponent = word.mask(bits, exponents);
    uint64_t unit = uint64_t(1) << mantissa;
    Value looksExact = word.compare(arith::CmpIPredicate::eq, word.mask(bits, lowerHalf), 0);
    Value stays = looksExact;
    if (saturates) {
      Value atMost = arith::MinSIOp::create(in, at, by, word.constant(0));
      by = arith::SelectOp::create(in, at, looksExact, atMost, by);
      stays = arith::ConstantIntOp::create(in, at, 0, 1);
    }
    for (Value other : {i32.compare(arith::CmpIPredicate::eq, args[1], 0),
                        word.compare(arith::CmpIPredicate::eq, exponent, 0),
                        word.compare(arith::CmpIPredicate::uge, exponent, exponents - unit)})
      stays = arith::OrIOp::create(in, at, stays, other);
    Value moved = arith::SelectOp::create(in, at, stays, bits, word.add(bits, by));
    linalg::YieldOp::create(in, at, arith::BitcastOp::create(in, at, element, moved).getResult());
  };
  return linalg::GenericOp::create(b, loc, type, ValueRange{value, number}, empty,
                                   ArrayRef<AffineMap>{identity, scalar, identity}, loops, body)
      .getResult(0);
}
} // namespace

void perturbRounding(func::FuncOp step) {
  MLIRContext *ctx = step.getContext();
  auto type = RankedTensorType::get({}, IntegerType::get(ctx, 32));
  unsigned last = step.getNumArguments();
  auto name = NamedAttribute(StringAttr::get(ctx, "ds.name"), StringAttr::get(ctx, "perturbation"));
  (void)step.insertArgument(last, type, DictionaryAttr::get(ctx, name), step.getLoc());
  Perturber(step, step.getArgument(last)).run();
}

} // namespace ds
