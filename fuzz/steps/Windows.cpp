//===- Windows.cpp - Convolutions, lookups and masks ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything here indexes by more than its loops: strided windows and their gradients, rows chosen
// by integers, and masks that depend on the position in the batch.
//
//===----------------------------------------------------------------------===//
#include "Emitter.h"

using namespace mlir;

namespace ds::fuzz {

// Loops of all three: b, h, w, f, kh, kw, c.
static AffineExpr dim(OpBuilder &b, unsigned i) { return b.getAffineDimExpr(i); }

Value Emitter::convolve(Value x, Value window, int64_t stride) {
  Shape in = shapeOf(x), k = shapeOf(window);
  Shape shape = {in[0], (in[1] - k[0]) / stride + 1, (in[2] - k[1]) / stride + 1, k[3]};
  if (forms.chance(50)) {
    auto type = RankedTensorType::get(shape, elementOf(x));
    auto vector = [&](int64_t v) {
      return DenseIntElementsAttr::get(RankedTensorType::get({2}, b.getI64Type()),
                                       ArrayRef<int64_t>{v, v});
    };
    return linalg::Conv2DNhwcHwcfOp::create(b, loc, type, ValueRange{x, window},
                                            filled(shape, elementOf(x), 0), vector(stride),
                                            vector(1))
        .getResult(0);
  }
  MLIRContext *context = b.getContext();
  auto mx = AffineMap::get(
      7, 0, {dim(b, 0), dim(b, 1) * stride + dim(b, 4), dim(b, 2) * stride + dim(b, 5), dim(b, 6)},
      context);
  return contraction({x, window}, {mx, loops(7, {4, 5, 6, 3}), loops(7, {0, 1, 2, 3})},
                     {false, false, false, false, true, true, true}, shape);
}

Value Emitter::convolveWindow(Value x, Value dy, ArrayRef<int64_t> window, int64_t stride) {
  MLIRContext *context = b.getContext();
  auto mx = AffineMap::get(
      7, 0, {dim(b, 0), dim(b, 1) * stride + dim(b, 4), dim(b, 2) * stride + dim(b, 5), dim(b, 6)},
      context);
  return contraction({x, dy}, {mx, loops(7, {0, 1, 2, 3}), loops(7, {4, 5, 6, 3})},
                     {true, true, true, false, false, false, false}, window);
}

Value Emitter::convolveInput(Value dy, Value window, ArrayRef<int64_t> shape, int64_t stride) {
  Shape out = shapeOf(dy), k = shapeOf(window);
  MLIRContext *context = b.getContext();
  // dx[h] = sum over kh of dilated[h + kh] * window[k - 1 - kh], where dilated holds dy at every
  // stride'th place behind k - 1 zeros.
  Shape dilated = {out[0], shape[1] + k[0] - 1, shape[2] + k[1] - 1, out[3]};
  SmallVector<OpFoldResult> offsets = {b.getIndexAttr(0), b.getIndexAttr(k[0] - 1),
                                       b.getIndexAttr(k[1] - 1), b.getIndexAttr(0)};
  SmallVector<OpFoldResult> strides = {b.getIndexAttr(1), b.getIndexAttr(stride),
                                       b.getIndexAttr(stride), b.getIndexAttr(1)};
  SmallVector<OpFoldResult> sizes;
  for (int64_t size : out)
    sizes.push_back(b.getIndexAttr(size));
  Value spread = tensor::InsertSliceOp::create(b, loc, dy, filled(dilated, elementOf(dy), 0),
                                               offsets, sizes, strides);
  auto mx = AffineMap::get(
      7, 0, {dim(b, 0), dim(b, 1) + dim(b, 4), dim(b, 2) + dim(b, 5), dim(b, 6)}, context);
  auto mirrored = AffineMap::get(
      4, 0, {(k[0] - 1) - dim(b, 0), (k[1] - 1) - dim(b, 1), dim(b, 2), dim(b, 3)}, context);
  auto copy = [](OpBuilder &in, Location at, ValueRange args) {
    linalg::YieldOp::create(in, at, args[0]);
  };
  SmallVector<AffineMap> maps = {mirrored, b.getMultiDimIdentityMap(4)};
  SmallVector<utils::IteratorType> parallel(4, utils::IteratorType::parallel);
  Value reversed = linalg::GenericOp::create(b, loc, window.getType(), window,
                                             empty(k, elementOf(window)), maps, parallel, copy)
                       .getResult(0);
  return contraction({spread, reversed}, {mx, loops(7, {4, 5, 3, 6}), loops(7, {0, 1, 2, 3})},
                     {false, false, false, false, true, true, true}, shape);
}

Value Emitter::lookUp(Value table, Value ids) {
  Shape shape = shapeOf(ids), follow;
  for (size_t i = 0; i < shape.size(); ++i)
    follow.push_back(i);
  int64_t last = shape.size();
  shape.push_back(shapeOf(table)[1]);
  return map(ids, follow, shape, elementOf(table), [&](Scalars &s, ValueRange in) -> Value {
    Value row = arith::IndexCastOp::create(s.b, s.loc, s.b.getIndexType(), in[0]);
    Value column = linalg::IndexOp::create(s.b, s.loc, last);
    return tensor::ExtractOp::create(s.b, s.loc, table, ValueRange{row, column});
  });
}

Value Emitter::scatter(Value ids, Value dy, int64_t rows) {
  Shape shape = shapeOf(dy);
  unsigned rank = shape.size(); // loops: those of ids, then d, then v
  Shape batch;
  SmallVector<bool> reduced;
  SmallVector<utils::IteratorType> iterators;
  for (unsigned i = 0; i + 1 < rank; ++i) {
    batch.push_back(i);
    iterators.push_back(utils::IteratorType::reduction);
  }
  iterators.append(2, utils::IteratorType::parallel);
  Shape all = batch;
  all.push_back(rank - 1);
  SmallVector<AffineMap> maps = {loops(rank + 1, batch), loops(rank + 1, all),
                                 loops(rank + 1, {int64_t(rank), int64_t(rank) - 1})};
  Value init = filled({rows, shape.back()}, elementOf(dy), 0);
  auto region = [&](OpBuilder &in, Location at, ValueRange args) {
    Scalars s{in, at};
    Value row = arith::IndexCastOp::create(in, at, args[0].getType(),
                                           linalg::IndexOp::create(in, at, rank));
    Value term;
    if (forms.chance(50)) {
      term = s.mul(s.indicator(row, args[0], args[1].getType()), args[1]);
    } else {
      Value hit = arith::CmpIOp::create(in, at, arith::CmpIPredicate::eq, row, args[0]);
      term = arith::SelectOp::create(in, at, hit, args[1], s.constant(args[1].getType(), 0));
    }
    linalg::YieldOp::create(in, at, s.add(args[2], term));
  };
  return linalg::GenericOp::create(b, loc, init.getType(), ValueRange{ids, dy}, init, maps,
                                   iterators, region)
      .getResult(0);
}

Value Emitter::oneHot(Value labels, int64_t classes, Type element) {
  Shape shape = {shapeOf(labels)[0], classes};
  return map(labels, Shape{0}, shape, element, [&](Scalars &s, ValueRange in) -> Value {
    Value column = arith::IndexCastOp::create(s.b, s.loc, in[0].getType(),
                                              linalg::IndexOp::create(s.b, s.loc, 1));
    return s.indicator(column, in[0], element);
  });
}

Value Emitter::pickLabel(Value scores, Value labels) {
  return map(labels, Shape{0}, shapeOf(labels), elementOf(scores),
             [&](Scalars &s, ValueRange in) -> Value {
               Value row = linalg::IndexOp::create(s.b, s.loc, 0);
               Value column = arith::IndexCastOp::create(s.b, s.loc, s.b.getIndexType(), in[0]);
               return tensor::ExtractOp::create(s.b, s.loc, scores, ValueRange{row, column});
             });
}

Value Emitter::dropoutMask(ArrayRef<int64_t> shape, Type element, Value seedWord, int64_t layer,
                           int percent) {
  return map(seedWord, Shape{}, shape, element, [&](Scalars &s, ValueRange in) -> Value {
    Type word = in[0].getType();
    auto number = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(s.b, s.loc, s.b.getIntegerAttr(word, value));
    };
    auto mul = [&](Value x, Value y) -> Value { return arith::MulIOp::create(s.b, s.loc, x, y); };
    auto add = [&](Value x, Value y) -> Value { return arith::AddIOp::create(s.b, s.loc, x, y); };
    auto mix = [&](Value x) -> Value {
      Value high = arith::ShRUIOp::create(s.b, s.loc, x, number(15));
      return mul(arith::XOrIOp::create(s.b, s.loc, x, high), number(0x2c1b3c6d));
    };
    Value hash = add(in[0], number(layer * 7919));
    for (size_t i = 0; i < shape.size(); ++i) {
      Value position =
          arith::IndexCastOp::create(s.b, s.loc, word, linalg::IndexOp::create(s.b, s.loc, i));
      hash = mix(add(mul(hash, number(31)), position));
    }
    hash = mix(hash);
    Value low = arith::AndIOp::create(s.b, s.loc, hash, number(127));
    Value keep = arith::CmpIOp::create(s.b, s.loc, arith::CmpIPredicate::sge, low,
                                       number(percent * 128 / 100));
    return arith::SelectOp::create(s.b, s.loc, keep, s.constant(element, 100.0 / (100 - percent)),
                                   s.constant(element, 0));
  });
}

} // namespace ds::fuzz
