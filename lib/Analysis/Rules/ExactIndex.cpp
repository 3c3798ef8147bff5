//===- ExactIndex.cpp - Is a position the index of a loop -----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gather reads the samples' dimension at a position that front ends compute in roundabout ways:
// clamped, wrapped if negative, or stored in a tensor next to other coordinates. The value is
// followed backward, through tensor elements too, and is known if it is a constant or the index of
// one loop. Anything else is unknown. A budget bounds the work for one position.
//
//===----------------------------------------------------------------------===//
#include "LinalgLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

using namespace mlir;
using linalg::LinalgOp;

namespace ds {
namespace {

/// Knowledge of an integer: nothing, its constant value, or the loop whose index it is.
struct Known {
  enum Kind { Nothing, Constant, Loop } kind = Nothing;
  int64_t number = 0; // the constant, or the number of the loop

  static Known constant(int64_t value) { return {Constant, value}; }
  bool isConstant() const { return kind == Constant; }
  bool operator==(const Known &o) const { return kind == o.kind && number == o.number; }
};

class IndexTracer {
public:
  explicit IndexTracer(LinalgOp op) : extents(op.getStaticLoopRanges()) {
    scope.op = op;
    for (unsigned loop = 0; loop < extents.size(); ++loop)
      scope.loops.push_back({Known::Loop, loop});
  }

  Known trace(Value value) { return scalar(value, scope); }

private:
  /// A linalg operation whose body is followed, and what is known of its loop indices.
  struct Scope {
    LinalgOp op;
    SmallVector<Known> loops;
  };
  using Operand = llvm::function_ref<Known(Value)>;

  Known scalar(Value value, Scope &in);
  Known element(Value tensor, ArrayRef<Known> at);
  Known elementOfPiece(tensor::ConcatOp op, ArrayRef<Known> at);
  Known elementOfSlice(tensor::ExtractSliceOp op, ArrayRef<Known> at);
  Known elementOfConstant(DenseElementsAttr values, ArrayRef<Known> at) const;
  Known elementOfResult(OpResult result, ArrayRef<Known> at);
  Known compute(Operation *op, Operand operand) const;
  Known select(Known condition, Known x, Known y) const;

  /// Returns the smallest and the largest value.
  std::optional<std::pair<int64_t, int64_t>> rangeOf(Known x) const {
    if (x.isConstant())
      return std::pair(x.number, x.number);
    if (x.kind == Known::Loop && !ShapedType::isDynamic(extents[x.number]))
      return std::pair(int64_t(0), extents[x.number] - 1);
    return std::nullopt;
  }
  /// The range in upstream's form.
  ConstantIntRanges rangeIn(Type type, Known x) const {
    unsigned bits = ConstantIntRanges::getStorageBitwidth(type);
    auto toNumber = [&](int64_t value) {
      return APInt(bits, value, /*isSigned=*/true, /*implicitTrunc=*/true);
    };
    auto range = rangeOf(x);
    return range ? ConstantIntRanges::fromSigned(toNumber(range->first), toNumber(range->second))
                 : ConstantIntRanges::maxRange(bits);
  }

  SmallVector<int64_t> extents;
  Scope scope;
  unsigned budget = 4096;
};

Known IndexTracer::scalar(Value value, Scope &in) {
  if (budget == 0)
    return {};
  --budget;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (!in.op || argument.getOwner() != in.op.getBlock())
      return {};
    OpOperand *operand = in.op.getMatchingOpOperand(argument);
    SmallVector<Known> at;
    for (AffineExpr expr : in.op.getMatchingIndexingMap(operand).getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      auto constant = dyn_cast<AffineConstantExpr>(expr);
      at.push_back(dim        ? in.loops[dim.getPosition()]
                   : constant ? Known::constant(constant.getValue())
                              : Known());
    }
    return element(operand->get(), at);
  }
  Operation *op = value.getDefiningOp();
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSignificantBits() <= 64 ? Known::constant(number.getSExtValue()) : Known();
  auto follow = [&](Value operand) { return scalar(operand, in); };
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return op->getParentOfType<LinalgOp>() == in.op ? in.loops[index.getDim()] : Known();
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    SmallVector<Known> at = llvm::map_to_vector(extract.getIndices(), follow);
    return element(extract.getTensor(), at);
  }
  if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
    unsigned i = cast<OpResult>(value).getResultNumber();
    return select(follow(ifOp.getCondition()), follow(ifOp.thenYield().getOperand(i)),
                  follow(ifOp.elseYield().getOperand(i)));
  }
  return compute(op, follow);
}

