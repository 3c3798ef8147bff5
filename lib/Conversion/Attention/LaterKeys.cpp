//===- LaterKeys.cpp - Whether keys after a query have an effect -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates the region for any pair of a query and a later key, and for any other pair. Positions
// are known up to their order, so a comparison of them is a number, and a selection by it one of
// two values. A score that is replaced by, or added to, a number of -1e9 or less is so low that its
// exponential is 0; zero times anything is zero. If every reduction and every product then reads
// zeros, or what else has no effect on it, for later keys, they need not be computed.
//
// A row in which all scores are that low would have equal weights for all keys, later ones
// included. So other pairs must have scores that nothing else masks, unless the number is an
// infinity: then such a row is NaN, or a selection sets it to zero.
//
//===----------------------------------------------------------------------===//
#include "AttentionRegion.h"

#include "ds/Conversion/Utils/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace ds;

/// Its exponential is 0 beside any score that a training can have.
static constexpr double lowest = -1e9;
/// Positions are computed by fewer operations than this.
static constexpr unsigned maxDepth = 8;

namespace {

/// Knowledge of an element of a pair.
struct Known {
  enum Kind {
    unknown,
    score,  // finite, and masked by nothing
    number, // `value`
    low,    // `value`, plus any finite number
    query,  // the position of the query, plus `value`
    key,    // that of the key, plus `value`
    ahead,  // the key's minus the query's, plus `value`
    behind  // the query's minus the key's, plus `value`
  };
  Kind kind = unknown;
  double value = 0;

  bool isZero() const { return kind == number && value == 0; }
  bool isLow() const { return kind == low || (kind == number && value <= lowest); }
  bool isNumber(double other) const { return kind == number && value == other; }
};

Known numberOf(Attribute attr) {
  if (auto value = dyn_cast_or_null<FloatAttr>(attr))
    return {Known::number, value.getValueAsDouble()};
  if (auto value = dyn_cast_or_null<IntegerAttr>(attr))
    return {Known::number, value.getType().isInteger(1) ? double(value.getValue().getBoolValue())
                                                        : double(value.getInt())};
  return {};
}

class Evaluator {
public:
  Evaluator(const AttentionRegion &region, bool later) : region(region), later(later) {}

  /// Returns what is known of the element of the operand that a loop reads.
  Known elementOf(Value value, ArrayRef<Axis> axes) {
    auto known = results.find(value);
    if (known != results.end())
      return known->second;
    if (TypedAttr fill = fillOf(value))
      return numberOf(fill);
    Attribute constant;
    if (matchPattern(value, m_Constant(&constant)))
      return isa<ElementsAttr>(constant) ? elementOf(cast<ElementsAttr>(constant), axes)
                                         : numberOf(constant);
    return positionOf(value, axes);
  }

  /// Returns what is known of the element that `op` combines with its result or yields.
  Known visit(linalg::GenericOp op, ArrayRef<Axis> axes) {
    scalars.clear();
    for (OpOperand &operand : op->getOpOperands())
      scalars[op.getMatchingBlockArgument(&operand)] =
          op.isDpsInput(&operand)
              ? elementOf(operand.get(), axesThrough(op.getMatchingIndexingMap(&operand), axes))
              : Known();
    for (Operation &inner : op.getBody()->without_terminator())
      scalars[inner.getResult(0)] = evaluate(&inner, axes);
    return scalarOf(op.getBody()->getTerminator()->getOperand(0));
  }

  Known scalarOf(Value value) const {
    auto known = scalars.find(value);
    if (known != scalars.end())
      return known->second;
    Attribute constant;
    return matchPattern(value, m_Constant(&constant)) ? numberOf(constant) : Known();
  }

