//===- DegreeBound.cpp - The degree of a step -----------------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every value is a quotient of two polynomials. A sum of quotients has the product of their
// denominators, so a sum of k of them has k times the degree; the result of an arbitrary function
// is a new variable. A repeated body adds the same degree each time, as sums and products do, or it
// is treated as unbounded.
//
//===----------------------------------------------------------------------===//
#include "DegreeBound.h"

#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace ds {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

bool isFloat(Value value) { return isa<FloatType>(getElementTypeOrSelf(value)); }

Degree largest(Degree x, Degree y) {
  return {std::max(x.numerator, y.numerator), std::max(x.denominator, y.denominator)};
}
Degree times(Degree x, Degree y) {
  return {x.numerator + y.numerator, x.denominator + y.denominator};
}
Degree plus(Degree x, Degree y) {
  return {std::max(x.numerator + y.denominator, y.numerator + x.denominator),
          x.denominator + y.denominator};
}

class Bound {
public:
  void set(Value value, Degree degree) { known[value] = degree; }
  Degree of(Value value) const { return known.lookup(value); }

  void run(Block &block) {
    for (Operation &op : block)
      visit(&op);
  }

private:
  Degree largestOf(ValueRange values) const {
    Degree all;
    for (Value value : values)
      if (isFloat(value))
        all = largest(all, of(value));
    return all;
  }

  /// Returns the values after `rounds` rounds of a body.
  SmallVector<Degree> repeat(Block &body, ValueRange carried, ValueRange starts, double rounds) {
    SmallVector<Degree> now;
    for (Value start : starts)
      now.push_back(of(start));
    SmallVector<Degree> grown[3];
    for (SmallVector<Degree> &round : grown) {
      for (auto [value, degree] : llvm::zip_equal(carried, now))
        set(value, degree);
      run(body);
      for (Value value : body.getTerminator()->getOperands().take_back(now.size()))
        round.push_back(of(value));
      now = round;
      if (rounds == 1)
        return now;
    }
    auto extend = [&](double first, double second, double third) {
      double more = second - first;
      return !std::isfinite(third) || third - second > more ? unbounded
             : more == 0                                    ? first
                                                            : first + more * (rounds - 1);
    };
    for (auto [i, degree] : llvm::enumerate(now))
      degree = {extend(grown[0][i].numerator, grown[1][i].numerator, grown[2][i].numerator),
                extend(grown[0][i].denominator, grown[1][i].denominator, grown[2][i].denominator)};
    return now;
  }

  void setAll(ValueRange values, ArrayRef<Degree> degrees) {
    for (auto [value, degree] : llvm::zip_equal(values, degrees))
      set(value, degree);
  }

  void visit(Operation *op) {
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      double rounds = 1;
      for (auto [range, kind] :
           llvm::zip(generic.getStaticLoopRanges(), generic.getIteratorTypesArray()))
        if (kind == utils::IteratorType::reduction)
          rounds *= std::max<int64_t>(range, 1);
      for (auto [value, operand] : llvm::zip(generic.getRegionInputArgs(), generic.getDpsInputs()))
        set(value, of(operand));
      return setAll(op->getResults(), repeat(*generic.getBody(), generic.getRegionOutputArgs(),
                                             generic.getDpsInits(), rounds));
    }
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      std::optional<APInt> rounds = loop.getStaticTripCount();
      return setAll(op->getResults(),
                    repeat(*loop.getBody(), loop.getRegionIterArgs(), loop.getInitArgs(),
                           rounds ? rounds->getZExtValue() : unbounded));
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      for (Region &region : op->getRegions())
        for (Block &block : region) {
          run(block);
          for (auto [result, value] :
               llvm::zip(op->getResults(), block.getTerminator()->getOperands()))
            set(result, largest(of(result), of(value)));
        }
      return;
    }
    for (Value result : op->getResults())
      if (isFloat(result))
        set(result, op->getNumRegions() ? Degree{unbounded, unbounded} : ofScalar(op));
  }

  Degree ofScalar(Operation *op) const {
    auto in = [&](unsigned i) { return of(op->getOperand(i)); };
    if (isa<arith::ConstantOp, arith::SIToFPOp, arith::UIToFPOp>(op))
      return {};
    if (isa<arith::AddFOp, arith::SubFOp>(op))
      return plus(in(0), in(1));
    if (isa<arith::MulFOp>(op))
      return times(in(0), in(1));
    if (isa<arith::DivFOp>(op))
      return times(in(0), {in(1).denominator, in(1).numerator});
    if (isa<math::FmaOp>(op))
      return plus(times(in(0), in(1)), in(2));
    bool moves =
        !isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
        isa<arith::SelectOp, arith::NegFOp, arith::ExtFOp, arith::TruncFOp, arith::MaximumFOp,
            arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp, math::AbsFOp>(op);
    if (!moves)
      return {1, 0}; // an arbitrary function
    Degree all = largestOf(op->getOperands());
    auto kind = op->getAttrOfType<ReductionKindAttr>("kind");
    double ranks = kind ? getGroupSize(op, op->getAttr("group")).value_or(1) : 1;
    if (kind && kind.getValue() == ReductionKind::Prod)
      return {ranks * all.numerator, ranks * all.denominator};
    if (kind && (kind.getValue() == ReductionKind::Sum || kind.getValue() == ReductionKind::Mean))
      return {all.numerator + (ranks - 1) * all.denominator, ranks * all.denominator};
    return all;
  }

  DenseMap<Value, Degree> known;
};

} // namespace

Degree boundDegree(ModuleOp module) {
  Degree all;
  module.walk([&](func::FuncOp function) {
    if (function.isExternal())
      return;
    Bound bound;
    for (Value argument : function.getArguments())
      if (isFloat(argument))
        bound.set(argument, {1, 0});
    Block &body = function.getBody().front();
    bound.run(body);
    for (Value result : body.getTerminator()->getOperands())
      if (isFloat(result))
        all = largest(all, bound.of(result));
  });
  return all;
}

} // namespace ds
