//===- Emitter.cpp - Tensor operations in one of their many forms -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Emitter.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace ds::fuzz {

Value Scalars::constant(Type type, double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
}
Value Scalars::add(Value x, Value y) { return arith::AddFOp::create(b, loc, x, y); }
Value Scalars::sub(Value x, Value y) { return arith::SubFOp::create(b, loc, x, y); }
Value Scalars::mul(Value x, Value y) { return arith::MulFOp::create(b, loc, x, y); }
Value Scalars::div(Value x, Value y) { return arith::DivFOp::create(b, loc, x, y); }
Value Scalars::max(Value x, Value y) { return arith::MaximumFOp::create(b, loc, x, y); }
Value Scalars::min(Value x, Value y) { return arith::MinimumFOp::create(b, loc, x, y); }
Value Scalars::sqrt(Value x) { return math::SqrtOp::create(b, loc, x); }

Value Scalars::cast(Value x, Type type) {
  if (x.getType() == type)
    return x;
  if (x.getType().getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(b, loc, type, x);
  return arith::TruncFOp::create(b, loc, type, x);
}

Value Scalars::indicator(Value x, Value y, Type type) {
  Value equal = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, y);
  return arith::SelectOp::create(b, loc, equal, constant(type, 1), constant(type, 0));
}

Shape Emitter::shapeOf(Value value) {
  return Shape(mlir::cast<RankedTensorType>(value.getType()).getShape());
}
Type Emitter::elementOf(Value value) { return getElementTypeOrSelf(value.getType()); }

Value Emitter::empty(ArrayRef<int64_t> shape, Type element) {
  return tensor::EmptyOp::create(b, loc, shape, element);
}

Value Emitter::filled(ArrayRef<int64_t> shape, Type element, double value) {
  if (forms.chance(25)) {
    auto type = RankedTensorType::get(shape, element);
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(type, Attribute(b.getFloatAttr(element, value))));
  }
  Value scalar = arith::ConstantOp::create(b, loc, b.getFloatAttr(element, value));
  return linalg::FillOp::create(b, loc, scalar, empty(shape, element)).getResult(0);
}

AffineMap Emitter::loops(unsigned count, ArrayRef<int64_t> dims) {
  SmallVector<AffineExpr> results;
  for (int64_t dim : dims)
    results.push_back(b.getAffineDimExpr(dim));
  return AffineMap::get(count, 0, results, b.getContext());
}

