//===- ExactIndex.cpp - Is a position the index of a loop -----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gather reads the samples' dimension at a position that front ends compute in roundabout ways:
// clamped, wrapped if negative, or stored in a tensor of positions beside those that were asked
// for. The value is followed backwards, through the elements of tensors too, and is known where it
// is a constant or the index of one loop. What is not known stays unknown. A budget bounds the work
// for one position.
//
//===----------------------------------------------------------------------===//
#include "LinalgLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using linalg::LinalgOp;

namespace ds {
namespace {

/// What is known of an integer: nothing, that it is a constant, or that it is a loop's index.
struct Known {
  enum Kind { Nothing, Constant, Loop } kind = Nothing;
  int64_t number = 0; // the constant, or which loop

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
  /// A linalg operation whose body is followed, and what the indices of its loops are.
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
  Known compare(arith::CmpIPredicate predicate, Known x, Known y) const;
  Known select(Known condition, Known x, Known y) const;

  /// Smallest and largest value.
  std::optional<std::pair<int64_t, int64_t>> rangeOf(Known x) const {
    if (x.isConstant())
      return std::pair(x.number, x.number);
    if (x.kind == Known::Loop && !ShapedType::isDynamic(extents[x.number]))
      return std::pair(int64_t(0), extents[x.number] - 1);
    return std::nullopt;
  }
  /// The same number in a type that may be narrower.
  Known in(Type type, Known x) const {
    auto range = rangeOf(x);
    unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    return range && llvm::isIntN(bits, range->first) && llvm::isIntN(bits, range->second) ? x
                                                                                          : Known();
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

/// Element `at` of a tensor.
Known IndexTracer::element(Value tensor, ArrayRef<Known> at) {
  auto result = dyn_cast<OpResult>(tensor);
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (budget == 0 || !result || !type || !type.hasStaticShape() ||
      !type.getElementType().isIntOrIndex())
    return {};
  --budget;
  // There is one place in a dimension of one element.
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
  // Reshapes by dimensions of one element; others would mix positions.
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
  // 0, 1, 2, .. at the index of a loop is that index.
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

/// One operation on integers.
Known IndexTracer::compute(Operation *op, Operand operand) const {
  auto argument = [&](unsigned i) { return operand(op->getOperand(i)); };
  Type type = op->getNumResults() == 1 ? getElementTypeOrSelf(op->getResult(0)) : Type();
  if (!type || !type.isIntOrIndex())
    return {};
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(op))
    return in(type, argument(0));
  if (isa<arith::IndexCastUIOp, arith::ExtUIOp>(op)) {
    Known x = argument(0);
    auto range = rangeOf(x);
    return range && range->first >= 0 ? in(type, x) : Known();
  }
  if (isa<arith::SelectOp>(op))
    return select(argument(0), argument(1), argument(2));
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp, arith::OrIOp, arith::MaxSIOp,
           arith::MinSIOp, arith::CmpIOp>(op))
    return {};
  Known x = argument(0), y = argument(1);
  if (auto comparison = dyn_cast<arith::CmpIOp>(op))
    return compare(comparison.getPredicate(), x, y);
  Known zero = Known::constant(0), one = Known::constant(1);
  if (isa<arith::AddIOp>(op))
    return y == zero ? x : x == zero ? y : Known();
  if (isa<arith::SubIOp>(op))
    return y == zero ? x : Known();
  if (isa<arith::MulIOp>(op))
    return y == one ? x : x == one ? y : Known();
  auto rangeX = rangeOf(x), rangeY = rangeOf(y);
  if (isa<arith::MaxSIOp, arith::MinSIOp>(op)) {
    if (!rangeX || !rangeY)
      return {};
    bool isMax = isa<arith::MaxSIOp>(op);
    if (rangeX->first >= rangeY->second)
      return isMax ? x : y;
    return rangeY->first >= rangeX->second ? (isMax ? y : x) : Known();
  }
  // Conditions: true is -1 or 1, as the attribute has it.
  if (!type.isInteger(1))
    return {};
  bool isAnd = isa<arith::AndIOp>(op);
  for (auto [side, other] : {std::pair(x, y), std::pair(y, x)})
    if (side.isConstant())
      return (side.number != 0) == isAnd ? other : side;
  return {};
}

Known IndexTracer::compare(arith::CmpIPredicate predicate, Known x, Known y) const {
  auto rangeX = rangeOf(x), rangeY = rangeOf(y);
  if (!rangeX || !rangeY)
    return {};
  auto decide = [](bool always, bool never) {
    return always ? Known::constant(1) : never ? Known::constant(0) : Known();
  };
  auto [lowX, highX] = *rangeX;
  auto [lowY, highY] = *rangeY;
  // Signed or not is the same for what is not negative.
  if (arith::CmpIPredicate::ult <= predicate && (lowX < 0 || lowY < 0))
    return {};
  switch (predicate) {
  case arith::CmpIPredicate::ult:
  case arith::CmpIPredicate::slt:
    return decide(highX < lowY, lowX >= highY);
  case arith::CmpIPredicate::ule:
  case arith::CmpIPredicate::sle:
    return decide(highX <= lowY, lowX > highY);
  case arith::CmpIPredicate::ugt:
  case arith::CmpIPredicate::sgt:
    return decide(lowX > highY, highX <= lowY);
  case arith::CmpIPredicate::uge:
  case arith::CmpIPredicate::sge:
    return decide(lowX >= highY, highX < lowY);
  case arith::CmpIPredicate::eq:
    return decide(x.isConstant() && x == y, lowX > highY || highX < lowY);
  case arith::CmpIPredicate::ne:
    return decide(lowX > highY || highX < lowY, x.isConstant() && x == y);
  }
  llvm_unreachable("all predicates are covered");
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