  void set(Value value, Known known) { results[value] = known; }

private:
  /// A tensor of positions, outside of the region.
  Known positionOf(Value value, ArrayRef<Axis> axes) const {
    auto op = value.getDefiningOp<linalg::GenericOp>();
    if (!op || depth == maxDepth || op->getNumResults() != 1 || op.getNumReductionLoops() != 0 ||
        !llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isProjectedPermutation(); }))
      return {};
    Evaluator inner(region, later);
    inner.depth = depth + 1;
    return inner.visit(op, axesOfLoops(op, axes));
  }

  /// A constant mask: what all its elements of such pairs are.
  Known elementOf(ElementsAttr constant, ArrayRef<Axis> axes) const {
    if (axes.size() != 2 || !isOfPairs(axes) || !constant.getElementType().isInteger(1))
      return {};
    auto values = constant.tryGetValues<bool>();
    if (!values)
      return {};
    const bool queriesFirst = axes[0].kind == Axis::query;
    std::optional<bool> all;
    for (auto [i, value] : llvm::enumerate(*values)) {
      int64_t outer = i / axes[1].size, inner = i % axes[1].size;
      if ((queriesFirst ? inner > outer : outer > inner) != later)
        continue;
      if (all.value_or(value) != value)
        return {};
      all = value;
    }
    return all ? Known{Known::number, double(*all)} : Known();
  }

  static bool isMasked(const Known &known) { return known.kind == Known::unknown || known.isLow(); }

  Known evaluate(Operation *op, ArrayRef<Axis> axes) const {
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      Axis::Kind kind = axes[index.getDim()].kind;
      return kind == Axis::query ? Known{Known::query}
             : kind == Axis::key ? Known{Known::key}
                                 : Known();
    }
    SmallVector<Known> in =
        llvm::map_to_vector(op->getOperands(), [&](Value value) { return scalarOf(value); });
    if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp, arith::UIToFPOp,
            arith::ExtFOp, arith::TruncFOp>(op))
      return in[0];
    if (isa<arith::SIToFPOp, arith::ExtSIOp>(op)) // of one bit: -1
      return op->getOperand(0).getType().isInteger(1) ? Known() : in[0];
    if (auto compare = dyn_cast<arith::CmpIOp>(op))
      return comparePositions(compare.getPredicate(), in[0], in[1]);
    if (auto compare = dyn_cast<arith::CmpFOp>(op))
      return compareNumbers(compare.getPredicate(), in[0], in[1]);
    if (isa<arith::SelectOp>(op)) {
      if (in[0].kind == Known::number)
        return in[0].value != 0 ? in[1] : in[2];
      if (in[1].kind == Known::number && in[2].isNumber(in[1].value))
        return in[1];
      return isMasked(in[1]) || isMasked(in[2]) ? Known() : Known{Known::score};
    }
    if (isa<arith::AndIOp, arith::OrIOp>(op)) {
      const double absorbing = isa<arith::AndIOp>(op) ? 0 : 1;
      if (!op->getResult(0).getType().isInteger(1))
        return {};
      if (in[0].isNumber(absorbing) || in[1].isNumber(absorbing))
        return {Known::number, absorbing};
      const bool both = in[0].kind == Known::number && in[1].kind == Known::number;
      return both ? Known{Known::number, 1 - absorbing} : Known();
    }
    if (isa<arith::XOrIOp>(op)) {
      const bool both = in[0].kind == Known::number && in[1].kind == Known::number &&
                        op->getResult(0).getType().isInteger(1);
      return both ? Known{Known::number, double(in[0].value != in[1].value)} : Known();
    }
    if (isa<arith::AddIOp, arith::AddFOp>(op))
      return add(in[0], in[1]);
    if (isa<arith::SubIOp>(op))
      return difference(in[0], in[1]);
    if (isa<arith::SubFOp>(op)) {
      if (in[1].kind == Known::number)
        return add(in[0], {Known::number, -in[1].value});
      return in[1].kind == Known::score ? add(in[0], in[1]) : Known();
    }
    if (isa<arith::MulFOp>(op)) {
      if (in[0].isZero() || in[1].isZero())
        return {Known::number, 0};
      return ofScores(in);
    }
    if (isa<arith::DivFOp>(op))
      return in[0].isZero() ? in[0] : ofScores(in);
    if (isa<arith::NegFOp>(op))
      return in[0].isZero() ? in[0] : ofScores(in);
    if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op) && (in[0].isLow() || in[1].isLow()))
      return in[0].isLow() ? in[1] : in[0];
    if (isa<math::ExpOp, math::Exp2Op>(op))
      return in[0].isLow() ? Known{Known::number, 0} : ofScores(in);
    if (op->getNumResults() == 1 && isa<FloatType>(op->getResult(0).getType()))
      return ofScores(in);
    return {};
  }

  /// Arithmetic on scores and numbers is as good as a score.
  static Known ofScores(ArrayRef<Known> in) {
    auto isPlain = [](const Known &known) {
      return known.kind == Known::score || (known.kind == Known::number && !known.isLow());
    };
    return llvm::all_of(in, isPlain) ? Known{Known::score} : Known();
  }

  static Known add(const Known &a, const Known &b) {
    if (b.kind == Known::number && isPosition(a))
      return {a.kind, a.value + b.value};
    if (a.kind == Known::number && isPosition(b))
      return {b.kind, a.value + b.value};
    // An unknown addend may be a bias, or another mask.
    for (auto [masked, other] : {std::pair(a, b), std::pair(b, a)})
      if (masked.isLow() && !(other.kind == Known::number && other.value >= -lowest))
        return {Known::low, masked.value};
    return ofScores({a, b});
  }

  static bool isPosition(const Known &known) {
    return known.kind == Known::number || known.kind >= Known::query;
  }

  /// Returns the difference of two positions, or distances.
  static Known difference(const Known &a, const Known &b) {
    const double value = a.value - b.value;
    if (a.kind == Known::key && b.kind == Known::query)
      return {Known::ahead, value};
    if (a.kind == Known::query && b.kind == Known::key)
      return {Known::behind, value};
    if (isPosition(a) && b.kind == Known::number)
      return {a.kind, value};
    if (isPosition(a) && a.kind == b.kind)
      return {Known::number, value};
    return {};
  }

  Known comparePositions(arith::CmpIPredicate predicate, const Known &a, const Known &b) const {
    if (predicate >= arith::CmpIPredicate::ult &&
        (a.value < 0 || b.value < 0 || a.kind >= Known::ahead || b.kind >= Known::ahead))
      return {}; // a position less a number may wrap
    constexpr double infinity = HUGE_VAL;
    const Known known = difference(a, b);
    switch (known.kind) {
    case Known::number:
      return decide(predicate, known.value, known.value);
    case Known::ahead: // by 1 or more, or by 0 or less
      return later ? decide(predicate, known.value + 1, infinity)
                   : decide(predicate, -infinity, known.value);
    case Known::behind:
      return later ? decide(predicate, -infinity, known.value - 1)
                   : decide(predicate, known.value, infinity);
    default:
      return {};
    }
  }

  /// Returns the comparison of two numbers whose difference is between these two.
  static Known decide(arith::CmpIPredicate predicate, double least, double most) {
    auto result = [](bool isTrue, bool isFalse) {
      return isTrue || isFalse ? Known{Known::number, double(isTrue)} : Known();
    };
    switch (predicate) {
    case arith::CmpIPredicate::eq:
      return result(least == 0 && most == 0, least > 0 || most < 0);
    case arith::CmpIPredicate::ne:
      return result(least > 0 || most < 0, least == 0 && most == 0);
    case arith::CmpIPredicate::slt:
    case arith::CmpIPredicate::ult:
      return result(most < 0, least >= 0);
    case arith::CmpIPredicate::sle:
    case arith::CmpIPredicate::ule:
      return result(most <= 0, least > 0);
    case arith::CmpIPredicate::sgt:
    case arith::CmpIPredicate::ugt:
      return result(least > 0, most <= 0);
    case arith::CmpIPredicate::sge:
    case arith::CmpIPredicate::uge:
      return result(least >= 0, most < 0);
    }
    return {};
  }

  static Known compareNumbers(arith::CmpFPredicate predicate, const Known &a, const Known &b) {
    // Minus infinity plus a finite number is minus infinity.
    auto isExact = [](const Known &known) {
      return known.kind == Known::number || (known.kind == Known::low && std::isinf(known.value));
    };
    if (!isExact(a) || !isExact(b) || std::isnan(a.value) || std::isnan(b.value))
      return {};
    return {Known::number,
            double(arith::applyCmpPredicate(predicate, APFloat(a.value), APFloat(b.value)))};
  }

  const AttentionRegion &region;
  const bool later;
  unsigned depth = 0;
  llvm::DenseMap<Value, Known> results, scalars;
};

