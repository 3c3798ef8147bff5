//===- Accumulators.cpp - Values carried over microbatches ----------------===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Accumulators.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <limits>

using namespace mlir;

namespace ds {

static Value createConstant(OpBuilder &b, Location loc, Type type, double value) {
  Type element = getElementTypeOrSelf(type);
  TypedAttr one = isa<FloatType>(element)
                      ? TypedAttr(b.getFloatAttr(element, value))
                      : TypedAttr(b.getIntegerAttr(element, static_cast<int64_t>(value)));
  if (auto shaped = dyn_cast<RankedTensorType>(type))
    one = SplatElementsAttr::get(shaped, Attribute(one));
  return arith::ConstantOp::create(b, loc, one);
}

static Type accumulatorOf(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  if (!element || element.getWidth() >= 32)
    return type;
  Type wide = Float32Type::get(type.getContext());
  auto shaped = dyn_cast<RankedTensorType>(type);
  return shaped ? Type(shaped.clone(wide)) : wide;
}

Carried carrySum(OpBuilder start, Value value, int64_t divideBy, Use use) {
  Location loc = value.getLoc();
  Type type = value.getType(), wide = accumulatorOf(type);
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(type));
  auto next = [=](OpBuilder &in, Value before, const IRMapping &body, Value) -> Value {
    Value term = body.lookup(value);
    if (wide != type)
      term = arith::ExtFOp::create(in, loc, wide, term);
    return isFloat ? arith::AddFOp::create(in, loc, before, term).getResult()
                   : arith::AddIOp::create(in, loc, before, term).getResult();
  };
  auto finish = [=](OpBuilder &after, Value sum) {
    if (divideBy != 1)
      sum = arith::DivFOp::create(after, loc, sum,
                                  createConstant(after, loc, wide, double(divideBy)));
    if (wide != type)
      sum = arith::TruncFOp::create(after, loc, type, sum);
    use(sum);
  };
  return {createConstant(start, loc, wide, 0), next, finish};
}

Carried carryExtreme(OpBuilder start, Value value, bool isMax, Use use) {
  double none = std::numeric_limits<double>::infinity() * (isMax ? -1 : 1);
  auto next = [=](OpBuilder &in, Value before, const IRMapping &body, Value) -> Value {
    Value other = body.lookup(value);
    return isMax ? arith::MaximumFOp::create(in, value.getLoc(), before, other).getResult()
                 : arith::MinimumFOp::create(in, value.getLoc(), before, other).getResult();
  };
  return {createConstant(start, value.getLoc(), value.getType(), none), next,
          [=](OpBuilder &, Value result) { use(result); }};
}

/// Groups that split dimension `dim` of a tensor of `rank` dimensions into microbatch and row.
static SmallVector<ReassociationIndices> pairAt(int64_t rank, int64_t dim) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0, at = 0; i < rank; ++i) {
    groups.push_back({at++});
    if (i == dim)
      groups.back().push_back(at++);
  }
  return groups;
}

namespace {
/// The slice of one microbatch in a tensor of all microbatches.
struct Window {
  SmallVector<OpFoldResult> offsets, sizes, strides;
};
} // namespace

static Window windowAt(OpBuilder &b, ArrayRef<int64_t> shape, int64_t dim, Value round) {
  Window window;
  for (auto [i, size] : llvm::enumerate(shape)) {
    bool isRound = static_cast<int64_t>(i) == dim;
    window.offsets.push_back(isRound ? OpFoldResult(round) : b.getIndexAttr(0));
    window.sizes.push_back(b.getIndexAttr(isRound ? 1 : size));
    window.strides.push_back(b.getIndexAttr(1));
  }
  return window;
}

Carried carryRows(OpBuilder start, Value value, int64_t microbatches, int64_t dim, Use use) {
  Location loc = value.getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin() + dim, microbatches);
  auto next = [=](OpBuilder &in, Value before, const IRMapping &body, Value round) -> Value {
    Window window = windowAt(in, shape, dim, round);
    return tensor::InsertSliceOp::create(in, loc, body.lookup(value), before, window.offsets,
                                         window.sizes, window.strides);
  };
  auto finish = [=](OpBuilder &after, Value rows) {
    use(tensor::CollapseShapeOp::create(after, loc, rows, pairAt(type.getRank(), dim)));
  };
  return {tensor::EmptyOp::create(start, loc, shape, type.getElementType()), next, finish};
}

Carried carryState(Value state, Value value, Use use) {
  return {
      state,
      [=](OpBuilder &, Value, const IRMapping &body, Value) { return body.lookupOrDefault(value); },
      [=](OpBuilder &, Value result) { use(result); }};
}

Value splitMicrobatches(OpBuilder &b, Location loc, Value argument, int64_t dim,
                        int64_t microbatches) {
  auto type = cast<RankedTensorType>(argument.getType());
  SmallVector<int64_t> shape(type.getShape()), pairs(shape);
  shape[dim] *= microbatches;
  pairs.insert(pairs.begin() + dim, microbatches);
  argument.setType(type.clone(shape));
  return tensor::ExpandShapeOp::create(b, loc, type.clone(pairs), argument,
                                       pairAt(type.getRank(), dim));
}

Value sliceMicrobatch(OpBuilder &b, Value split, int64_t dim, Value round) {
  auto type = cast<RankedTensorType>(split.getType());
  SmallVector<int64_t> rows(type.getShape());
  rows.erase(rows.begin() + dim);
  Window window = windowAt(b, type.getShape(), dim, round);
  return tensor::ExtractSliceOp::create(b, split.getLoc(), type.clone(rows), split, window.offsets,
                                        window.sizes, window.strides);
}

} // namespace ds
