//===- SendLargest.cpp - Send the largest elements of a gradient ----------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each element has a key: the bits of its magnitude, then its place, where earlier places rank
// higher. Keys are distinct, so the k largest are those at or above a threshold, which is found bit
// by bit: 31 + log2 of the size passes over the keys. Every rank receives the values and places of
// all ranks (a sum of single rows, which becomes an all-gather) and adds them in rank order.
//
//===----------------------------------------------------------------------===//
#include "UpdateModes.h"

#include "PendingStates.h"

#include "ds/Dialect/IR/Ds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ds {
namespace {

class Largest {
public:
  Largest(OpBuilder &b, Location loc, Value gradient, int64_t count, int64_t numRanks)
      : b(b), loc(loc), gradient(gradient), count(count), numRanks(numRanks),
        size(cast<RankedTensorType>(gradient.getType()).getNumElements()),
        placeBits(llvm::Log2_64_Ceil(size)) {}

  SentGradient send() {
    flat = flatten();
    keys = makeKeys();
    threshold = findThreshold();
    auto [values, places] = pack();
    return {unflatten(addRanks(shareRow(values), shareRow(places))), unflatten(keepLargest())};
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  Value zeros(ArrayRef<int64_t> shape, Type element) {
    auto type = RankedTensorType::get(shape, element);
    return arith::ConstantOp::create(
        b, loc, SplatElementsAttr::get(type, Attribute(b.getZeroAttr(element))));
  }
  SmallVector<ReassociationIndices> oneGroup() {
    auto dims = llvm::seq<int64_t>(0, cast<RankedTensorType>(gradient.getType()).getRank());
    return {ReassociationIndices(dims.begin(), dims.end())};
  }
  bool isFlat() { return cast<RankedTensorType>(gradient.getType()).getRank() == 1; }

  Value flatten() {
    if (isFlat())
      return gradient;
    return tensor::CollapseShapeOp::create(b, loc, gradient, oneGroup());
  }
  Value unflatten(Value value) {
    if (isFlat())
      return value;
    return tensor::ExpandShapeOp::create(b, loc, gradient.getType(), value, oneGroup());
  }

  Value makeKeys() {
    Type i64 = b.getI64Type();
    Value empty = tensor::EmptyOp::create(b, loc, size, i64);
    SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(1));
    SmallVector<utils::IteratorType> loops(1, utils::IteratorType::parallel);
    auto made = linalg::GenericOp::create(
        b, loc, empty.getType(), flat, empty, maps, loops,
        [&](OpBuilder &in, Location at, ValueRange e) {
          Value bits = arith::BitcastOp::create(in, at, in.getI32Type(), e[0]);
          Value noSign = arith::ConstantOp::create(in, at, in.getI32IntegerAttr(0x7FFFFFFF));
          bits = arith::AndIOp::create(in, at, bits, noSign);
          Value above = arith::ShLIOp::create(in, at, arith::ExtUIOp::create(in, at, i64, bits),
                                              integerConstant(in, at, placeBits));
          Value place = arith::IndexCastOp::create(in, at, i64, linalg::IndexOp::create(in, at, 0));
          Value below = arith::SubIOp::create(in, at, integerConstant(in, at, size - 1), place);
          linalg::YieldOp::create(in, at, arith::OrIOp::create(in, at, above, below).getResult());
        });
    return made.getResult(0);
  }

  Value isFrom(OpBuilder &in, Location at, Value key, Value least) {
    return arith::CmpIOp::create(in, at, arith::CmpIPredicate::uge, key, least);
  }

  /// Counts the keys that are at least `least`.
  Value countFrom(OpBuilder &in, Value least) {
    auto type = RankedTensorType::get({}, in.getI64Type());
    Value none = arith::ConstantOp::create(
        in, loc, SplatElementsAttr::get(type, Attribute(in.getI64IntegerAttr(0))));
    SmallVector<AffineMap> maps = {in.getMultiDimIdentityMap(1),
                                   AffineMap::get(1, 0, in.getContext())};
    SmallVector<utils::IteratorType> loops(1, utils::IteratorType::reduction);
    auto counted = linalg::GenericOp::create(
        in, loc, type, keys, none, maps, loops, [&](OpBuilder &body, Location at, ValueRange e) {
          Value one =
              arith::ExtUIOp::create(body, at, body.getI64Type(), isFrom(body, at, e[0], least));
          linalg::YieldOp::create(body, at, arith::AddIOp::create(body, at, e[1], one).getResult());
        });
    return tensor::ExtractOp::create(in, loc, counted.getResult(0), ValueRange());
  }

  /// Returns the largest number such that `count` keys are not below it.
  Value findThreshold() {
    int64_t bits = 31 + placeBits;
    auto loop = scf::ForOp::create(
        b, loc, index(0), index(bits), index(1), integerConstant(b, loc, 0),
        [&](OpBuilder &in, Location at, Value number, ValueRange known) {
          Value place =
              arith::SubIOp::create(in, at, integerConstant(in, at, bits - 1),
                                    arith::IndexCastOp::create(in, at, in.getI64Type(), number));
          Value bit = arith::ShLIOp::create(in, at, integerConstant(in, at, 1), place);
          Value higher = arith::OrIOp::create(in, at, known[0], bit);
          Value enough = isFrom(in, at, countFrom(in, higher), integerConstant(in, at, count));
          Value next = arith::SelectOp::create(in, at, enough, higher, known[0]);
          scf::YieldOp::create(in, at, next);
        });
    return loop.getResult(0);
  }