/// Returns what is known of element `at` of a tensor.
Known IndexTracer::element(Value tensor, ArrayRef<Known> at) {
  auto result = dyn_cast<OpResult>(tensor);
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (budget == 0 || !result || !type || !type.hasStaticShape() ||
      !type.getElementType().isIntOrIndex())
    return {};
  --budget;
  // A dimension of one element has one position.
  SmallVector<Known> place(at);
  for (auto [known, size] : llvm::zip(place, type.getShape()))
    if (size == 1)
      known = Known::constant(0);
  return elementOfResult(result, place);
}

Known IndexTracer::elementOfResult(OpResult result, ArrayRef<Known> at) {
  Operation *op = result.getOwner();
  DenseElementsAttr values;
  if (matchPattern(op, m_Constant(&values)))
    return elementOfConstant(values, at);
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return element(cast.getSource(), at);
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return elementOfPiece(concat, at);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return elementOfSlice(slice, at);
  // Only reshapes that add or drop dimensions of one element; others would mix positions.
  SmallVector<Known> source;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    for (const ReassociationIndices &group : expand.getReassociationIndices()) {
      auto isLong = [&](int64_t dim) { return expand.getResultType().getDimSize(dim) != 1; };
      int64_t longDims = llvm::count_if(group, isLong);
      auto dim = llvm::find_if(group, isLong);
      source.push_back(longDims == 0 ? Known::constant(0) : longDims == 1 ? at[*dim] : Known());
    }
    return element(expand.getSrc(), source);
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    source.resize(collapse.getSrcType().getRank());
    for (auto [i, group] : llvm::enumerate(collapse.getReassociationIndices())) {
      auto isLong = [&](int64_t dim) { return collapse.getSrcType().getDimSize(dim) != 1; };
      if (llvm::count_if(group, isLong) == 1)
        source[*llvm::find_if(group, isLong)] = at[i];
    }
    return element(collapse.getSrc(), source);
  }
  if (auto linalgOp = dyn_cast<LinalgOp>(op)) {
    if (linalgOp.getNumParallelLoops() != linalgOp.getNumLoops())
      return {};
    unsigned i = result.getResultNumber();
    Scope inside{linalgOp, SmallVector<Known>(linalgOp.getNumLoops())};
    AffineMap out = linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(i));
    for (auto [expr, known] : llvm::zip(out.getResults(), at)) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        return {};
      inside.loops[dim.getPosition()] = known;
    }
    return scalar(linalgOp.getBlock()->getTerminator()->getOperand(i), inside);
  }
  if (op->hasTrait<OpTrait::Elementwise>())
    return compute(op, [&](Value operand) {
      Scope none;
      return isa<RankedTensorType>(operand.getType()) ? element(operand, at)
                                                      : scalar(operand, none);
    });
  return {};
}

Known IndexTracer::elementOfPiece(tensor::ConcatOp op, ArrayRef<Known> at) {
  SmallVector<Known> place(at);
  Known &along = place[op.getDim()];
  if (!along.isConstant())
    return {};
  for (Value piece : op.getInputs()) {
    int64_t size = cast<RankedTensorType>(piece.getType()).getDimSize(op.getDim());
    if (along.number < size)
      return element(piece, place);
    along.number -= size;
  }
  return {};
}

Known IndexTracer::elementOfSlice(tensor::ExtractSliceOp op, ArrayRef<Known> at) {
  SmallVector<Known> place;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  unsigned next = 0;
  for (auto [dim, offset, stride] : llvm::enumerate(op.getStaticOffsets(), op.getStaticStrides())) {
    Known known = dropped.test(dim) ? Known::constant(0) : at[next++];
    if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(stride))
      known = {};
    else if (known.isConstant())
      known.number = offset + known.number * stride;
    else if (offset != 0 || stride != 1)
      known = {};
    place.push_back(known);
  }
  return element(op.getSource(), place);
}