/// True if a reduction that reads this of later keys has the result that it has without them.
bool hasNoEffect(linalg::GenericOp op, const Known &element, Operation *combiner) {
  if (isMatrixProduct(op) || isa<arith::AddFOp, arith::AddIOp>(combiner))
    return element.isZero();
  if (isa<arith::MaximumFOp, arith::MaxNumFOp, arith::SelectOp>(combiner))
    return element.isLow();
  if (isa<arith::AndIOp>(combiner))
    return element.isNumber(1);
  return isa<arith::OrIOp>(combiner) && element.isNumber(0);
}

/// Returns the operand that a reduction combines with its result so far; null if its body is
/// another.
Value combinedValue(linalg::GenericOp op) {
  Value out = op.getRegionOutputArgs()[0];
  if (std::pair<Value, Value> larger = operandsOfMaximum(op); larger.first)
    return larger.first == out ? larger.second : larger.second == out ? larger.first : Value();
  Operation *combiner = op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  if (!combiner || combiner->getNumOperands() != 2)
    return {};
  return combiner->getOperand(0) == out   ? combiner->getOperand(1)
         : combiner->getOperand(1) == out ? combiner->getOperand(0)
                                          : Value();
}

} // namespace

bool ds::ignoresLaterKeys(const AttentionRegion &region) {
  Evaluator later(region, true), other(region, false);
  for (auto &[op, axes] : region.ops) {
    Value result = op->getResult(0);
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic) {
      for (Evaluator *each : {&later, &other})
        each->set(result, each->elementOf(op->getOperand(0), {}));
      continue;
    }
    const Known element = later.visit(generic, axes), known = other.visit(generic, axes);
    if (generic.getNumReductionLoops() == 0) {
      later.set(result, element);
      other.set(result, known);
      continue;
    }
    for (Evaluator *each : {&later, &other})
      each->set(result, {Known::score});
    if (isOfPairs(region.axesOf(result)))
      continue; // a product of queries and keys
    Value combined = combinedValue(generic);
    Operation *combiner = generic.getBody()->getTerminator()->getOperand(0).getDefiningOp();
    if (!combined)
      return false;
    const Known masked = later.scalarOf(combined), score = other.scalarOf(combined);
    if (!hasNoEffect(generic, masked, combiner))
      return false;
    if (masked.isLow() && !masked.isZero() && score.kind != Known::score &&
        !std::isinf(masked.value))
      return false;
  }
  return true;
}