  /// Returns the chosen elements and their places, in order. An element that is not chosen is
  /// written, too, to the slot after the last chosen one, where the next element overwrites it.
  std::pair<Value, Value> pack() {
    SmallVector<Value> start = {zeros(count + 1, b.getF32Type()), zeros(count + 1, b.getI32Type()),
                                index(0)};
    auto loop = scf::ForOp::create(
        b, loc, index(0), index(size), index(1), start,
        [&](OpBuilder &in, Location at, Value place, ValueRange packed) {
          Value value = tensor::ExtractOp::create(in, at, flat, place);
          Value key = tensor::ExtractOp::create(in, at, keys, place);
          Value number = arith::IndexCastOp::create(in, at, in.getI32Type(), place);
          Value values = tensor::InsertOp::create(in, at, value, packed[0], packed[2]);
          Value places = tensor::InsertOp::create(in, at, number, packed[1], packed[2]);
          Value one = arith::ConstantIndexOp::create(in, at, 1);
          Value behind = arith::AddIOp::create(in, at, packed[2], one);
          Value next =
              arith::SelectOp::create(in, at, isFrom(in, at, key, threshold), behind, packed[2]);
          scf::YieldOp::create(in, at, ValueRange{values, places, next});
        });
    return {loop.getResult(0), loop.getResult(1)};
  }

  /// Gathers the rows of all ranks: [count + 1] on each -> [ranks, count].
  Value shareRow(Value packed) {
    SmallVector<OpFoldResult> one(1, b.getIndexAttr(1));
    Type element = cast<RankedTensorType>(packed.getType()).getElementType();
    Value row = tensor::ExtractSliceOp::create(b, loc, RankedTensorType::get({count}, element),
                                               packed, ArrayRef<OpFoldResult>{b.getIndexAttr(0)},
                                               {b.getIndexAttr(count)}, one);
    row = makeEntry(b, row);
    Value rank = RankOp::create(b, loc, ArrayAttr());
    SmallVector<OpFoldResult> offsets = {rank, b.getIndexAttr(0)},
                              sizes = {b.getIndexAttr(1), b.getIndexAttr(count)},
                              strides(2, b.getIndexAttr(1));
    Value rows = tensor::InsertSliceOp::create(b, loc, row, zeros({numRanks, count}, element),
                                               offsets, sizes, strides);
    return CombineOp::create(b, loc, rows.getType(), ReductionKind::Sum, rows);
  }

  /// Returns the mean of the elements that ranks have sent, added rank by rank.
  Value addRanks(Value values, Value places) {
    auto ranks = scf::ForOp::create(
        b, loc, index(0), index(numRanks), index(1), zeros(size, b.getF32Type()),
        [&](OpBuilder &in, Location at, Value rank, ValueRange sums) {
          Value zero = arith::ConstantIndexOp::create(in, at, 0),
                one = arith::ConstantIndexOp::create(in, at, 1),
                end = arith::ConstantIndexOp::create(in, at, count);
          auto elements = scf::ForOp::create(
              in, at, zero, end, one, sums[0],
              [&](OpBuilder &body, Location here, Value number, ValueRange sum) {
                SmallVector<Value> of = {rank, number};
                Value value = tensor::ExtractOp::create(body, here, values, of);
                Value place =
                    arith::IndexCastOp::create(body, here, body.getIndexType(),
                                               tensor::ExtractOp::create(body, here, places, of));
                Value before = tensor::ExtractOp::create(body, here, sum[0], place);
                Value now = arith::AddFOp::create(body, here, before, value);
                Value next = tensor::InsertOp::create(body, here, now, sum[0], place);
                scf::YieldOp::create(body, here, next);
              });
          scf::YieldOp::create(in, at, elements.getResult(0));
        });
    auto inverse = static_cast<float>(1.0 / static_cast<double>(numRanks));
    return zipElements(
        b, loc, ranks.getResult(0), [&](OpBuilder &in, Location at, ValueRange e) -> Value {
          Value factor = arith::ConstantOp::create(in, at, in.getF32FloatAttr(inverse));
          return arith::MulFOp::create(in, at, e[0], factor);
        });
  }

  /// Returns the elements that this rank has sent, zeros elsewhere.
  Value keepLargest() {
    return zipElements(
        b, loc, {flat, keys}, [&](OpBuilder &in, Location at, ValueRange e) -> Value {
          Value none = arith::ConstantOp::create(in, at, in.getF32FloatAttr(0));
          return arith::SelectOp::create(in, at, isFrom(in, at, e[1], threshold), e[0], none);
        });
  }

  OpBuilder &b;
  Location loc;
  Value gradient, flat, keys, threshold;
  int64_t count, numRanks, size, placeBits;
};

} // namespace

SentGradient sendLargest(OpBuilder &b, Location loc, Value gradient, int64_t count,
                         int64_t numRanks) {
  return Largest(b, loc, gradient, count, numRanks).send();
}

} // namespace ds