Value Emitter::map(ArrayRef<Value> ins, ArrayRef<Shape> dims, ArrayRef<int64_t> shape, Type element,
                   Body body) {
  unsigned rank = shape.size();
  SmallVector<AffineMap> maps;
  for (const Shape &follow : dims)
    maps.push_back(loops(rank, follow));
  maps.push_back(b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  auto region = [&](OpBuilder &in, Location at, ValueRange args) {
    Scalars scalars{in, at};
    linalg::YieldOp::create(in, at, body(scalars, args.drop_back()));
  };
  return linalg::GenericOp::create(b, loc, RankedTensorType::get(shape, element), ins,
                                   empty(shape, element), maps, iterators, region)
      .getResult(0);
}

Value Emitter::each(ArrayRef<Value> ins, Body body, Type element) {
  Shape shape;
  for (Value in : ins)
    if (shapeOf(in).size() > shape.size())
      shape = shapeOf(in);
  SmallVector<Shape> dims;
  for (Value in : ins) {
    Shape all;
    for (size_t i = 0; i < shapeOf(in).size(); ++i)
      all.push_back(i);
    dims.push_back(all);
  }
  return map(ins, dims, shape, element ? element : elementOf(ins[0]), body);
}

static double identityOf(Combiner combiner) {
  switch (combiner) {
  case Combiner::sum:
    return 0;
  case Combiner::max:
    return -std::numeric_limits<double>::infinity();
  case Combiner::min:
    return std::numeric_limits<double>::infinity();
  case Combiner::prod:
    return 1;
  }
  llvm_unreachable("all combiners are covered");
}

static Value combine(Scalars &s, Combiner combiner, Value x, Value y) {
  switch (combiner) {
  case Combiner::sum:
    return s.add(x, y);
  case Combiner::max:
    return s.max(x, y);
  case Combiner::min:
    return s.min(x, y);
  case Combiner::prod:
    return s.mul(x, y);
  }
  llvm_unreachable("all combiners are covered");
}

Value Emitter::reduce(Value x, ArrayRef<int64_t> dims, Combiner combiner, Value init) {
  if (dims.empty())
    return x;
  Shape shape = shapeOf(x), kept, keptDims;
  SmallVector<utils::IteratorType> iterators;
  for (int64_t i = 0; i < int64_t(shape.size()); ++i) {
    bool reduced = llvm::is_contained(dims, i);
    iterators.push_back(reduced ? utils::IteratorType::reduction : utils::IteratorType::parallel);
    if (reduced)
      continue;
    kept.push_back(shape[i]);
    keptDims.push_back(i);
  }
  if (!init)
    init = filled(kept, elementOf(x), identityOf(combiner));
  if (forms.chance(30)) {
    auto region = [&](OpBuilder &in, Location at, ValueRange args) {
      Scalars scalars{in, at};
      linalg::YieldOp::create(in, at, combine(scalars, combiner, args[0], args[1]));
    };
    return linalg::ReduceOp::create(b, loc, x, init, dims, region).getResult(0);
  }
  bool swap = forms.chance(50);
  auto region = [&](OpBuilder &in, Location at, ValueRange args) {
    Scalars scalars{in, at};
    linalg::YieldOp::create(in, at,
                            combine(scalars, combiner, args[swap ? 1 : 0], args[swap ? 0 : 1]));
  };
  SmallVector<AffineMap> maps = {b.getMultiDimIdentityMap(shape.size()),
                                 loops(shape.size(), keptDims)};
  return linalg::GenericOp::create(b, loc, init.getType(), x, init, maps, iterators, region)
      .getResult(0);
}

Value Emitter::broadcast(Value x, ArrayRef<int64_t> dims, ArrayRef<int64_t> shape) {
  if (forms.chance(30) && llvm::is_sorted(dims)) {
    Shape added;
    for (int64_t i = 0; i < int64_t(shape.size()); ++i)
      if (!llvm::is_contained(dims, i))
        added.push_back(i);
    if (!added.empty())
      return linalg::BroadcastOp::create(b, loc, x, empty(shape, elementOf(x)), added)
          ->getResult(0);
  }
  return map(x, Shape(dims), shape, elementOf(x), [](Scalars &, ValueRange in) { return in[0]; });
}

Value Emitter::contraction(ArrayRef<Value> ins, ArrayRef<AffineMap> maps, ArrayRef<bool> reduced,
                           ArrayRef<int64_t> shape) {
  Type element = elementOf(ins[0]);
  Value init = filled(shape, element, 0);
  SmallVector<utils::IteratorType> iterators;
  for (bool isReduced : reduced)
    iterators.push_back(isReduced ? utils::IteratorType::reduction : utils::IteratorType::parallel);
  bool swap = forms.chance(50);
  auto region = [&](OpBuilder &in, Location at, ValueRange args) {
    Scalars s{in, at};
    Value product = swap ? s.mul(args[1], args[0]) : s.mul(args[0], args[1]);
    linalg::YieldOp::create(in, at, s.add(args[2], product));
  };
  return linalg::GenericOp::create(b, loc, init.getType(), ins, init, maps, iterators, region)
      .getResult(0);
}

Value Emitter::einsum(StringRef letters, Value x, Value y) {
  auto [inputs, outs] = letters.split("->");
  auto [first, second] = inputs.split(',');
  std::map<char, int64_t> sizes;
  for (auto [names, value] : {std::pair(first, x), std::pair(second, y)})
    for (auto [name, size] : llvm::zip_equal(names, shapeOf(value)))
      sizes[name] = size;
  Shape shape;
  for (char name : outs)
    shape.push_back(sizes[name]);

  // The named operations have one order of loops each.
  if (forms.chance(50)) {
    auto pattern = [&](StringRef a, StringRef c, StringRef o) {
      std::map<char, char> same;
      auto fits = [&](StringRef names, StringRef wanted) {
        if (names.size() != wanted.size())
          return false;
        for (auto [name, want] : llvm::zip_equal(names, wanted))
          if (!same.try_emplace(name, want).second && same[name] != want)
            return false;
        return true;
      };
      return fits(first, a) && fits(second, c) && fits(outs, o);
    };
    auto init = [&] { return filled(shape, elementOf(x), 0); };
    auto type = RankedTensorType::get(shape, elementOf(x));
    if (pattern("mk", "kn", "mn"))
      return linalg::MatmulOp::create(b, loc, type, ValueRange{x, y}, init()).getResult(0);
    if (pattern("bmk", "bkn", "bmn"))
      return linalg::BatchMatmulOp::create(b, loc, type, ValueRange{x, y}, init()).getResult(0);
    if (pattern("mk", "k", "m"))
      return linalg::MatvecOp::create(b, loc, type, ValueRange{x, y}, init()).getResult(0);
  }

  std::string order;
  for (auto [name, size] : sizes)
    order.push_back(name);
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[forms.below(i)]);
  auto mapOf = [&](StringRef names) {
    Shape dims;
    for (char name : names)
      dims.push_back(order.find(name));
    return loops(order.size(), dims);
  };
  SmallVector<bool> reduced;
  for (char name : order)
    reduced.push_back(!outs.contains(name));
  return contraction({x, y}, {mapOf(first), mapOf(second), mapOf(outs)}, reduced, shape);
}