Known IndexTracer::elementOfConstant(DenseElementsAttr values, ArrayRef<Known> at) const {
  auto toNumber = [](const APInt &value) { return Known::constant(value.getSExtValue()); };
  if (values.isSplat())
    return toNumber(values.getSplatValue<APInt>());
  ArrayRef<int64_t> shape = values.getType().getShape();
  // The element of 0, 1, 2, .. at a loop's index is that index.
  if (shape.size() == 1 && at[0].kind == Known::Loop) {
    int64_t expected = 0;
    for (const APInt &value : values.getValues<APInt>())
      if (value.getSExtValue() != expected++)
        return {};
    return at[0];
  }
  int64_t position = 0;
  for (auto [known, size] : llvm::zip(at, shape)) {
    if (!known.isConstant() || known.number < 0 || known.number >= size)
      return {};
    position = position * size + known.number;
  }
  return toNumber(values.getValues<APInt>()[position]);
}

/// Evaluates one operation on integers: upstream gives the range of the result; the code below adds
/// the cases in which it equals one of the operands.
Known IndexTracer::compute(Operation *op, Operand operand) const {
  auto inferable = dyn_cast<InferIntRangeInterface>(op);
  auto isInteger = [](Value value) { return getElementTypeOrSelf(value).isIntOrIndex(); };
  if (!inferable || op->getNumResults() != 1 || !isInteger(op->getResult(0)) ||
      !llvm::all_of(op->getOperands(), isInteger))
    return {};
  SmallVector<Known> known = llvm::map_to_vector(op->getOperands(), operand);
  SmallVector<ConstantIntRanges> ranges;
  for (auto [value, of] : llvm::zip_equal(op->getOperands(), known))
    ranges.push_back(rangeIn(getElementTypeOrSelf(value), of));
  std::optional<ConstantIntRanges> inferred;
  inferable.inferResultRanges(ranges,
                              [&](Value, const ConstantIntRanges &range) { inferred = range; });
  if (auto constant = inferred ? inferred->getConstantValue() : std::nullopt)
    return Known::constant(constant->getSExtValue());
  if (isa<CastOpInterface>(op)) { // the same number, if the type can represent it
    auto range = rangeOf(known[0]);
    bool keeps = range && inferred && inferred->smin().getSExtValue() == range->first &&
                 inferred->smax().getSExtValue() == range->second;
    return keeps ? known[0] : Known();
  }
  if (isa<arith::SelectOp>(op))
    return select(known[0], known[1], known[2]);
  if (known.size() != 2)
    return {};
  Known x = known[0], y = known[1];
  if (isa<arith::MaxSIOp, arith::MinSIOp>(op)) {
    bool isMax = isa<arith::MaxSIOp>(op);
    if (ranges[0].smin().sge(ranges[1].smax()))
      return isMax ? x : y;
    return ranges[1].smin().sge(ranges[0].smax()) ? (isMax ? y : x) : Known();
  }
  std::optional<int64_t> neutral;
  if (isa<arith::AddIOp, arith::SubIOp, arith::OrIOp>(op))
    neutral = 0;
  else if (isa<arith::MulIOp>(op))
    neutral = 1;
  else if (isa<arith::AndIOp>(op))
    neutral = -1; // as the condition `true`
  if (!neutral)
    return {};
  Known nothing = Known::constant(*neutral);
  return y == nothing ? x : x == nothing && !isa<arith::SubIOp>(op) ? y : Known();
}

Known IndexTracer::select(Known condition, Known x, Known y) const {
  if (condition.isConstant())
    return condition.number != 0 ? x : y;
  return x == y ? x : Known();
}

} // namespace

std::optional<unsigned> findExactIndex(LinalgOp op, Value value) {
  Known known = IndexTracer(op).trace(value);
  return known.kind == Known::Loop ? std::optional<unsigned>(known.number) : std::nullopt;
}

} // namespace ds
