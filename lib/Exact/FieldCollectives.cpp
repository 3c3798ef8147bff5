//===- FieldCollectives.cpp - collectives of elements ---------------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime adds 64-bit integers, and sums over 4096 ranks stay below 2^42. Maxima and minima of
// elements are those of integers. The runtime multiplies without a modulus, so factors are
// exchanged as a sum with a row for each rank.
//
//===----------------------------------------------------------------------===//
#include "FieldCollectives.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace ds {
namespace {

/// Computes one element of the result from each element of the operand.
Value map(OpBuilder &b, Location loc, Value tensor, llvm::function_ref<Value(Value)> body,
          FieldBuilder &inside) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(b, loc, type, tensor, empty,
                                   ArrayRef<AffineMap>{identity, identity}, loops,
                                   [&](OpBuilder &nested, Location at, ValueRange in) {
                                     inside.at(nested.saveInsertionPoint(), at);
                                     Value result = body(in.front());
                                     nested.restoreInsertionPoint(inside.b.saveInsertionPoint());
                                     linalg::YieldOp::create(nested, at, result);
                                   })
      .getResult(0);
}

/// Replaces the uses of `value` by the result of `change`.
void replaceBehind(FieldBuilder &b, Value value, llvm::function_ref<Value(Value)> change) {
  OpBuilder outside(value.getContext());
  outside.setInsertionPointAfterValue(value);
  Value changed = map(outside, value.getLoc(), value, change, b);
  value.replaceAllUsesExcept(changed, changed.getDefiningOp());
}

/// Returns the number of reducing ranks; an error if `what` needs the number and it is unknown.
FailureOr<int64_t> ranksOf(Operation *op, const char *what) {
  std::optional<int64_t> ranks = getGroupSize(op, op->getAttr("group"));
  if (ranks)
    return *ranks;
  return op->emitError() << what
                         << " over ranks whose number is not known has no reading over a field; "
                            "set device_num";
}

/// Computes the product over ranks: a sum of tensors in which each rank holds its factors in its
/// own row, and then the product of the rows.
LogicalResult multiplyGathered(FieldBuilder &b, AllReduceOp op) {
  FailureOr<int64_t> ranks = ranksOf(op, "a product");
  if (failed(ranks))
    return failure();
  if (isa_and_nonnull<DenseI64ArrayAttr>(op.getGroupAttr()))
    return op.emitError("a product over a list of ranks has no reading over a field");
  OpBuilder outside(op);
  Location loc = op.getLoc();
  Value rank = RankOp::create(outside, loc, dyn_cast_or_null<ArrayAttr>(op.getGroupAttr()));
  Type i64 = outside.getI64Type();
  SmallVector<Value> rows;
  for (Value factors : op.getInputs()) {
    auto type = cast<RankedTensorType>(factors.getType());
    SmallVector<int64_t> shape{*ranks};
    llvm::append_range(shape, type.getShape());
    unsigned loops = shape.size();
    SmallVector<AffineExpr> inner;
    for (unsigned dim = 1; dim < loops; ++dim)
      inner.push_back(outside.getAffineDimExpr(dim));
    AffineMap whole = outside.getMultiDimIdentityMap(loops);
    AffineMap own = AffineMap::get(loops, 0, inner, op.getContext());
    SmallVector<utils::IteratorType> parallel(loops, utils::IteratorType::parallel);
    Value empty = tensor::EmptyOp::create(outside, loc, shape, i64);
    rows.push_back(
        linalg::GenericOp::create(
            outside, loc, RankedTensorType::get(shape, i64), factors, empty,
            ArrayRef<AffineMap>{own, whole}, parallel,
            [&](OpBuilder &nested, Location at, ValueRange in) {
              Value row = linalg::IndexOp::create(nested, at, 0);
              Value mine = arith::CmpIOp::create(nested, at, arith::CmpIPredicate::eq, row, rank);
              Value zero = arith::ConstantOp::create(nested, at, nested.getI64IntegerAttr(0));
              linalg::YieldOp::create(
                  nested, at, arith::SelectOp::create(nested, at, mine, in[0], zero).getResult());
            })
            .getResult(0));
  }
  auto gathered = AllReduceOp::create(outside, loc, ReductionKind::Sum, rows, op.getPurpose(),
                                      op.getNames(), op.getFusion(), op.getGroupAttr());
  for (auto [all, result] : llvm::zip_equal(gathered.getResults(), op.getResults())) {
    auto type = cast<RankedTensorType>(result.getType());
    unsigned loops = type.getRank() + 1;
    SmallVector<AffineExpr> inner;
    for (unsigned dim = 1; dim < loops; ++dim)
      inner.push_back(outside.getAffineDimExpr(dim));
    SmallVector<utils::IteratorType> iterators(loops, utils::IteratorType::parallel);
    iterators.front() = utils::IteratorType::reduction;
    Value one = arith::ConstantOp::create(outside, loc, outside.getI64IntegerAttr(1));
    Value empty = tensor::EmptyOp::create(outside, loc, type.getShape(), i64);
    Value ones = linalg::FillOp::create(outside, loc, one, empty).getResult(0);
    auto product = linalg::GenericOp::create(
        outside, loc, type, all, ones,
        ArrayRef<AffineMap>{outside.getMultiDimIdentityMap(loops),
                            AffineMap::get(loops, 0, inner, op.getContext())},
        iterators, [&](OpBuilder &nested, Location at, ValueRange in) {
          b.at(nested.saveInsertionPoint(), at);
          Value next = b.multiply(in[0], in[1]);
          nested.restoreInsertionPoint(b.b.saveInsertionPoint());
          linalg::YieldOp::create(nested, at, next);
        });
    result.replaceAllUsesWith(product.getResult(0));
  }
  op.erase();
  return success();
}

} // namespace

LogicalResult readCollective(FieldBuilder &b, const PrimeField &field, Operation *op) {
  b.at(op);
  auto kind = op->getAttrOfType<ReductionKindAttr>("kind");
  if (!kind)
    return success(); // it moves elements
  if (kind.getValue() == ReductionKind::Prod) {
    if (auto reduce = dyn_cast<AllReduceOp>(op))
      return multiplyGathered(b, reduce);
    return op->emitError("a product over ranks other than ds.all_reduce has no reading over a "
                         "field");
  }
  bool isMean = kind.getValue() == ReductionKind::Mean;
  if (kind.getValue() != ReductionKind::Sum && !isMean)
    return success();
  int64_t factor = 1;
  if (isMean) {
    FailureOr<int64_t> ranks = ranksOf(op, "a mean");
    if (failed(ranks))
      return failure();
    factor = field.inverse(*ranks); // the factor of ds-apply-mean
    op->setAttr("kind", ReductionKindAttr::get(op->getContext(), ReductionKind::Sum));
  }
  Operation *holder = op;
  if (cast<CollectiveOpInterface>(op).isStart())
    holder = *op->getResults().back().user_begin(); // its ds.wait
  for (Value result : holder->getResults())
    replaceBehind(b, result, [&](Value sum) {
      Value reduced = b.reduce(sum);
      return isMean ? b.multiply(reduced, b.constant(factor)) : reduced;
    });
  return success();
}

} // namespace ds