Value Emitter::transpose(Value x, ArrayRef<int64_t> permutation) {
  Shape shape, from = shapeOf(x), dims(permutation.size());
  for (auto [to, source] : llvm::enumerate(permutation)) {
    shape.push_back(from[source]);
    dims[source] = to;
  }
  if (forms.chance(50))
    return linalg::TransposeOp::create(b, loc, x, empty(shape, elementOf(x)), permutation)
        ->getResult(0);
  return map(x, dims, shape, elementOf(x), [](Scalars &, ValueRange in) { return in[0]; });
}

Value Emitter::collapse(Value x, const Groups &groups) {
  return tensor::CollapseShapeOp::create(b, loc, x, groups);
}

Value Emitter::expand(Value x, const Groups &groups, ArrayRef<int64_t> shape) {
  return tensor::ExpandShapeOp::create(b, loc, RankedTensorType::get(shape, elementOf(x)), x,
                                       groups);
}

namespace {
/// The window of a slice along one dimension.
struct Window {
  SmallVector<OpFoldResult> offsets, sizes, strides;
  Window(OpBuilder &b, ArrayRef<int64_t> shape)
      : offsets(shape.size(), b.getIndexAttr(0)), strides(shape.size(), b.getIndexAttr(1)) {
    for (int64_t size : shape)
      sizes.push_back(b.getIndexAttr(size));
  }
};
} // namespace

Value Emitter::slice(Value x, int64_t dim, int64_t offset, int64_t size) {
  Window window(b, shapeOf(x));
  window.offsets[dim] = b.getIndexAttr(offset);
  window.sizes[dim] = b.getIndexAttr(size);
  return tensor::ExtractSliceOp::create(b, loc, x, window.offsets, window.sizes, window.strides);
}

static RankedTensorType withoutDim(Value x, int64_t dim) {
  Shape shape = Emitter::shapeOf(x);
  shape.erase(shape.begin() + dim);
  return RankedTensorType::get(shape, Emitter::elementOf(x));
}

Value Emitter::sliceAt(Value x, int64_t dim, OpFoldResult index) {
  Window window(b, shapeOf(x));
  window.offsets[dim] = index;
  window.sizes[dim] = b.getIndexAttr(1);
  return tensor::ExtractSliceOp::create(b, loc, withoutDim(x, dim), x, window.offsets, window.sizes,
                                        window.strides);
}

Value Emitter::writeAt(Value x, Value whole, int64_t dim, OpFoldResult index) {
  Window window(b, shapeOf(whole));
  window.offsets[dim] = index;
  window.sizes[dim] = b.getIndexAttr(1);
  return tensor::InsertSliceOp::create(b, loc, x, whole, window.offsets, window.sizes,
                                       window.strides);
}

Value Emitter::pad(Value x, ArrayRef<int64_t> low, ArrayRef<int64_t> high) {
  Shape shape = shapeOf(x);
  Window window(b, shape);
  SmallVector<OpFoldResult> before, after;
  for (size_t i = 0; i < shape.size(); ++i) {
    shape[i] += low[i] + high[i];
    before.push_back(b.getIndexAttr(low[i]));
    after.push_back(b.getIndexAttr(high[i]));
  }
  // Along the batch only a padding is placed: an insertion would have to write all samples.
  if (low[0] + high[0] == 0 && forms.chance(40))
    return tensor::InsertSliceOp::create(b, loc, x, filled(shape, elementOf(x), 0), before,
                                         window.sizes, window.strides);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(elementOf(x)));
  return tensor::PadOp::create(b, loc, RankedTensorType::get(shape, elementOf(x)), x, before, after,
                               zero);
}

Value Emitter::concat(ArrayRef<Value> parts, int64_t dim) {
  if (dim == 0 || forms.chance(60))
    return tensor::ConcatOp::create(b, loc, dim, parts);
  Shape shape = shapeOf(parts[0]);
  shape[dim] = 0;
  for (Value part : parts)
    shape[dim] += shapeOf(part)[dim];
  Value whole = empty(shape, elementOf(parts[0]));
  int64_t offset = 0;
  for (Value part : parts) {
    Window window(b, shapeOf(part));
    window.offsets[dim] = b.getIndexAttr(offset);
    whole = tensor::InsertSliceOp::create(b, loc, part, whole, window.offsets, window.sizes,
                                          window.strides);
    offset += shapeOf(part)[dim];
  }
  return whole;
}

Value Emitter::cast(Value x, Type element) {
  if (elementOf(x) == element)
    return x;
  return each(x, [&](Scalars &s, ValueRange in) { return s.cast(in[0], element); }, element);
}

} // namespace ds::fuzz
